import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { CLIENT_READERS, CLIENT_WRITERS } from './clients.ts';
import { request, requestNew, requestTagged } from './request.ts';

/** Keycloak's ClientScopeRepresentation, without its mappers. */
export interface ClientScope {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly protocol: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** `default`: in every token of the client. `optional`: only if the client requests it. */
export type ScopeKind = 'default' | 'optional';

/** Absent members and attributes stay unchanged; an empty attribute is removed. */
export interface ScopeChange {
  readonly name?: string;
  readonly description?: string;
  readonly protocol?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** A client that has a client scope. */
export interface ScopeClient {
  readonly id: string;
  readonly clientId: string;
  readonly name?: string;
  readonly assigned: ScopeKind;
}

export interface Listing {
  readonly search: string;
  readonly first: number;
  readonly max: number;
}

export const KINDS: readonly ScopeKind[] = ['default', 'optional'];

const realmPath = (realm: string) => `/realms/${encodeSegment(realm)}`;
const scopesPath = (realm: string) => `${realmPath(realm)}/client-scopes`;
export const scopePath = (realm: string, id: string) => `${scopesPath(realm)}/${encodeSegment(id)}`;
export const scopesKey = (realm: string) => ['realm', realm, 'client scopes'] as const;
export const scopeKey = (realm: string, id: string) => [...scopesKey(realm), 'one', id] as const;

/** Client scopes by name, a page at a time. */
export function scopesOf(realm: string, query: Listing & { readonly protocol?: string }) {
  return queryOptions({
    queryKey: [...scopesKey(realm), 'list', query],
    queryFn: ({ signal }) =>
      request<readonly ClientScope[]>(scopesPath(realm), { query: { ...query }, roles: CLIENT_READERS, signal }),
    placeholderData: keepPreviousData,
  });
}

/** The client scopes that new clients of the realm get, by ID. */
export function scopesOfNewClients(realm: string) {
  return queryOptions({
    queryKey: [...scopesKey(realm), 'of new clients'],
    queryFn: ({ signal }) =>
      kindsOf((kind) =>
        request<readonly { id: string }[]>(`${realmPath(realm)}/default-${kind}-client-scopes`, {
          roles: CLIENT_READERS,
          signal,
        }),
      ),
  });
}

async function kindsOf(
  read: (kind: ScopeKind) => Promise<readonly { readonly id: string }[]>,
): Promise<ReadonlyMap<string, ScopeKind>> {
  const lists = await Promise.all(KINDS.map(async (kind) => (await read(kind)).map(({ id }) => [id, kind] as const)));
  return new Map(lists.flat());
}

export function oneScope(realm: string, id: string) {
  return queryOptions({
    queryKey: [...scopeKey(realm, id), 'scope'],
    queryFn: ({ signal }) => requestTagged<ClientScope>(scopePath(realm, id), { roles: CLIENT_READERS, signal }),
  });
}

/** @returns the ID of the new client scope */
export function createScope(realm: string, scope: ScopeChange): Promise<string> {
  return requestNew(scopesPath(realm), { body: scope, roles: CLIENT_WRITERS });
}

export function changeScope(
  realm: string,
  id: string,
  { change, ifMatch }: { change: ScopeChange; ifMatch: string | undefined },
): Promise<void> {
  return request(scopePath(realm, id), { method: 'PUT', body: change, ifMatch, roles: CLIENT_WRITERS });
}

export function removeScope(realm: string, id: string, ifMatch: string | undefined): Promise<void> {
  return request(scopePath(realm, id), { method: 'DELETE', ifMatch, roles: CLIENT_WRITERS });
}

/** Chooses how new clients of the realm get a client scope. @param kinds the previous kind and the new one, if any */
export function setKindOfNewClients(
  realm: string,
  id: string,
  { before, after }: { before: ScopeKind | undefined; after: ScopeKind | undefined },
): Promise<void> {
  const path = `${realmPath(realm)}/default-${after ?? before}-client-scopes/${encodeSegment(id)}`;
  return request(path, { method: after === undefined ? 'DELETE' : 'PUT', roles: CLIENT_WRITERS });
}

/** The clients that have a client scope, by client ID, a page at a time. */
export function clientsWithScope(realm: string, id: string, query: Listing) {
  return queryOptions({
    queryKey: [...scopeKey(realm, id), 'clients', query],
    queryFn: ({ signal }) =>
      request<readonly ScopeClient[]>(`${scopePath(realm, id)}/clients`, {
        query: { ...query },
        roles: CLIENT_READERS,
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}
