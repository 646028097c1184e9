export const STRING = { type: 'string' } as const;
export const BOOLEAN = { type: 'boolean' } as const;
/** Keycloak's numbers are 32-bit. */
export const MAX = 2_147_483_647;
export const SECONDS = { type: 'integer', minimum: 0, maximum: MAX } as const;
export const SOME_SECONDS = { type: 'integer', minimum: 1, maximum: MAX } as const;
export const STRINGS = { type: 'array', items: STRING } as const;
export const TEXTS = { type: 'object', additionalProperties: { type: 'string' } } as const;
export const LISTS = { type: 'object', additionalProperties: STRINGS } as const;
export const ROLE_LISTS = LISTS;

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
