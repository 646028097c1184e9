import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { session } from '../session/session.ts';
import { request, requestNew } from './request.ts';

export interface RealmName {
  readonly name: string;
  readonly displayName?: string;
}

export const REALM_NAMES = ['realm names'] as const;

/** The realms that the user may see, by name, a page at a time. */
export function realmNames(search: string, first: number, max: number) {
  return queryOptions({
    queryKey: [...REALM_NAMES, search, first, max],
    queryFn: ({ signal }) =>
      request<readonly RealmName[]>(`/realms/${encodeSegment(session.realm)}/ui-ext/realms/names`, {
        query: { search, first, max },
        roles: [],
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

/** A realm in the form of a realm file: absent members have Keycloak's defaults. */
export interface NewRealm {
  readonly realm: string;
  readonly enabled: boolean;
  readonly [member: string]: unknown;
}

/** @returns its name */
export function createRealm(realm: NewRealm): Promise<string> {
  return requestNew('/realms', { body: realm, roles: ['create-realm'] });
}
