import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { request } from './request.ts';

export interface FoundUser {
  readonly id: string;
  readonly username: string;
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
}

export interface FoundClient {
  readonly id: string;
  readonly clientId: string;
  readonly name?: string;
}

export interface FoundIdentityProvider {
  readonly alias: string;
  readonly displayName?: string;
}

/** Users whose username, address or name begins with the words. */
export function findUsers(realm: string, search: string, max: number) {
  return queryOptions({
    queryKey: ['realm', realm, 'find users', search, max],
    queryFn: ({ signal }) =>
      request<readonly FoundUser[]>(`/realms/${encodeSegment(realm)}/users`, {
        query: { search, max, briefRepresentation: true },
        roles: ['view-users', 'query-users'],
        signal,
      }),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  });
}

/** Clients with the text in their `client_id`. */
export function findClients(realm: string, search: string, max: number) {
  return queryOptions({
    queryKey: ['realm', realm, 'find clients', search, max],
    queryFn: ({ signal }) =>
      request<readonly FoundClient[]>(`/realms/${encodeSegment(realm)}/clients`, {
        query: { clientId: search, search: true, max },
        roles: ['view-clients', 'query-clients'],
        signal,
      }),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  });
}

/** Identity providers with the text in their alias. */
export function findIdentityProviders(realm: string, search: string, max: number) {
  return queryOptions({
    queryKey: ['realm', realm, 'find identity providers', search, max],
    queryFn: ({ signal }) =>
      request<readonly FoundIdentityProvider[]>(`/realms/${encodeSegment(realm)}/identity-provider/instances`, {
        query: { search, max, briefRepresentation: true },
        roles: ['view-identity-providers'],
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}
