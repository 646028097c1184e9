import { exactJson } from '../model/exact-json.js';
import { waitForRealmTurn } from '../model/loop-turns.js';

/** Number of list elements that are serialized before other requests may run. */
const ITEMS_PER_TURN = 100;
/** Maximum depth at which long lists are written in parts. A realm has some at this depth, in `roles.client`. */
const MAX_DEPTH = 3;

/**
 * Serializes a value like `JSON.stringify`. Long lists are serialized in parts, and other requests may run between
 * them.
 * @returns undefined for a value that JSON cannot represent
 */
export async function stringifyYielding(realm: string, value: unknown): Promise<string | undefined> {
  const parts: string[] = [];
  return (await write(realm, value, parts, MAX_DEPTH)) ? parts.join('') : undefined;
}

/**
 * Appends the JSON of a value to `parts`.
 * @returns false, without appending anything, if JSON cannot represent the value
 */
async function write(realm: string, value: unknown, parts: string[], depth: number): Promise<boolean> {
  if (Array.isArray(value)) {
    if (value.length <= ITEMS_PER_TURN) return writeWhole(value, parts);
    for (let first = 0; first < value.length; first += ITEMS_PER_TURN) {
      await waitForRealmTurn(realm);
      const part = exactJson(value.slice(first, first + ITEMS_PER_TURN)).slice(1, -1);
      parts.push(first === 0 ? '[' : ',', part);
    }
    parts.push(']');
    return true;
  }
  if (depth === 0 || !isPlain(value) || !mayBeLong(value, depth)) return writeWhole(value, parts);
  let separator = '{';
  for (const [name, member] of Object.entries(value)) {
    const memberParts: string[] = [];
    if (!(await write(realm, member, memberParts, depth - 1))) continue;
    parts.push(separator, JSON.stringify(name), ':', ...memberParts);
    separator = ',';
  }
  parts.push(separator === '{' ? '{}' : '}');
  return true;
}

function writeWhole(value: unknown, parts: string[]): boolean {
  const text = typeof value === 'object' && value !== null ? exactJson(value) : JSON.stringify(value);
  if (text !== undefined) parts.push(text);
  return text !== undefined;
}

/** True if the value contains a list that must be written in parts. */
function mayBeLong(value: object, depth: number): boolean {
  return Object.values(value).some((member) =>
    Array.isArray(member)
      ? member.length > ITEMS_PER_TURN
      : depth > 1 && isPlain(member) && mayBeLong(member, depth - 1),
  );
}

function isPlain(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    [Object.prototype, null].includes(Object.getPrototypeOf(value)) &&
    !('toJSON' in value)
  );
}
