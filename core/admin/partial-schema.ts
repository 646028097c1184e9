/** Of a representation what may change: any part of it; null takes a member back, as Keycloak's clients send it. */
export function partialSchema(schema: { readonly properties: Readonly<Record<string, object>> }): object {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(schema.properties).map(([key, member]) => [key, orNull(member)])),
  };
}

function orNull(schema: { readonly type?: string | readonly string[]; readonly enum?: unknown }): object {
  if (schema.type === undefined || schema.enum !== undefined) return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [...new Set([schema.type, 'null'].flat())] };
}

/** Texts by name, as Keycloak takes them: other plain values are written as text, null takes an entry back. */
export const LOOSE_TEXTS = {
  type: 'object',
  additionalProperties: { type: ['string', 'boolean', 'number', 'null'] },
} as const;

/**
 * What there is with what was sent over it: null and an empty text take an entry back.
 * @param changes what fits LOOSE_TEXTS
 */
export function mergedTexts(
  before: Readonly<Record<string, string>> | undefined,
  changes: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const texts = new Map(Object.entries(before ?? {}));
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === '') texts.delete(key);
    else texts.set(key, String(value));
  }
  return Object.fromEntries(texts);
}
