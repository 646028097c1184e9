import type { Json } from '@keyhost/spi';
import { parseExactly } from '../../model/exact-json.js';
import { findTooDeep } from './json-depth.js';

/**
 * The values of `jsonType.label`, Keycloak's option for the type of a claim. With any other value, a claim stays a
 * string.
 */
export const CLAIM_TYPES: readonly string[] = ['String', 'long', 'int', 'boolean', 'JSON'];

const INTEGER = /^[+-]?\d+$/;
const INT_MIN = -(2 ** 31);
const INT_MAX = 2 ** 31 - 1;

/** The range of Java's `long`. */
const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;

/**
 * Converts a text to a claim of this type, as Java's parsers do in Keycloak. `007` and `+5` are integers; `1e3` and `
 * 5` are not. A boolean is true if the text is `true` in any letter case. An integer beyond 2^53 becomes a bigint,
 * which `exactJson` writes with all digits.
 * @returns undefined if the text is not of this type
 */
export function claimValue(type: string | undefined, text: string): Json | undefined {
  switch (type) {
    case 'boolean':
      return text.toLowerCase() === 'true';
    case 'int': {
      const number = INTEGER.test(text) ? Number(text) : Number.NaN;
      return number >= INT_MIN && number <= INT_MAX ? number : undefined;
    }
    case 'long':
      return INTEGER.test(text) ? readLong(text) : undefined;
    case 'JSON':
      return readJson(text);
    default:
      return text;
  }
}

function readLong(text: string): Json | undefined {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  // A longer number is outside the range of long, unless it begins with zeros.
  const digits = text.replace(/^([+-]?)0+(?=\d)/, '$1');
  if (digits.length > 20) return undefined;
  const exact = BigInt(digits.replace('+', ''));
  // The type `Json` has no bigint, but `exactJson` writes it.
  return exact >= LONG_MIN && exact <= LONG_MAX ? (exact as unknown as Json) : undefined;
}

function readJson(text: string): Json | undefined {
  if (findTooDeep(text) !== undefined) return undefined;
  try {
    const value = parseExactly(text) as Json;
    return isWritable(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** False if the value contains a number that JSON writes as null, such as `1e400`. */
function isWritable(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isWritable);
}
