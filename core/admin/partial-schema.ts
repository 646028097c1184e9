import { isMask } from '../model/mask.js';
import { isSecretName } from '../model/secret-names.js';

/** Of a representation what may change: any part of it. */
export function partialSchema({ properties }: { readonly properties: Readonly<Record<string, object>> }): object {
  return { type: 'object', properties };
}

/** What Keycloak has no room for when it is longer: a name, or a description. */
export const SHORT_TEXT = { type: 'string', maxLength: 255 } as const;

/** Texts by name, where null takes an entry back. */
export const LOOSE_TEXTS = { type: 'object', additionalProperties: { type: ['string', 'null'] } } as const;

/**
 * What there is with what was sent over it: null and an empty text take an entry back, and a masked secret is the one that is
 * there.
 * @param changes what fits LOOSE_TEXTS
 */
export function mergedTexts(
  before: Readonly<Record<string, string>> | undefined,
  changes: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const texts = new Map(Object.entries(before ?? {}));
  for (const [key, value] of Object.entries(changes)) {
    if (isSecretName(key) && isMask(value)) continue;
    if (value === null || value === '') texts.delete(key);
    else texts.set(key, String(value));
  }
  return Object.fromEntries(texts);
}
