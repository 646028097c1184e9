import { queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { KINDS, type ScopeKind } from './client-scopes.ts';
import { CLIENT_READERS, CLIENT_WRITERS, clientKey, clientPath } from './clients.ts';
import { request } from './request.ts';

/** A client scope that is assigned to a client. */
export interface AssignedScope {
  readonly id: string;
  readonly name: string;
  readonly assigned: ScopeKind;
}

const pathOf = (realm: string, client: string, kind: ScopeKind) => `${clientPath(realm, client)}/${kind}-client-scopes`;

/** The client scopes of a client, by name. @param client its internal ID */
export function scopesOfClient(realm: string, client: string) {
  return queryOptions({
    queryKey: [...clientKey(realm, client), 'client scopes'],
    queryFn: async ({ signal }): Promise<readonly AssignedScope[]> => {
      const lists = await Promise.all(
        KINDS.map(async (assigned) => {
          const path = pathOf(realm, client, assigned);
          const scopes = await request<readonly { id: string; name: string }[]>(path, {
            roles: CLIENT_READERS,
            signal,
          });
          return scopes.map(({ id, name }) => ({ id, name, assigned }));
        }),
      );
      return lists.flat().sort((a, b) => a.name.localeCompare(b.name));
    },
  });
}

/** Assigns a client scope. One that the client has as the other kind becomes this kind. */
export function assignScope(realm: string, client: string, scope: string, kind: ScopeKind): Promise<void> {
  const path = `${pathOf(realm, client, kind)}/${encodeSegment(scope)}`;
  return request(path, { method: 'PUT', roles: CLIENT_WRITERS });
}

export function unassignScope(realm: string, client: string, { id, assigned }: AssignedScope): Promise<void> {
  const path = `${pathOf(realm, client, assigned)}/${encodeSegment(id)}`;
  return request(path, { method: 'DELETE', roles: CLIENT_WRITERS });
}
