import type { Json, JsonObject } from '@keyhost/spi';
import { claimPath } from '../model/claim-path.js';
import { hasManyDigits, parseExactly } from '../model/exact-json.js';

/** Maximum length of a claim in characters. */
const MAX_CLAIM_LENGTH = 255;

/** A path segment that selects an element of a list: `roles[0]`. */
const LIST_ELEMENT = /^(.+)\[(\d{1,9})\]$/s;

/**
 * The value at a path such as `address.country` or `emails[0].value` (Keycloak's AbstractJsonUserAttributeMapper). A
 * dot in a name is written `\.`.
 */
export function claimAt(claims: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = claims;
  for (const part of claimPath(path)) {
    const [, name = part, index] = LIST_ELEMENT.exec(part) ?? [];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    value = Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;
    if (index !== undefined) value = Array.isArray(value) ? value[Number(index)] : undefined;
  }
  return value;
}

/**
 * Merges the claims of several documents of a provider; earlier ones take precedence. `email_verified` is about the
 * email in its own document. In the result it is true only if a document confirms the resulting email and none denies
 * it. It is absent if no document has it.
 */
export function mergeClaims(documents: readonly JsonObject[]): JsonObject {
  const merged: JsonObject = Object.assign({}, ...[...documents].reverse());
  const flaggedDocuments = documents.filter(({ email_verified: flag }) => flag !== undefined && flag !== null);
  if (flaggedDocuments.length === 0) return merged;
  const mergedEmail = lowerCase(merged.email);
  const relevant = flaggedDocuments.filter(({ email }) => email === undefined || lowerCase(email) === mergedEmail);
  const isDenied = relevant.some(({ email_verified: flag }) => [false, 'false'].includes(flag as boolean));
  const isConfirmed = relevant.some(({ email }) => email !== undefined);
  return { ...merged, email_verified: isConfirmed && !isDenied };
}

function lowerCase(claim: Json | undefined): Json | undefined {
  return typeof claim === 'string' ? claim.trim().toLowerCase() : claim;
}

/** Claims that are checked or stored as numbers, so that large integers in them do not become strings. */
const NUMERIC_CLAIMS = ['sub', 'exp', 'iat', 'nbf', 'auth_time', 'expires_in', 'refresh_expires_in'];

/**
 * The claims of a verified token or a document of a provider. Integers beyond JavaScript's range become strings with
 * all digits.
 * @param text the JSON that they were parsed from
 */
export function withExactIntegers(text: string, claims: JsonObject): JsonObject {
  if (!hasManyDigits(text)) return claims;
  const exact = parseExactly(text, String) as JsonObject;
  const numericClaims = NUMERIC_CLAIMS.filter((name) => Object.hasOwn(claims, name)).map((name) => [
    name,
    claims[name],
  ]);
  return { ...exact, ...Object.fromEntries(numericClaims) };
}

/** The JSON of a token's claims. */
export function payloadOf(token: string): string {
  return Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
}

/**
 * A claim as strings. Elements of a list, numbers and booleans are converted; objects, and integers that JavaScript
 * cannot represent exactly, are left out.
 */
export function textsOf(claim: Json | undefined): string[] {
  return [claim]
    .flat()
    .filter((value) => ['string', 'number', 'boolean'].includes(typeof value))
    .filter((value) => typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value))
    .map(String);
}

/**
 * Returns the trimmed text if it is a valid value for a user: not empty, not too long, and without control characters
 * and angle brackets; undefined otherwise.
 */
export function plainText(claim: Json | undefined): string | undefined {
  if (typeof claim !== 'string') return undefined;
  const text = claim.trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  return text === '' || text.length > MAX_CLAIM_LENGTH || /[\u0000-\u001f\u007f<>]/.test(text) ? undefined : text;
}
