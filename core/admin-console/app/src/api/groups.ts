import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { request, requestNew, requestTagged } from './request.ts';
import { readMappings } from './role-mappings.ts';
import { type Attributes, type ListedUser, USER_READERS, USER_WRITERS, userPath } from './users.ts';

/** Keycloak's GroupRepresentation, brief. */
export interface ListedGroup {
  readonly id: string;
  readonly name: string;
  /** The path from the top, such as `/staff/kitchen`. */
  readonly path: string;
  /** Absent at the top. */
  readonly parentId?: string;
  readonly subGroupCount: number;
}

export interface Group extends ListedGroup {
  readonly description?: string;
  readonly attributes?: Attributes;
  /** The signed-in user's rights on this group. */
  readonly access: { readonly manage: boolean; readonly manageMembership: boolean };
}

export interface GroupRequest {
  readonly name: string;
  readonly description?: string;
  readonly attributes?: Attributes;
}

interface Page {
  readonly first: number;
  readonly max: number;
}

const READERS = ['view-users', 'query-groups'];

const groupsPath = (realm: string) => `/realms/${encodeSegment(realm)}/groups`;
const groupPath = (realm: string, id: string) => `${groupsPath(realm)}/${encodeSegment(id)}`;
export const groupsKey = (realm: string) => ['realm', realm, 'groups'] as const;
export const groupKey = (realm: string, id: string) => [...groupsKey(realm), 'one', id] as const;

/** Top-level groups, or groups at any depth whose name contains the search. */
export function groupsOf(realm: string, { search, first, max }: Page & { readonly search: string }) {
  return queryOptions({
    queryKey: [...groupsKey(realm), 'list', search, first, max],
    queryFn: ({ signal }) =>
      request<readonly ListedGroup[]>(groupsPath(realm), {
        query: { search, first, max, briefRepresentation: true, populateHierarchy: false },
        roles: READERS,
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

export function oneGroup(realm: string, id: string) {
  return queryOptions({
    queryKey: [...groupKey(realm, id), 'group'],
    queryFn: ({ signal }) => requestTagged<Group>(groupPath(realm, id), { roles: READERS, signal }),
  });
}

export function subgroupsOf(realm: string, id: string, { first, max }: Page) {
  return queryOptions({
    queryKey: [...groupKey(realm, id), 'below', first, max],
    queryFn: ({ signal }) =>
      request<readonly ListedGroup[]>(`${groupPath(realm, id)}/children`, {
        query: { first, max, briefRepresentation: true },
        roles: READERS,
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

/** @param parent undefined for a top-level group @returns the ID of the new group */
export function createGroup(realm: string, parent: string | undefined, group: GroupRequest): Promise<string> {
  const path = parent === undefined ? groupsPath(realm) : `${groupPath(realm, parent)}/children`;
  return requestNew(path, { body: group, roles: USER_WRITERS });
}

export function changeGroup(
  realm: string,
  id: string,
  { change, ifMatch }: { change: GroupRequest; ifMatch: string | undefined },
): Promise<void> {
  return request(groupPath(realm, id), { method: 'PUT', body: change, ifMatch, roles: USER_WRITERS });
}

export function removeGroup(realm: string, id: string, ifMatch: string | undefined): Promise<void> {
  return request(groupPath(realm, id), { method: 'DELETE', ifMatch, roles: USER_WRITERS });
}

/** The members, a page at a time. */
export function membersOf(realm: string, id: string, { first, max }: Page) {
  return queryOptions({
    queryKey: [...groupKey(realm, id), 'members', first, max],
    queryFn: ({ signal }) =>
      request<readonly ListedUser[]>(`${groupPath(realm, id)}/members`, {
        query: { first, max, briefRepresentation: true },
        roles: USER_READERS,
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

export function joinGroup(realm: string, id: string, userId: string): Promise<void> {
  return request(`${userPath(realm, userId)}/groups/${encodeSegment(id)}`, { method: 'PUT', roles: USER_WRITERS });
}

export function leaveGroup(realm: string, id: string, userId: string): Promise<void> {
  return request(`${userPath(realm, userId)}/groups/${encodeSegment(id)}`, { method: 'DELETE', roles: USER_WRITERS });
}

/** The roles of realm and clients that members have through this group itself. */
export function rolesOfGroup(realm: string, id: string) {
  return queryOptions({
    queryKey: [...groupKey(realm, id), 'roles'],
    queryFn: ({ signal }) => readMappings({ realm, kind: 'groups', id }, signal),
  });
}
