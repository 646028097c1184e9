import { isMask } from '../model/mask.js';
import { isSecretName } from '../model/secret-names.js';

/** Creates a schema for changes of a representation, in which every member is optional. */
export function partialSchema({ properties }: { readonly properties: Readonly<Record<string, object>> }): object {
  return { type: 'object', properties };
}

/** Limit of Keycloak's columns for names and descriptions. */
export const SHORT_TEXT = { type: 'string', maxLength: 255 } as const;

/** Strings by name. Null removes an entry. */
export const LOOSE_TEXTS = { type: 'object', additionalProperties: { type: ['string', 'null'] } } as const;

/**
 * Merges texts of a request into the existing ones. Null and an empty text remove an entry. A masked secret means the
 * stored one.
 * @param changes a value that is valid for LOOSE_TEXTS
 */
export function mergeTexts(
  existingTexts: Readonly<Record<string, string>> | undefined,
  changes: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const texts = new Map(Object.entries(existingTexts ?? {}));
  for (const [key, value] of Object.entries(changes)) {
    if (isSecretName(key) && isMask(value)) continue;
    if (value === null || value === '') texts.delete(key);
    else texts.set(key, String(value));
  }
  return Object.fromEntries(texts);
}
