import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { request, requestNew, requestTagged } from './request.ts';

/** A user as lists show it: Keycloak's UserRepresentation, brief. */
export interface ListedUser {
  readonly id: string;
  readonly username: string;
  readonly enabled: boolean;
  readonly email?: string;
  readonly emailVerified: boolean;
  readonly firstName?: string;
  readonly lastName?: string;
  /** Milliseconds since the epoch. */
  readonly createdTimestamp?: number;
  /** The signed-in user's rights on this user. */
  readonly access: { readonly manage: boolean; readonly mapRoles: boolean; readonly impersonate: boolean };
}

export type Attributes = Readonly<Record<string, readonly string[]>>;

/** A user with the parts of the realm's profile that a form needs. */
export interface User extends ListedUser {
  readonly attributes?: Attributes;
  readonly requiredActions: readonly string[];
  readonly userProfileMetadata: {
    readonly attributes: readonly { readonly name: string; readonly readOnly: boolean; readonly required: boolean }[];
  };
}

export interface UserRequest {
  readonly username?: string;
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly emailVerified?: boolean;
  readonly enabled?: boolean;
  readonly attributes?: Attributes;
  readonly requiredActions?: readonly string[];
}

export const USER_READERS = ['view-users', 'manage-users'];
export const USER_WRITERS = ['manage-users'];

export const usersPath = (realm: string) => `/realms/${encodeSegment(realm)}/users`;
export const userPath = (realm: string, id: string) => `${usersPath(realm)}/${encodeSegment(id)}`;
/** The key of a user and all data of the user. */
export const userKey = (realm: string, id: string) => ['realm', realm, 'users', 'one', id] as const;

/**
 * Users by username, a page at a time. The words of a search match the beginning of username, email address or a name.
 */
export function usersOf(realm: string, { search, first, max }: { search: string; first: number; max: number }) {
  return queryOptions({
    queryKey: ['realm', realm, 'users', 'list', search, first, max],
    queryFn: ({ signal }) =>
      request<readonly ListedUser[]>(usersPath(realm), {
        query: { search, first, max, briefRepresentation: true },
        roles: [...USER_READERS, 'query-users'],
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

export function oneUser(realm: string, id: string) {
  return queryOptions({
    queryKey: [...userKey(realm, id), 'user'],
    queryFn: ({ signal }) =>
      requestTagged<User>(userPath(realm, id), { query: { userProfileMetadata: true }, roles: USER_READERS, signal }),
  });
}

/** @returns the ID of the new user */
export function createUser(realm: string, user: UserRequest): Promise<string> {
  return requestNew(usersPath(realm), { body: user, roles: USER_WRITERS });
}

/** @param change absent members stay unchanged; `attributes` replaces all attributes */
export function changeUser(
  realm: string,
  id: string,
  { change, ifMatch }: { change: UserRequest; ifMatch: string | undefined },
): Promise<void> {
  return request(userPath(realm, id), { method: 'PUT', body: change, ifMatch, roles: USER_WRITERS });
}

export function removeUser(realm: string, id: string, ifMatch: string | undefined): Promise<void> {
  return request(userPath(realm, id), { method: 'DELETE', ifMatch, roles: USER_WRITERS });
}

/** Signs this browser in as the user. @returns the address of the user's account */
export async function impersonate(realm: string, id: string): Promise<string> {
  const { redirect } = await request<{ redirect: string }>(`${userPath(realm, id)}/impersonation`, {
    method: 'POST',
    body: {},
    setsCookies: true,
    roles: ['impersonation'],
  });
  return redirect;
}

/** A required action that admins can assign to users of a realm. */
export interface RequiredAction {
  readonly alias: string;
  readonly name: string;
  readonly enabled: boolean;
}

export function requiredActionsOf(realm: string) {
  return queryOptions({
    queryKey: ['realm', realm, 'required actions'],
    queryFn: ({ signal }) =>
      request<readonly RequiredAction[]>(`/realms/${encodeSegment(realm)}/authentication/required-actions`, {
        roles: ['view-realm', ...USER_READERS],
        signal,
      }),
  });
}
