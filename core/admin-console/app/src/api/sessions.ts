import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { request } from './request.ts';
import { USER_READERS, USER_WRITERS, userKey, userPath } from './users.ts';

/** Keycloak's UserSessionRepresentation. Times in milliseconds since the epoch. */
export interface UserSession {
  readonly id: string;
  readonly userId: string;
  readonly username?: string;
  readonly ipAddress?: string;
  readonly start: number;
  readonly lastAccess: number;
  /** Client IDs by internal ID. */
  readonly clients: Readonly<Record<string, string>>;
  /** Present if both types are listed. */
  readonly type?: 'REGULAR' | 'OFFLINE';
}

/** The number of sessions of a client; both numbers are texts, as in Keycloak. */
export interface ClientSessions {
  readonly id: string;
  readonly clientId: string;
  readonly active: string;
  readonly offline: string;
}

export interface SessionSearch {
  /** A part of the username. */
  readonly search: string;
  readonly type: 'ALL' | 'REGULAR' | 'OFFLINE';
  /** The internal ID; empty for any client. */
  readonly client: string;
  readonly first: number;
  readonly max: number;
}

export const sessionsKey = (realm: string) => ['realm', realm, 'sessions'] as const;

export function sessionsOfUser(realm: string, userId: string, { first, max }: { first: number; max: number }) {
  return queryOptions({
    queryKey: [...userKey(realm, userId), 'sessions', first, max],
    queryFn: ({ signal }) =>
      request<readonly UserSession[]>(`${userPath(realm, userId)}/sessions`, {
        query: { first, max },
        roles: USER_READERS,
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

/** The sessions of a realm, or those of one client. */
export function sessionsOf(realm: string, { search, type, client, first, max }: SessionSearch) {
  return queryOptions({
    queryKey: [...sessionsKey(realm), 'list', search, type, client, first, max],
    queryFn: ({ signal }) =>
      request<readonly UserSession[]>(
        `/realms/${encodeSegment(realm)}/ui-ext/sessions${client === '' ? '' : '/client'}`,
        {
          query: { search, type, clientId: client, first, max },
          roles: client === '' ? [['view-realm', 'view-users']] : [['view-clients', 'view-users']],
          signal,
        },
      ),
    placeholderData: keepPreviousData,
  });
}

export function clientSessionsOf(realm: string) {
  return queryOptions({
    queryKey: [...sessionsKey(realm), 'by client'],
    queryFn: ({ signal }) =>
      request<readonly ClientSessions[]>(`/realms/${encodeSegment(realm)}/client-session-stats`, {
        roles: ['view-realm', 'manage-realm'],
        signal,
      }),
  });
}

export function endSession(realm: string, { id, type }: Pick<UserSession, 'id' | 'type'>): Promise<void> {
  return request(`/realms/${encodeSegment(realm)}/sessions/${encodeSegment(id)}`, {
    method: 'DELETE',
    query: { isOffline: type === 'OFFLINE' ? true : undefined },
    roles: USER_WRITERS,
  });
}

/** Ends every session, token and link of a user. */
export function signOutUser(realm: string, userId: string): Promise<void> {
  return request(`${userPath(realm, userId)}/logout`, { method: 'POST', roles: USER_WRITERS });
}

/** Ends every session, token and link of all users of the realm, including offline ones. */
export function signOutAll(realm: string): Promise<void> {
  return request(`/realms/${encodeSegment(realm)}/logout-all`, { method: 'POST', roles: USER_WRITERS });
}
