import { OAuthError, type Principal, type Route } from '@keyhost/spi';
import type { HostSession } from '../registry/sessions/host-session.js';

/**
 * Checks whether a caller may use a route, by the route's declaration. A route that declares nothing is open to all,
 * unless its method calls `session.authenticate()` itself.
 * @param plugin the plugin of the route
 * @throws OAuthError 401 as `session.authenticate()`, also for credentials of the wrong type; 403 `insufficient_scope`
 * or `access_denied` (RFC 6750 §3.1)
 */
export async function authorizeRoute(route: Route, session: HostSession, plugin: string): Promise<void> {
  const { scope, role } = route;
  const authentication = requiredAuthentication(route);
  if (authentication === undefined || authentication === 'none') return;
  const principal = await session.authenticateFor(plugin, scope);
  const challenge = (scheme: string, parameters = '') => ({
    headers: { 'www-authenticate': `${scheme} realm="${session.realm.name}"${parameters}` },
  });
  const requiredKind = { bearer: 'token', client: 'client', any: principal.kind }[authentication];
  if (principal.kind !== requiredKind) {
    const scheme = authentication === 'client' ? 'Basic' : 'Bearer';
    throw new OAuthError('HTTP 401 Unauthorized', undefined, { status: 401, ...challenge(scheme) });
  }
  if (scope !== undefined && !principal.scopes.includes(scope)) {
    throw new OAuthError('insufficient_scope', `The scope ${scope} is required`, {
      status: 403,
      ...challenge('Bearer', `, error="insufficient_scope", scope="${scope}"`),
    });
  }
  if (role !== undefined && !hasRole(principal, role)) {
    throw new OAuthError('access_denied', `The role ${role} is required`, { status: 403 });
  }
}

/**
 * The authentication that a route requires. Without an explicit one, a scope requires a token, and a role requires any
 * authenticated caller.
 */
function requiredAuthentication({ authentication, scope, role }: Route): Route['authentication'] {
  return authentication ?? (scope !== undefined ? 'bearer' : role !== undefined ? 'any' : undefined);
}

/** True for a realm role by name, or a client role as `client.role`. */
function hasRole({ realmRoles, clientRoles }: Principal, role: string): boolean {
  if (realmRoles.includes(role)) return true;
  return Object.entries(clientRoles).some(([client, names]) => names.some((name) => `${client}.${name}` === role));
}
