import type { Json, JsonObject } from '@keyhost/spi';
import { claimPath } from '../model/claim-path.js';

/** Longest text that is taken over, in characters. */
const LONGEST = 255;

/**
 * What stands at a path such as `address.country` (Keycloak's AbstractClaimMapper): a member of that whole name first, a
 * dot in a name is written `\.`.
 */
export function claimAt(claims: JsonObject, path: string): Json | undefined {
  if (Object.hasOwn(claims, path)) return claims[path];
  let found: Json | undefined = claims;
  for (const name of claimPath(path)) {
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return undefined;
    found = Object.hasOwn(found, name) ? (found as JsonObject)[name] : undefined;
  }
  return found;
}

/** A claim as texts: those of a list, numbers and switches written out, what is no single value left out. */
export function textsOf(claim: Json | undefined): string[] {
  return [claim]
    .flat()
    .filter((value) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(String);
}

/** A text that a user may have here: not empty, not too long, without control characters; undefined otherwise. */
export function plainText(claim: Json | undefined): string | undefined {
  if (typeof claim !== 'string') return undefined;
  const text = claim.trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  return text === '' || text.length > LONGEST || /[\u0000-\u001f\u007f<>]/.test(text) ? undefined : text;
}
