import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { request } from './request.ts';
import { USER_READERS, USER_WRITERS, userKey, userPath } from './users.ts';

export interface Role {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
}

interface Listing {
  readonly search: string;
  readonly first: number;
  readonly max: number;
}

const pathOf = (realm: string, userId: string) => `${userPath(realm, userId)}/role-mappings/realm`;

/** The realm roles that were assigned to the user directly. */
export function assignedRoles(realm: string, userId: string) {
  return queryOptions({
    queryKey: [...userKey(realm, userId), 'roles', 'assigned'],
    queryFn: ({ signal }) => request<readonly Role[]>(pathOf(realm, userId), { roles: USER_READERS, signal }),
  });
}

/** The realm roles that the user has, directly or not. */
export function effectiveRoles(realm: string, userId: string, { search, first, max }: Listing) {
  return queryOptions({
    queryKey: [...userKey(realm, userId), 'roles', 'composite', search, first, max],
    queryFn: ({ signal }) =>
      request<readonly Role[]>(`${pathOf(realm, userId)}/composite`, {
        query: { search, first, max },
        roles: USER_READERS,
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

/** Finds roles that can be assigned to the user. */
export function assignableRoles(realm: string, userId: string) {
  return {
    key: [...userKey(realm, userId), 'roles', 'available'],
    find: (query: { search: string; max: number }, signal: AbortSignal) =>
      request<readonly Role[]>(`${pathOf(realm, userId)}/available`, { query, roles: USER_READERS, signal }),
  };
}

export function assignRole(realm: string, userId: string, { id, name }: Role): Promise<void> {
  return request(pathOf(realm, userId), { method: 'POST', body: [{ id, name }], roles: USER_WRITERS });
}

export function unassignRole(realm: string, userId: string, { id, name }: Role): Promise<void> {
  return request(pathOf(realm, userId), { method: 'DELETE', body: [{ id, name }], roles: USER_WRITERS });
}
