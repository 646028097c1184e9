/** The OpenAPI tag of operations on a realm's action tokens. */
export const ACTION_TOKENS_TAG = 'Action tokens';
