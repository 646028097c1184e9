import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { request } from './request.ts';
import { USER_READERS, userKey, userPath } from './users.ts';

export interface Role {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
}

/** A role of the realm or of a client. */
export interface OwnedRole extends Role {
  readonly clientRole: boolean;
  /** The internal ID of its client, or the realm's ID for a role of the realm. */
  readonly containerId: string;
  /** The client ID of its client. */
  readonly client?: string;
}

/** One way in which a user gets a role. */
export interface RoleSource {
  /** The group that has the assigned role. Absent if the role is assigned to the user. */
  readonly group?: { readonly id: string; readonly path: string };
  /** The composite roles that lead to the role, from the assigned one on. */
  readonly through: readonly OwnedRole[];
  /** The number of further composite roles before the role. */
  readonly omitted?: number;
}

/** A role that a user has, directly or not, and why. */
export interface EffectiveRole extends OwnedRole {
  readonly sources: readonly RoleSource[];
  readonly hasMoreSources: boolean;
}

interface Listing {
  readonly search: string;
  readonly first: number;
  readonly max: number;
}

/** The roles of realm and clients that the user has, and why. @param assigned true for directly assigned roles only */
export function effectiveRoles(realm: string, userId: string, { search, first, max }: Listing, assigned = false) {
  return queryOptions({
    queryKey: [...userKey(realm, userId), 'roles', assigned, search, first, max],
    queryFn: ({ signal }) =>
      request<readonly EffectiveRole[]>(`${userPath(realm, userId)}/effective-roles`, {
        query: { search, first, max, assigned },
        roles: USER_READERS,
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

/** True if rights of administration are derived from the role. */
export function isAdminRole(realm: string, { client, name }: OwnedRole): boolean {
  if (client === 'realm-management') return true;
  if (realm !== 'master') return false;
  return client === undefined ? name === 'admin' || name === 'create-realm' : client.endsWith('-realm');
}
