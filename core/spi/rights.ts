/**
 * What a plugin may be granted in a realm: Keycloak's roles of `realm-management`, with what they contain. Six are the host's
 * own, and no role contains them: `any-token` for access tokens that are for other resources; `issue-login-links` for links that sign users in; `mail-any-address` and `send-mail`, the second
 * to users of the realm; `manage-admins`, without which users, roles and groups that have rights of administration are out of its
 * reach; `read-typed-password` for steps that read what a user typed.
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

export type PluginRight = (typeof PLUGIN_RIGHTS)[number];

/** The rights that a plugin needs, each with what it needs it for: one line of at most 500 characters for the operator who grants it. */
export type PluginNeeds = Readonly<Partial<Record<PluginRight, string>>>;
