import { queryOptions, useQuery } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { session } from '../session/session.ts';
import { request } from './request.ts';
import type { Who } from './who.ts';

function rightsOver(realm: string) {
  return queryOptions({
    queryKey: ['rights', session.realm, realm],
    queryFn: ({ signal }) =>
      request<Who>(`/${encodeSegment(session.realm)}/console/whoami`, {
        query: { currentRealm: realm },
        roles: [],
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/**
 * The user's rights in a realm. Pages hide what would be forbidden; the host decides.
 * @returns true if the user has the role of `realm-management`; `manage-x` includes `view-x`. False while the rights
 * are unknown.
 */
export function useRights(realm: string): (role: string) => boolean {
  const { data } = useQuery(rightsOver(realm));
  const roles = new Set(data?.realm_access[realm] ?? []);
  return (role) => roles.has(role) || (role.startsWith('view-') && roles.has(role.replace('view-', 'manage-')));
}

/**
 * The roles that the user holds in a realm, and so may assign. Unlike in `useRights`, `manage-x` does not include
 * `view-x`.
 * @returns true if the user has the role, or all rights
 */
export function useHeldRoles(realm: string): (role: string) => boolean {
  const { data } = useQuery(rightsOver(realm));
  const hasAllRights = useHasAllRights(realm);
  const roles = new Set(data?.realm_access[realm] ?? []);
  return (role) => hasAllRights || roles.has(role);
}

/** The roles that `realm-admin` contains, without those that another of them includes. */
const ADMIN_ROLES = [
  'create-client',
  'impersonation',
  'query-realms',
  'manage-authorization',
  'manage-clients',
  'manage-events',
  'manage-identity-providers',
  'manage-realm',
  'manage-users',
];

/** True if the user has all rights in a realm; in `master` that is `admin`. False while the rights are unknown. */
export function useHasAllRights(realm: string): boolean {
  const can = useRights(realm);
  return can('admin') || (realm !== 'master' && (can('realm-admin') || ADMIN_ROLES.every(can)));
}
