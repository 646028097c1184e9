/** The tag of user operations in the OpenAPI document. */
export const USERS_TAG = 'Users';
