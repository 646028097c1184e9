export const STRING = { type: 'string' } as const;
export const BOOLEAN = { type: 'boolean' } as const;
/** The maximum of Keycloak's numbers, which have 32 bits. */
export const MAX_INTEGER = 2_147_483_647;
export const COUNT = { type: 'integer', minimum: 0, maximum: MAX_INTEGER } as const;
export const POSITIVE_COUNT = { type: 'integer', minimum: 1, maximum: MAX_INTEGER } as const;
export const STRINGS = { type: 'array', items: STRING } as const;
export const STRING_MAP = { type: 'object', additionalProperties: { type: 'string' } } as const;
export const STRING_LIST_MAP = { type: 'object', additionalProperties: STRINGS } as const;
export const ROLE_LISTS = STRING_LIST_MAP;

/** A name by which other objects refer to this one. */
export const NAME = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
  mustBe: 'a string without control characters',
} as const;

/** Signature algorithms that realms and clients may name. */
export const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
