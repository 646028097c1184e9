import { useQueries } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { request } from './request.ts';

/** The maximum number of IDs in one search of users. */
const MAX_IDS = 20;
/** How long a name is cached, in milliseconds. */
const CACHE_MS = 60_000;

const QUERY_OPTIONS = { staleTime: CACHE_MS, retry: false } as const;

/** Usernames by ID. Deleted users, and those that the caller may not see, are left out. */
export function useUserNames(realm: string, ids: readonly unknown[]): ReadonlyMap<string, string> {
  const distinctIds = distinct(ids);
  const chunks = Array.from({ length: Math.ceil(distinctIds.length / MAX_IDS) }, (_, index) =>
    distinctIds.slice(index * MAX_IDS, (index + 1) * MAX_IDS),
  );
  return useQueries({
    queries: chunks.map((chunk) => ({
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

/** Client IDs by internal ID. */
export function useClientNames(realm: string, ids: readonly unknown[]): ReadonlyMap<string, string> {
  return useQueries({
    queries: distinct(ids).map((id) => ({
      ...QUERY_OPTIONS,
      queryKey: ['realm', realm, 'client name', id],
      queryFn: () =>
        request<{ id: string; clientId: string }>(`/realms/${encodeSegment(realm)}/clients/${encodeSegment(id)}`, {
          roles: ['view-clients'],
        }),
    })),
    combine: (found) => new Map(found.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data.clientId]]))),
  });
}

/** An ID is one word: other values are skipped. */
function distinct(ids: readonly unknown[]): string[] {
  return [...new Set(ids)]
    .filter((id) => typeof id === 'string' && /^\S+$/.test(id))
    .map(String)
    .sort();
}
