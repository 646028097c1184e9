import { randomBytes } from 'node:crypto';

/** Most digits of an integer, as of Keycloak's JSON library. */
const MOST_DIGITS = 1000;
/** Shorter texts have no integer that a JavaScript number does not hold. */
const MANY_DIGITS = /\d{16}/;
/** A string or a number of a valid JSON text. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const INTEGER = /^-?\d+$/;
/** Member name that replaces a long integer while a text is parsed. It is random, so no text contains it on purpose. */
const MARK = randomBytes(16).toString('hex');

/**
 * JSON of a value whose integers beyond 2^53 are bigints. A value without any costs nothing more than `JSON.stringify`.
 * @throws TypeError for what JSON does not have
 */
export function exactJson(value: object): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return written(value, new Set()) ?? 'null';
  }
}

/** Undefined for a value that JSON does not have. */
function written(value: unknown, above: Set<object>): string | undefined {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') return written(value.toJSON(), above);
  if (above.has(value)) throw new TypeError('a value contains itself');
  above.add(value);
  const text = Array.isArray(value)
    ? `[${value.map((one) => written(one, above) ?? 'null').join(',')}]`
    : `{${membersOf(value, above).join(',')}}`;
  above.delete(value);
  return text;
}

function membersOf(value: object, above: Set<object>): string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const text = written(member, above);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
}

/** True if a JSON text may have an integer that `JSON.parse` would round. */
export function hasManyDigits(text: string): boolean {
  return MANY_DIGITS.test(text);
}

/**
 * Parses JSON and preserves all digits of integers.
 * @param carry the value for an integer beyond 2^53, by its digits; a bigint by default
 * @throws SyntaxError, also for an integer with more than 1000 digits
 */
export function parseExactly(text: string, carry: (digits: string) => unknown = BigInt): unknown {
  const value: unknown = JSON.parse(text);
  if (!MANY_DIGITS.test(text)) return value;
  let isExact = true;
  const marked = text.replace(TOKEN, (token) => {
    if (!INTEGER.test(token) || Number.isSafeInteger(Number(token))) return token;
    if (token.length > MOST_DIGITS) throw new SyntaxError('a number has too many digits');
    isExact = false;
    return `{"${MARK}":"${token}"}`;
  });
  if (isExact) return value;
  return JSON.parse(marked, (_, part: unknown) => (isMarked(part) ? carry(part[MARK] ?? '') : part));
}

function isMarked(part: unknown): part is Readonly<Record<string, string>> {
  return typeof part === 'object' && part !== null && Object.hasOwn(part, MARK);
}

/** Replaces bigints by numbers, in place: for readers that know JSON's values alone. */
export function roundIntegers<T>(value: T): T {
  if (typeof value === 'bigint') return Number(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'bigint') (value as Record<string, unknown>)[name] = Number(member);
    else roundIntegers(member);
  }
  return value;
}
