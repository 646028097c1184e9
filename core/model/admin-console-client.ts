import { AUTH_ADMIN_URL, KEYHOST_ADMIN_CONSOLE } from './built-in-names.js';
import { derivedId } from './derived-id.js';
import type { ClientRepresentation, RealmRepresentation } from './representation.js';
import type { Role, RoleGraph } from './roles.js';

/**
 * Maximum lifespan of the admin console's access tokens, in seconds. It limits the use of a token that is stolen from
 * the page.
 */
const MAX_TOKEN_LIFESPAN = 300;
const DEFAULT_SCOPES: readonly string[] = ['basic', 'profile', 'email', 'roles'];
/** Roles of `master` that apply to all realms. */
const HOST_ROLES: readonly string[] = ['admin', 'create-realm'];

/**
 * Creates the client of the admin console in a realm. Every realm has it, although no stored realm and no realm file
 * contains it. A realm can declare the client `keyhost-desk` instead, for example with `"enabled": false` to disable
 * the admin console.
 * @param id the realm's ID
 * @returns undefined if the realm declares the client
 */
export function adminConsoleClient(
  id: string,
  { clients = [], accessTokenLifespan = MAX_TOKEN_LIFESPAN }: RealmRepresentation,
): ClientRepresentation | undefined {
  if (clients.some(({ clientId }) => clientId === KEYHOST_ADMIN_CONSOLE)) return undefined;
  return {
    id: derivedId(id, KEYHOST_ADMIN_CONSOLE),
    clientId: KEYHOST_ADMIN_CONSOLE,
    name: 'Keyhost admin console',
    rootUrl: AUTH_ADMIN_URL,
    baseUrl: '/admin/desk/',
    redirectUris: ['/admin/desk/'],
    // With `--hostname-admin`, the admin console has another origin than the token endpoint.
    webOrigins: ['+'],
    publicClient: true,
    standardFlowEnabled: true,
    directAccessGrantsEnabled: false,
    serviceAccountsEnabled: false,
    fullScopeAllowed: false,
    defaultClientScopes: [...DEFAULT_SCOPES],
    optionalClientScopes: [],
    attributes: {
      'pkce.code.challenge.method': 'S256',
      'post.logout.redirect.uris': '+',
      'access.token.lifespan': String(Math.min(accessTokenLifespan, MAX_TOKEN_LIFESPAN)),
    },
  };
}

/** The roles that tokens of the admin console may contain: only administration roles. */
export function adminConsoleRoles({ realm, clients }: RoleGraph, isMaster: boolean): Role[] {
  const adminClients = [...clients].filter(
    ([clientId]) => clientId === 'realm-management' || (isMaster && clientId.endsWith('-realm')),
  );
  const hostRoles = isMaster ? HOST_ROLES.map((name) => realm.get(name)).filter((role) => role !== undefined) : [];
  return [...hostRoles, ...adminClients.flatMap(([, roles]) => [...roles.values()])];
}
