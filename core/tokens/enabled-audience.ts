import type { Realm } from '../model/realm.js';
import type { RoleNames } from '../model/roles.js';
import type { Claims } from './place-claim.js';

/** The roles without those of disabled clients. */
export function withoutDisabledClients({ disabledClients }: Realm, roles: RoleNames): RoleNames {
  if (disabledClients.size === 0) return roles;
  const clients = Object.entries(roles.clients).filter(([clientId]) => !disabledClients.has(clientId));
  return { realm: roles.realm, clients: Object.fromEntries(clients) };
}

/** The audiences without disabled clients. */
export function enabledAudience<T>({ disabledClients }: Realm, audience: readonly T[]): readonly T[] {
  return disabledClients.size === 0 ? audience : audience.filter((clientId) => !disabledClients.has(String(clientId)));
}

/**
 * Removes disabled clients from `aud` and `resource_access`, including those that mappers added. An API of a disabled
 * client may still run, unattended, and must not accept tokens for it.
 */
export function removeDisabledClients(realm: Realm, claims: Claims): void {
  if (realm.disabledClients.size === 0) return;
  if (claims.aud !== undefined) {
    const audience = enabledAudience(realm, [claims.aud].flat());
    if (audience.length === 0) delete claims.aud;
    else claims.aud = audience;
  }
  const { resource_access: access } = claims;
  if (typeof access !== 'object' || access === null || Array.isArray(access)) return;
  const remaining = Object.entries(access).filter(([clientId]) => !realm.disabledClients.has(clientId));
  if (remaining.length === 0 && Object.keys(access).length > 0) delete claims.resource_access;
  else claims.resource_access = Object.fromEntries(remaining);
}
