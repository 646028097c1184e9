import type { Client, ScopeSelection } from './client.js';
import type { ClientScope } from './client-scope.js';
import type { Role } from './roles.js';

/** Subject of a selection: a user, with the effective roles in a realm. */
interface RoleHolder<Realm> {
  effectiveRoles(realm: Realm): ReadonlySet<Role>;
}

/**
 * The client scopes of a `scope` parameter that a user may have (Keycloak's
 * `ClientScopeContext.isClientScopePermittedForUser`). A client scope with role mappings requires one of these roles,
 * composites included. Client scopes that are not permitted are left out, as in Keycloak, even if the request names
 * them. `valid`, `openid` and `offline` are those of the request. Costs one lookup if the client has no such client
 * scope.
 * @param audience client IDs of a token exchange: roles of other clients do not count; undefined: all roles count
 */
export function permittedScope<Realm>(
  realm: Realm,
  client: Client,
  user: RoleHolder<Realm>,
  parameter: string | undefined,
  audience?: readonly string[],
): ScopeSelection {
  const selection = client.selectScope(parameter);
  const { forRoles } = selection;
  if (forRoles.length === 0) return selection;
  const held = user.effectiveRoles(realm);
  const refused = forRoles.filter((scope) => !isPermitted(scope, held, audience));
  return refused.length === 0 ? selection : client.selectScope(parameter, refused);
}

/** The client scopes that a client can request for a user, in any request. */
export function permittedScopes<Realm>(
  realm: Realm,
  client: Client,
  user: RoleHolder<Realm> | undefined,
): ClientScope[] {
  const held = user?.effectiveRoles(realm) ?? NO_ROLES;
  return [...client.defaultScopes, ...client.optionalScopes].filter((scope) => isPermitted(scope, held));
}

/** True if the client's own scope parameter, for this user, contains the word. */
export function isPermittedWord<Realm>(realm: Realm, client: Client, user: RoleHolder<Realm>, word: string): boolean {
  return permittedScope(realm, client, user, word).full.split(' ').includes(word);
}

const NO_ROLES: ReadonlySet<Role> = new Set();

function isPermitted(scope: ClientScope, held: ReadonlySet<Role>, audience?: readonly string[]): boolean {
  if (scope.roles.length === 0) return true;
  const counts = ({ clientId }: Role) =>
    audience === undefined || clientId === undefined || audience.includes(clientId);
  for (const role of scope.expandedRoles) if (held.has(role) && counts(role)) return true;
  return false;
}
