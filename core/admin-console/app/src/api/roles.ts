import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { CLIENT_READERS, clientPath } from './clients.ts';
import { ApiFailure } from './failure.ts';
import { request, requestNew, requestTagged } from './request.ts';
import type { Role } from './user-roles.ts';
import type { Attributes, ListedUser } from './users.ts';

/** Keycloak's RoleRepresentation. */
export interface ListedRole extends Role {
  readonly composite: boolean;
  /** True for a role of a client. */
  readonly clientRole: boolean;
  /** The internal ID of its client, or the realm's ID for a role of the realm. */
  readonly containerId: string;
}

/** A role that can be added to others. */
export interface FoundRole extends Role {
  /** The client ID for a role of a client. */
  readonly detail?: string;
}

export interface FullRole extends ListedRole {
  readonly attributes?: Attributes;
}

/** Absent members stay unchanged; `attributes` replaces all attributes. */
export interface RoleChange {
  readonly name?: string;
  readonly description?: string;
  readonly attributes?: Attributes;
}

interface Listing {
  readonly search: string;
  readonly first: number;
  readonly max: number;
}

/** The roles needed for the realm's roles, or for those of a client. */
const readers = (client?: string) => (client === undefined ? ['view-realm', 'manage-realm'] : CLIENT_READERS);
const writers = (client?: string) => (client === undefined ? ['manage-realm'] : ['manage-clients']);
/** The roles needed for a role that may belong to the realm or to a client. */
const READERS = ['view-realm', 'view-clients'];
const WRITERS = ['manage-realm', 'manage-clients'];

/** @param client the internal ID of the client that owns the roles; undefined for the realm's */
const rolesPath = (realm: string, client?: string) =>
  client === undefined ? `/realms/${encodeSegment(realm)}/roles` : `${clientPath(realm, client)}/roles`;
const rolePath = (realm: string, id: string) => `/realms/${encodeSegment(realm)}/roles-by-id/${encodeSegment(id)}`;
export const rolesKey = (realm: string) => ['realm', realm, 'roles'] as const;
export const roleKey = (realm: string, id: string) => [...rolesKey(realm), 'one', id] as const;

/** Roles of the realm, or of a client, by name, a page at a time. */
export function rolesOf(realm: string, { search, first, max }: Listing, client?: string) {
  return queryOptions({
    queryKey: [...rolesKey(realm), 'list', client, search, first, max],
    queryFn: ({ signal }) =>
      request<readonly ListedRole[]>(rolesPath(realm, client), {
        query: { search, first, max },
        roles: readers(client),
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

/** Finds roles of the realm and of its clients that a role can contain and the user may see. */
export function roleSearch(realm: string, id: string) {
  type Query = { readonly search: string; readonly max: number };
  const ofClients = async (query: Query, signal: AbortSignal) => {
    const path = `/realms/${encodeSegment(realm)}/ui-ext/available-roles/roles/${encodeSegment(id)}`;
    const found = await request<readonly { id: string; role: string; client: string }[]>(path, {
      query: { first: 0, ...query },
      roles: [],
      signal,
    });
    return found.map(({ id: roleId, role: name, client: detail }) => ({ id: roleId, name, detail }));
  };
  return {
    key: [...rolesKey(realm), 'search', id],
    find: async (query: Query, signal: AbortSignal): Promise<readonly FoundRole[]> => {
      const ofRealm = request<readonly Role[]>(rolesPath(realm), { query, roles: [], signal });
      const both = await Promise.all([emptyIfForbidden(ofRealm), emptyIfForbidden(ofClients(query, signal))]);
      return both.flat();
    },
  };
}

/** Returns an empty list if the user lacks the roles. */
async function emptyIfForbidden<T>(found: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof ApiFailure && error.kind === 'forbidden') return [];
    throw error;
  }
}

export function oneRole(realm: string, id: string) {
  return queryOptions({
    queryKey: [...roleKey(realm, id), 'role'],
    queryFn: ({ signal }) => requestTagged<FullRole>(rolePath(realm, id), { roles: READERS, signal }),
  });
}

/** @returns the ID of the new role, whose address has its name */
export async function createRole(realm: string, role: RoleChange, client?: string): Promise<string> {
  const name = await requestNew(rolesPath(realm, client), { body: role, roles: writers(client) });
  return (await request<Role>(`${rolesPath(realm, client)}/${encodeSegment(name)}`, { roles: readers(client) })).id;
}

export function changeRole(
  realm: string,
  id: string,
  { change, ifMatch }: { change: RoleChange; ifMatch: string | undefined },
): Promise<void> {
  return request(rolePath(realm, id), { method: 'PUT', body: change, ifMatch, roles: WRITERS });
}

export function removeRole(realm: string, id: string, ifMatch: string | undefined): Promise<void> {
  return request(rolePath(realm, id), { method: 'DELETE', ifMatch, roles: WRITERS });
}

/** The roles that a composite role contains, including those of clients. */
export function containedRoles(realm: string, id: string) {
  return queryOptions({
    queryKey: [...roleKey(realm, id), 'contained'],
    queryFn: ({ signal }) =>
      request<readonly ListedRole[]>(`${rolePath(realm, id)}/composites`, { roles: READERS, signal }),
  });
}

export function addContainedRole(realm: string, id: string, contained: Role): Promise<void> {
  const body = [{ id: contained.id, name: contained.name }];
  return request(`${rolePath(realm, id)}/composites`, { method: 'POST', body, roles: WRITERS });
}

export function removeContainedRole(realm: string, id: string, contained: Role): Promise<void> {
  const body = [{ id: contained.id, name: contained.name }];
  return request(`${rolePath(realm, id)}/composites`, { method: 'DELETE', body, roles: WRITERS });
}

/** The users to whom the role was assigned directly, a page at a time. */
export function usersWithRole(
  realm: string,
  { id, name }: Role,
  { first, max, client }: Omit<Listing, 'search'> & { client: string | undefined },
) {
  return queryOptions({
    queryKey: [...roleKey(realm, id), 'users', name, first, max],
    queryFn: ({ signal }) =>
      request<readonly ListedUser[]>(`${rolesPath(realm, client)}/${encodeSegment(name)}/users`, {
        query: { first, max, briefRepresentation: true },
        roles: readers(client),
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}
