import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { segment } from '../address.ts';
import { request, requestNew, requestTagged } from './request.ts';
import type { Role } from './user-roles.ts';
import type { Attributes, ListedUser } from './users.ts';

/** Keycloak's RoleRepresentation. */
export interface ListedRole extends Role {
  readonly composite: boolean;
  /** True for a role of a client. */
  readonly clientRole: boolean;
}

export interface FullRole extends ListedRole {
  readonly attributes?: Attributes;
}

/** What is absent stays; `attributes` replaces all of them. */
export interface SentRole {
  readonly name?: string;
  readonly description?: string;
  readonly attributes?: Attributes;
}

interface Listing {
  readonly search: string;
  readonly first: number;
  readonly max: number;
}

const READERS = ['view-realm', 'manage-realm'];
const WRITERS = ['manage-realm'];

const rolesPath = (realm: string) => `/realms/${segment(realm)}/roles`;
const rolePath = (realm: string, id: string) => `/realms/${segment(realm)}/roles-by-id/${segment(id)}`;
export const rolesKey = (realm: string) => ['realm', realm, 'roles'] as const;
export const roleKey = (realm: string, id: string) => [...rolesKey(realm), 'one', id] as const;

/** Roles of the realm by name, a page at a time. */
export function rolesOf(realm: string, { search, first, max }: Listing) {
  return queryOptions({
    queryKey: [...rolesKey(realm), 'list', search, first, max],
    queryFn: ({ signal }) =>
      request<readonly ListedRole[]>(rolesPath(realm), { query: { search, first, max }, roles: READERS, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Finds roles of the realm that another role can contain. */
export function roleSearch(realm: string) {
  return {
    key: [...rolesKey(realm), 'search'],
    find: (query: { search: string; max: number }, signal: AbortSignal) =>
      request<readonly Role[]>(rolesPath(realm), { query, roles: READERS, signal }),
  };
}

export function oneRole(realm: string, id: string) {
  return queryOptions({
    queryKey: [...roleKey(realm, id), 'role'],
    queryFn: ({ signal }) => requestTagged<FullRole>(rolePath(realm, id), { roles: READERS, signal }),
  });
}

/** @returns the id of the new role, whose address has its name */
export async function createRole(realm: string, role: SentRole): Promise<string> {
  const name = await requestNew(rolesPath(realm), { body: role, roles: WRITERS });
  return (await request<Role>(`${rolesPath(realm)}/${segment(name)}`, { roles: READERS })).id;
}

export function changeRole(
  realm: string,
  id: string,
  { change, ifMatch }: { change: SentRole; ifMatch: string | undefined },
): Promise<void> {
  return request(rolePath(realm, id), { method: 'PUT', body: change, ifMatch, roles: WRITERS });
}

export function removeRole(realm: string, id: string, ifMatch: string | undefined): Promise<void> {
  return request(rolePath(realm, id), { method: 'DELETE', ifMatch, roles: WRITERS });
}

/** The roles that come with a composite role, those of clients among them. */
export function containedRoles(realm: string, id: string) {
  return queryOptions({
    queryKey: [...roleKey(realm, id), 'contained'],
    queryFn: ({ signal }) =>
      request<readonly ListedRole[]>(`${rolePath(realm, id)}/composites`, { roles: READERS, signal }),
  });
}

export function containRole(realm: string, id: string, contained: Role): Promise<void> {
  const body = [{ id: contained.id, name: contained.name }];
  return request(`${rolePath(realm, id)}/composites`, { method: 'POST', body, roles: WRITERS });
}

export function releaseRole(realm: string, id: string, contained: Role): Promise<void> {
  const body = [{ id: contained.id, name: contained.name }];
  return request(`${rolePath(realm, id)}/composites`, { method: 'DELETE', body, roles: WRITERS });
}

/** The users that the role was given to directly, a page at a time. */
export function usersWithRole(realm: string, { id, name }: Role, { first, max }: Omit<Listing, 'search'>) {
  return queryOptions({
    queryKey: [...roleKey(realm, id), 'users', first, max],
    queryFn: ({ signal }) =>
      request<readonly ListedUser[]>(`${rolesPath(realm)}/${segment(name)}/users`, {
        query: { first, max, briefRepresentation: true },
        roles: READERS,
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}
