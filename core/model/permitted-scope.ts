import type { Client, ScopeSelection } from './client.js';
import type { ClientScope } from './client-scope.js';
import type { Role } from './roles.js';

/** A user whose effective roles in a realm are known. */
interface RoleHolder<Realm> {
  effectiveRoles(realm: Realm): ReadonlySet<Role>;
}

/**
 * Selects the client scopes of a `scope` parameter that a user may have (Keycloak's
 * `ClientScopeContext.isClientScopePermittedForUser`). A client scope with role mappings requires one of these roles or
 * a role that they contain. Other client scopes are left out, as in Keycloak, even if the request names them. The
 * members `isValid`, `openid` and `offline` do not depend on the user.
 * @param audience client IDs in a token exchange: client roles of other clients do not count. Undefined: all roles
 * count
 */
export function selectPermittedScope<Realm>(
  realm: Realm,
  client: Client,
  user: RoleHolder<Realm>,
  parameter: string | undefined,
  audience?: readonly string[],
): ScopeSelection {
  const selection = client.selectScope(parameter);
  const { scopesWithRoles } = selection;
  if (scopesWithRoles.length === 0) return selection;
  const userRoles = user.effectiveRoles(realm);
  const excluded = scopesWithRoles.filter((scope) => !isPermitted(scope, userRoles, audience));
  return excluded.length === 0 ? selection : client.selectScope(parameter, excluded);
}

/** All client scopes that the client can request for this user. */
export function permittedScopes<Realm>(
  realm: Realm,
  client: Client,
  user: RoleHolder<Realm> | undefined,
): ClientScope[] {
  const userRoles = user?.effectiveRoles(realm) ?? NO_ROLES;
  return [...client.defaultScopes, ...client.optionalScopes].filter((scope) => isPermitted(scope, userRoles));
}

/** True if the client gets this scope for the user when it requests the scope alone. */
export function isPermittedWord<Realm>(realm: Realm, client: Client, user: RoleHolder<Realm>, word: string): boolean {
  return selectPermittedScope(realm, client, user, word).fullScope.split(' ').includes(word);
}

const NO_ROLES: ReadonlySet<Role> = new Set();

function isPermitted(scope: ClientScope, userRoles: ReadonlySet<Role>, audience?: readonly string[]): boolean {
  if (scope.roles.length === 0) return true;
  const isInAudience = ({ clientId }: Role) =>
    audience === undefined || clientId === undefined || audience.includes(clientId);
  for (const role of scope.expandedRoles) if (userRoles.has(role) && isInAudience(role)) return true;
  return false;
}
