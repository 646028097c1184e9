/** What the operations of users are listed under in the OpenAPI document. */
export const USERS_TAG = 'Users';
