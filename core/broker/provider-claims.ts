import type { Json, JsonObject } from '@keyhost/spi';
import { claimPath } from '../model/claim-path.js';
import { hasManyDigits, parseExactly } from '../model/exact-json.js';

/** Maximum length of a claim in characters. */
const LONGEST = 255;

/** A path segment that selects an element of a list: `roles[0]`. */
const OF_LIST = /^(.+)\[(\d{1,9})\]$/s;

/**
 * The value at a path such as `address.country` or `emails[0].value` (Keycloak's AbstractJsonUserAttributeMapper). A
 * dot in a name is written `\.`.
 */
export function claimAt(claims: JsonObject, path: string): Json | undefined {
  let found: Json | undefined = claims;
  for (const part of claimPath(path)) {
    const [, name = part, index] = OF_LIST.exec(part) ?? [];
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return undefined;
    found = Object.hasOwn(found, name) ? (found as JsonObject)[name] : undefined;
    if (index !== undefined) found = Array.isArray(found) ? found[Number(index)] : undefined;
  }
  return found;
}

/**
 * Merges the claims of several documents of a provider; earlier ones take precedence. `email_verified` refers to the
 * email in its own document: it is true here only if a document confirms the resulting email and none denies it. It is
 * absent if no document has it.
 */
export function mergeClaims(documents: readonly JsonObject[]): JsonObject {
  const joined: JsonObject = Object.assign({}, ...[...documents].reverse());
  const flagged = documents.filter(({ email_verified: flag }) => flag !== undefined && flag !== null);
  if (flagged.length === 0) return joined;
  const address = lowerCase(joined.email);
  const about = flagged.filter(({ email }) => email === undefined || lowerCase(email) === address);
  const isDenied = about.some(({ email_verified: flag }) => [false, 'false'].includes(flag as boolean));
  const isVouched = about.some(({ email }) => email !== undefined);
  return { ...joined, email_verified: isVouched && !isDenied };
}

function lowerCase(claim: Json | undefined): Json | undefined {
  return typeof claim === 'string' ? claim.trim().toLowerCase() : claim;
}

/** Members that are checked or stored as numbers, so large integers in them are not converted to strings. */
const OF_PROTOCOL = ['sub', 'exp', 'iat', 'nbf', 'auth_time', 'expires_in', 'refresh_expires_in'];

/**
 * The claims of a verified token or a document of a provider. Integers beyond JavaScript's range become strings with
 * all digits.
 * @param text the JSON that they were parsed from
 */
export function withExactIntegers(text: string, claims: JsonObject): JsonObject {
  if (!hasManyDigits(text)) return claims;
  const exact = parseExactly(text, String) as JsonObject;
  const kept = OF_PROTOCOL.filter((name) => Object.hasOwn(claims, name)).map((name) => [name, claims[name]]);
  return { ...exact, ...Object.fromEntries(kept) };
}

/** The JSON of a token's claims. */
export function payloadOf(token: string): string {
  return Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
}

/**
 * A claim as strings: elements of a list, numbers and booleans too. Leaves out objects, and integers that JavaScript
 * cannot represent exactly.
 */
export function textsOf(claim: Json | undefined): string[] {
  return [claim]
    .flat()
    .filter((value) => ['string', 'number', 'boolean'].includes(typeof value))
    .filter((value) => typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value))
    .map(String);
}

/**
 * The string if it is a valid value for a user: not empty, not too long, no control characters; undefined otherwise.
 */
export function plainText(claim: Json | undefined): string | undefined {
  if (typeof claim !== 'string') return undefined;
  const text = claim.trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  return text === '' || text.length > LONGEST || /[\u0000-\u001f\u007f<>]/.test(text) ? undefined : text;
}
