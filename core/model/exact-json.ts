import { randomBytes } from 'node:crypto';

/** Maximum number of digits of an integer, as in Keycloak's JSON library. */
const MAX_DIGITS = 1000;
/** Every integer with fewer digits can be represented exactly as a JavaScript number. */
const MANY_DIGITS = /\d{16}/;
/** A string or a number of a valid JSON text. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const INTEGER = /^-?\d+$/;
/**
 * Name of the only member of an object that replaces a long integer while a text is parsed. It is random, so that no
 * text can contain it on purpose.
 */
const PLACEHOLDER = randomBytes(16).toString('hex');

/**
 * Serializes a value whose integers beyond 2^53 are bigints. Without bigints it costs no more than `JSON.stringify`.
 * @throws TypeError if the value contains itself
 */
export function exactJson(value: object): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return stringify(value, new Set()) ?? 'null';
  }
}

/** Returns undefined for a value that JSON cannot represent, such as a function. */
function stringify(value: unknown, ancestors: Set<object>): string | undefined {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') return stringify(value.toJSON(), ancestors);
  if (ancestors.has(value)) throw new TypeError('a value contains itself');
  ancestors.add(value);
  const text = Array.isArray(value)
    ? `[${value.map((item) => stringify(item, ancestors) ?? 'null').join(',')}]`
    : `{${stringifyMembers(value, ancestors).join(',')}}`;
  ancestors.delete(value);
  return text;
}

function stringifyMembers(value: object, ancestors: Set<object>): string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const text = stringify(member, ancestors);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
}

/** True if a JSON text may have an integer that `JSON.parse` would round. */
export function hasManyDigits(text: string): boolean {
  return MANY_DIGITS.test(text);
}

/**
 * Parses JSON and preserves all digits of integers.
 * @param convert returns the value for an integer beyond 2^53, given its digits; a bigint by default
 * @throws SyntaxError if the text is not JSON, or an integer has more than 1000 digits
 */
export function parseExactly(text: string, convert: (digits: string) => unknown = BigInt): unknown {
  const value: unknown = JSON.parse(text);
  if (!MANY_DIGITS.test(text)) return value;
  let isExact = true;
  const replaced = text.replace(TOKEN, (token) => {
    if (!INTEGER.test(token) || Number.isSafeInteger(Number(token))) return token;
    if (token.length > MAX_DIGITS) throw new SyntaxError('a number has too many digits');
    isExact = false;
    return `{"${PLACEHOLDER}":"${token}"}`;
  });
  if (isExact) return value;
  return JSON.parse(replaced, (_, part: unknown) => (isPlaceholder(part) ? convert(part[PLACEHOLDER] ?? '') : part));
}

function isPlaceholder(part: unknown): part is Readonly<Record<string, string>> {
  return typeof part === 'object' && part !== null && Object.hasOwn(part, PLACEHOLDER);
}

/** Replaces bigints by numbers, in place, for consumers that support only JSON's types. */
export function roundIntegers<T>(value: T): T {
  if (typeof value === 'bigint') return Number(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'bigint') (value as Record<string, unknown>)[name] = Number(member);
    else roundIntegers(member);
  }
  return value;
}
