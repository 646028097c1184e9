import type { RoleRepresentation } from './representation.js';

/** The username of a client's service account: `service-account-<clientId>`, in lower case as every username. */
export function serviceAccountUsername(clientId: string): string {
  return `service-account-${clientId}`.toLowerCase();
}

/** The client of the account page. */
export const ACCOUNT_CONSOLE = 'account-console';

/** The client through which admins sign in to Keycloak's admin console. */
export const ADMIN_CONSOLE = 'security-admin-console';

/** The client of the host's admin console. No realm stores it: see `adminConsoleClient`. */
export const KEYHOST_ADMIN_CONSOLE = 'keyhost-desk';

/** Placeholder for the host's public address in the `rootUrl` of a client. */
export const AUTH_BASE_URL = '${authBaseUrl}';
/** Placeholder for the address of the admin console. It differs from the public one with `--hostname-admin`. */
export const AUTH_ADMIN_URL = '${authAdminUrl}';

/** The roles of `realm-management` except `realm-admin`. Only `view-clients` and `view-users` of them are composite. */
export const REALM_MANAGEMENT_ROLES = [
  'create-client',
  'impersonation',
  ...['authorization', 'clients', 'events', 'identity-providers', 'realm', 'users'].flatMap((area) => [
    `manage-${area}`,
    `view-${area}`,
  ]),
  'query-clients',
  'query-groups',
  'query-realms',
  'query-users',
];

/** The realm management roles that are composite, with the roles that they contain, as in Keycloak. */
export const REALM_MANAGEMENT_COMPOSITES: Readonly<Record<string, readonly string[]>> = {
  'view-clients': ['query-clients'],
  'view-users': ['query-groups', 'query-users'],
};

/** The flows that a realm has without declaring them. */
export const BUILT_IN_FLOWS: readonly string[] = [
  'browser',
  'direct grant',
  'registration',
  'reset credentials',
  'clients',
  'first broker login',
  'docker auth',
  'saml ecp',
];

/** The roles of the clients that every realm has. */
export const BUILT_IN_CLIENT_ROLES: Readonly<Record<string, readonly string[]>> = {
  account: [
    'delete-account',
    'manage-account',
    'manage-account-links',
    'manage-consent',
    'view-applications',
    'view-consent',
    'view-groups',
    'view-profile',
  ],
  broker: ['read-token'],
  'realm-management': [...REALM_MANAGEMENT_ROLES, 'realm-admin'],
};

/** The roles that a realm's default role contains, which every new user gets. */
export const DEFAULT_ROLE_COMPOSITES: NonNullable<RoleRepresentation['composites']> = {
  realm: ['offline_access', 'uma_authorization'],
  client: { account: ['view-profile', 'manage-account'] },
};

/** The clients that Keycloak gives every realm. */
export const BUILT_IN_CLIENTS: readonly string[] = [
  ...Object.keys(BUILT_IN_CLIENT_ROLES),
  ACCOUNT_CONSOLE,
  'admin-cli',
  ADMIN_CONSOLE,
];

/** Keycloak's defaults for `defaultDefaultClientScopes` and `defaultOptionalClientScopes`. */
export const DEFAULT_CLIENT_SCOPES: readonly string[] = ['profile', 'email', 'roles', 'web-origins', 'acr', 'basic'];
/** Default client scopes of SAML clients. */
export const DEFAULT_SAML_SCOPES: readonly string[] = ['role_list'];
export const OPTIONAL_CLIENT_SCOPES: readonly string[] = ['address', 'phone', 'offline_access', 'microprofile-jwt'];
