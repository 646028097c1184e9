/** The OpenAPI tag of operations on users. */
export const USERS_TAG = 'Users';
