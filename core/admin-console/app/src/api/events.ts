import { queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { request } from './request.ts';

export type EventKind = 'user' | 'admin';

/** An event of a user or a client, in Keycloak's form. */
export interface UserEvent {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly type: string;
  readonly clientId?: string;
  readonly userId?: string;
  readonly sessionId?: string;
  readonly ipAddress?: string;
  readonly error?: string;
  readonly details?: Readonly<Record<string, string>>;
}

/** An event of an admin. */
export interface AdminEvent {
  readonly id: string;
  readonly time: number;
  readonly operationType: string;
  readonly resourceType: string;
  readonly resourcePath: string;
  readonly authDetails: {
    readonly realmId: string;
    readonly clientId: string;
    readonly userId: string;
    readonly ipAddress: string;
  };
  /** JSON as text. */
  readonly representation?: string;
  /** The user of a membership, or a removed credential. */
  readonly details?: Readonly<Record<string, string>>;
  readonly error?: string;
}

export interface EventOf {
  readonly user: UserEvent;
  readonly admin: AdminEvent;
}

/** The realm's settings for stored events. */
export interface EventConfig {
  readonly eventsEnabled?: boolean;
  readonly adminEventsEnabled?: boolean;
  readonly adminEventsDetailsEnabled?: boolean;
  readonly enabledEventTypes?: readonly string[];
}

export type EventQuery = Readonly<Record<string, string | number | readonly string[] | undefined>>;

const READERS = ['view-events'];
const LISTS = { user: 'events', admin: 'admin-events' } as const;

const pathOf = (realm: string, kind: EventKind) => `/realms/${encodeSegment(realm)}/${LISTS[kind]}`;
const keyOf = (realm: string, kind: EventKind) => ['realm', realm, LISTS[kind]];

/** Newest first. */
export function eventsOf<K extends EventKind>(realm: string, kind: K, query: EventQuery) {
  return queryOptions({
    queryKey: [...keyOf(realm, kind), 'list', query],
    queryFn: ({ signal }) => request<readonly EventOf[K][]>(pathOf(realm, kind), { query, roles: READERS, signal }),
  });
}

export function oneEvent<K extends EventKind>(realm: string, kind: K, id: string) {
  return queryOptions({
    queryKey: [...keyOf(realm, kind), 'one', id],
    queryFn: ({ signal }) =>
      request<EventOf[K]>(`${pathOf(realm, kind)}/${encodeSegment(id)}`, { roles: READERS, signal }),
  });
}

export function eventConfig(realm: string) {
  return queryOptions({
    queryKey: ['realm', realm, 'events config'],
    queryFn: ({ signal }) =>
      request<EventConfig>(`/realms/${encodeSegment(realm)}/events/config`, { roles: READERS, signal }),
  });
}

export function changeEventConfig(realm: string, change: EventConfig): Promise<void> {
  return request(`/realms/${encodeSegment(realm)}/events/config`, {
    method: 'PUT',
    body: change,
    roles: ['manage-events'],
  });
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The ID of the user with this username or ID; null if there is none. */
export function userIdOf(realm: string, typed: string) {
  return queryOptions({
    queryKey: ['realm', realm, 'user id', typed],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      if (typed === '' || ID.test(typed)) return typed;
      const find = (query: Readonly<Record<string, string | boolean>>) =>
        request<readonly { id: string }[]>(`/realms/${encodeSegment(realm)}/users`, {
          query: { ...query, briefRepresentation: true },
          roles: ['view-users'],
          signal,
        });
      const [named] = await find({ username: typed, exact: true });
      if (named !== undefined) return named.id;
      const [known] = /^\S+$/.test(typed) ? await find({ search: `id:${typed}` }) : [];
      return known?.id ?? null;
    },
  });
}

/** The internal ID of a client, by its client ID; null if it does not exist. */
export function clientByName(realm: string, clientId: string) {
  return queryOptions({
    queryKey: ['realm', realm, 'client by name', clientId],
    retry: false,
    queryFn: async ({ signal }) => {
      const found = await request<readonly { id: string }[]>(`/realms/${encodeSegment(realm)}/clients`, {
        query: { clientId },
        roles: ['view-clients'],
        signal,
      });
      return found[0]?.id ?? null;
    },
  });
}
