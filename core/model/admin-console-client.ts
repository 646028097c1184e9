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
 * The admin console's client in a realm. It is built in and compiled into every realm, so no stored realm and no realm
 * file contains it. A realm can declare its own `keyhost-desk`, and disable the admin console by `"enabled": false`.
 * @param id the realm's
 * @returns undefined if the realm declares its own
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

/** The roles that tokens of the admin console may contain: administration roles, and no others of its user. */
export function adminConsoleRoles({ realm, clients }: RoleGraph, isMaster: boolean): Role[] {
  const adminClients = [...clients].filter(
    ([clientId]) => clientId === 'realm-management' || (isMaster && clientId.endsWith('-realm')),
  );
  const hostRoles = isMaster ? HOST_ROLES.map((name) => realm.get(name)).filter((role) => role !== undefined) : [];
  return [...hostRoles, ...adminClients.flatMap(([, roles]) => [...roles.values()])];
}
