import { useQueries } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { request } from './request.ts';

/** The maximum number of IDs in one search of users. */
const MAX_IDS = 20;
/** The maximum number of clients in one request. */
const MAX_CLIENTS = 40;
/** How long a name is cached, in milliseconds. */
const CACHE_MS = 60_000;

const QUERY_OPTIONS = { staleTime: CACHE_MS, retry: false } as const;

/** Usernames by ID. Deleted users, and those that the caller may not see, are left out. */
export function useUserNames(realm: string, ids: readonly unknown[]): ReadonlyMap<string, string> {
  return useQueries({
    queries: chunks(distinct(ids), MAX_IDS).map((chunk) => ({
      ...QUERY_OPTIONS,
      queryKey: ['realm', realm, 'user names', ...chunk],
      queryFn: () =>
        request<readonly { id: string; username: string }[]>(`/realms/${encodeSegment(realm)}/users`, {
          query: { search: `id:${chunk.join(' ')}`, briefRepresentation: true },
          roles: ['view-users'],
        }),
    })),
    combine: (found) => new Map(found.flatMap(({ data = [] }) => data.map(({ id, username }) => [id, username]))),
  });
}

/** A client, as far as its names are concerned. */
interface NamedClient {
  readonly id: string;
  readonly clientId: string;
  readonly name?: string;
}

/** Client IDs by internal ID. Deleted clients, and those that the caller may not see, are left out. */
export function useClientNames(realm: string, ids: readonly unknown[]): ReadonlyMap<string, string> {
  return new Map(useNamedClients(realm, 'id', distinct(ids)).map(({ id, clientId }) => [id, clientId]));
}

/** Names to show for clients, by internal ID. */
export function useClientTitles(realm: string, ids: readonly unknown[]): ReadonlyMap<string, string> {
  return new Map(useNamedClients(realm, 'id', distinct(ids)).map((client) => [client.id, titleOf(client)]));
}

/** Names to show for clients, by client ID. */
export function useTitlesByClientId(realm: string, clientIds: readonly unknown[]): ReadonlyMap<string, string> {
  const texts = [...new Set(clientIds)].filter((clientId) => typeof clientId === 'string' && clientId !== '');
  const clients = useNamedClients(realm, 'clientId', texts.map(String).sort());
  return new Map(clients.map((client) => [client.clientId, titleOf(client)]));
}

/** The name of a client, or its client ID. The names of built-in clients are keys of messages. */
function titleOf({ clientId, name = '' }: NamedClient): string {
  return name === '' || name.startsWith('${') ? clientId : name;
}

/** Requests all clients together, in as few requests as the length of an address allows. */
function useNamedClients(
  realm: string,
  parameter: 'id' | 'clientId',
  values: readonly string[],
): readonly NamedClient[] {
  return useQueries({
    queries: chunks(values, MAX_CLIENTS).map((chunk) => ({
      ...QUERY_OPTIONS,
      queryKey: ['realm', realm, 'client names', parameter, ...chunk],
      queryFn: () =>
        request<readonly NamedClient[]>(`/realms/${encodeSegment(realm)}/clients`, {
          query: { [parameter]: chunk, briefRepresentation: true },
          roles: ['view-clients'],
        }),
    })),
    combine: (found) => found.flatMap(({ data = [] }) => data),
  });
}

function chunks<T>(values: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  );
}

/** An ID is one word: other values are skipped. */
function distinct(ids: readonly unknown[]): string[] {
  return [...new Set(ids)]
    .filter((id) => typeof id === 'string' && /^\S+$/.test(id))
    .map(String)
    .sort();
}
