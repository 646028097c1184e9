/**
 * The rights that a plugin may be granted in a realm. Most are Keycloak's roles of `realm-management`, without
 * `impersonation` and `query-realms`; each of these also grants the roles that its role contains. Six more exist only
 * in Keyhost, and no role contains them:
 * - `any-token`: accepts access tokens for other resources
 * - `issue-login-links`: issues links that sign users in
 * - `mail-any-address`: sends mail to any address
 * - `manage-admins`: manages users, roles and groups with administration rights
 * - `read-typed-password`: lets steps read the password that a user typed
 * - `send-mail`: sends mail to users of the realm
 */
export const PLUGIN_RIGHTS = [
  'any-token',
  'create-client',
  'issue-login-links',
  'mail-any-address',
  'manage-admins',
  'manage-authorization',
  'manage-clients',
  'manage-events',
  'manage-identity-providers',
  'manage-realm',
  'manage-users',
  'query-clients',
  'query-groups',
  'query-users',
  'read-typed-password',
  'realm-admin',
  'send-mail',
  'view-authorization',
  'view-clients',
  'view-events',
  'view-identity-providers',
  'view-realm',
  'view-users',
] as const;

/** The name of a right. */
export type PluginRight = (typeof PLUGIN_RIGHTS)[number];

/**
 * The rights that a plugin needs, with reasons for the operator who grants them. A reason is one line of at most 500
 * characters.
 */
export type PluginNeeds = Readonly<Partial<Record<PluginRight, string>>>;
