import type { Json } from '@keyhost/spi';
import { tooDeep } from './json-depth.js';

/** The values of `jsonType.label`, Keycloak's word for the type of a claim; any other one leaves a text as it is. */
export const CLAIM_TYPES: readonly string[] = ['String', 'long', 'int', 'boolean', 'JSON'];

const INTEGER = /^[+-]?\d+$/;
const INT_MIN = -(2 ** 31);
const INT_MAX = 2 ** 31 - 1;

/**
 * A text as a claim of that type, as Java's parsers read it in Keycloak: `007` and `+5` are integers, `1e3` and ` 5` are none;
 * `TRUE` is true, and all but `true` is false. Unlike there, integers beyond what a JSON number holds exactly (RFC 8259 §6) are
 * no value, since most readers would read another one.
 * @returns undefined where it is none of that type
 */
export function claimValue(type: string | undefined, text: string): Json | undefined {
  switch (type) {
    case 'boolean':
      return text.toLowerCase() === 'true';
    case 'int': {
      const number = integer(text);
      return number === undefined || number < INT_MIN || number > INT_MAX ? undefined : number;
    }
    case 'long':
      return integer(text);
    case 'JSON':
      return json(text);
    default:
      return text;
  }
}

function integer(text: string): number | undefined {
  const number = INTEGER.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

function json(text: string): Json | undefined {
  if (tooDeep(text) !== undefined) return undefined;
  let isExact = true;
  try {
    const value = JSON.parse(text, (_, part: unknown) => {
      if (typeof part === 'number' && Math.abs(part) > Number.MAX_SAFE_INTEGER) isExact = false;
      return part;
    }) as Json;
    return isExact ? value : undefined;
  } catch {
    return undefined;
  }
}
