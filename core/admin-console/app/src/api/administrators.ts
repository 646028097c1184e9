import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { request } from './request.ts';
import { type ListedUser, USER_READERS, USER_WRITERS, userPath } from './users.ts';

/** A role or a group of a user that gives administration rights. */
export type Grant =
  | { readonly type: 'role'; readonly id: string; readonly name: string; readonly client?: string }
  | { readonly type: 'group'; readonly id: string; readonly name: string; readonly path: string };

export interface Administrator extends ListedUser {
  readonly serviceAccountClientId?: string;
  /** The effective administration roles by the realm that they administer. */
  readonly rights: readonly { readonly realm: string; readonly roles: readonly string[] }[];
  readonly moreRealms?: number;
  readonly grants: readonly Grant[];
  readonly moreGrants?: number;
  /** True for the only enabled user with all rights. */
  readonly lastAdministrator?: true;
}

interface Listing {
  readonly search: string;
  /** An administration role; empty for all administrators. */
  readonly role: string;
  /** In master: the administered realm; empty for all. */
  readonly over: string;
  readonly first: number;
  readonly max: number;
}

export const administratorsKey = (realm: string) => ['realm', realm, 'administrators'] as const;

/** The users who hold administration rights, by username, a page at a time. */
export function administratorsOf(realm: string, listing: Listing) {
  return queryOptions({
    queryKey: [...administratorsKey(realm), 'list', listing],
    queryFn: ({ signal }) =>
      request<readonly Administrator[]>(`/realms/${encodeSegment(realm)}/administrators`, {
        query: { ...listing },
        roles: USER_READERS,
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

/** Administration roles of a client, or of the realm if `client` is undefined. */
export interface RoleSet {
  readonly client: string | undefined;
  readonly roles: readonly string[];
}

export interface AssignableRole {
  readonly id: string;
  readonly name: string;
  /** The internal ID of the client; undefined for a realm role. */
  readonly clientUuid: string | undefined;
}

/** The roles of the set that the user does not have directly, and that the signed-in user may assign. */
export function missingRoles(realm: string, userId: string, { client, roles }: RoleSet) {
  return queryOptions({
    queryKey: [...administratorsKey(realm), 'missing', userId, client, roles],
    queryFn: async ({ signal }): Promise<readonly AssignableRole[]> => {
      const found = await (client === undefined
        ? realmRoles(realm, userId, roles, signal)
        : clientRoles(realm, userId, client, signal));
      return found.filter(({ name }) => roles.includes(name));
    },
  });
}

/** More than the roles of all clients whose names contain that of the client. */
const MAX_ROLES = 1000;

async function clientRoles(realm: string, userId: string, client: string, signal: AbortSignal) {
  const path = `/realms/${encodeSegment(realm)}/ui-ext/available-roles/users/${encodeSegment(userId)}`;
  type Found = { readonly id: string; readonly role: string; readonly client: string; readonly clientId: string };
  const found = await request<readonly Found[]>(path, {
    query: { search: client, first: 0, max: MAX_ROLES },
    roles: USER_READERS,
    signal,
  });
  return found
    .filter((role) => role.client === client)
    .map(({ id, role, clientId }) => ({ id, name: role, clientUuid: clientId }));
}

async function realmRoles(realm: string, userId: string, roles: readonly string[], signal: AbortSignal) {
  const found = await request<readonly { id: string; name: string }[]>(
    `${userPath(realm, userId)}/role-mappings/realm/available`,
    { query: { search: roles.length === 1 ? roles[0] : '' }, roles: USER_READERS, signal },
  );
  return found.map(({ id, name }) => ({ id, name, clientUuid: undefined }));
}

/** Assigns roles that belong to the same client, or to the realm. */
export function giveRights(realm: string, userId: string, roles: readonly AssignableRole[]): Promise<void> {
  const clientUuid = roles[0]?.clientUuid;
  const container = clientUuid === undefined ? 'realm' : `clients/${encodeSegment(clientUuid)}`;
  return request(`${userPath(realm, userId)}/role-mappings/${container}`, {
    method: 'POST',
    body: roles.map(({ id, name }) => ({ id, name })),
    roles: USER_WRITERS,
  });
}

/** Unassigns roles of the realm and of clients in one change. */
export function takeRights(realm: string, userId: string, roleIds: readonly string[]): Promise<void> {
  const path = `/realms/${encodeSegment(realm)}/ui-ext/role-mapping-delete/users/${encodeSegment(userId)}`;
  return request(path, { method: 'POST', body: roleIds.map((id) => ({ id })), roles: USER_WRITERS });
}
