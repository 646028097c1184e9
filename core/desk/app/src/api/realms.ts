import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { segment } from '../address.ts';
import { session } from '../session/session.ts';
import { request } from './request.ts';

export interface RealmName {
  readonly name: string;
  readonly displayName?: string;
}

/** The realms that the user may see, by name, a page at a time. */
export function realmNames(search: string, first: number, max: number) {
  return queryOptions({
    queryKey: ['realm names', search, first, max],
    queryFn: ({ signal }) =>
      request<readonly RealmName[]>(`/realms/${segment(session.realm)}/ui-ext/realms/names`, {
        query: { search, first, max },
        roles: [],
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}
