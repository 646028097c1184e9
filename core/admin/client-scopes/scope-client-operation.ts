import { clientScopeNames } from '../../model/client-scope-names.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { type AdminOperation, ok } from '../operation.js';
import { PAGING, pageOf } from '../query.js';
import { requireScope } from './find-scope.js';

/** A client that has a client scope. */
interface ScopeClient {
  readonly id: string | undefined;
  readonly clientId: string;
  readonly name?: string;
  /** `default`: in every token. `optional`: only if the client requests it. */
  readonly assigned: 'default' | 'optional';
}

/** Keyhost's own operation: the clients to which a client scope is assigned. */
export function scopeClientOperation(): AdminOperation {
  return {
    method: 'GET',
    path: '/client-scopes/{clientScopeId}/clients',
    tag: 'Client Scopes',
    summary: 'The clients that have a client scope as a default or an optional one, ordered by client ID',
    roles: ['view-clients'],
    query: { search: { type: 'string', description: 'A part of the client ID or the name.' }, ...PAGING },
    answers: { status: 200, body: { type: 'array', items: { type: 'object' } } },
    handle({ realm: { representation }, params, query }) {
      const { name } = requireScope(representation, params.clientScopeId);
      const search = query.string('search')?.trim().toLowerCase() ?? '';
      const clients = clientsWithScope(representation, name).filter((client) =>
        `${client.clientId}\n${client.name ?? ''}`.toLowerCase().includes(search),
      );
      return ok(
        pageOf(
          clients.sort((a, b) => (a.clientId < b.clientId ? -1 : 1)),
          query.page(),
        ),
      );
    },
  };
}

function clientsWithScope(realm: RealmRepresentation, scope: string): ScopeClient[] {
  return (realm.clients ?? []).flatMap((client) => {
    const { defaultClientScopes, optionalClientScopes } = clientScopeNames(client, realm);
    const isDefault = defaultClientScopes.includes(scope);
    if (!isDefault && !optionalClientScopes.includes(scope)) return [];
    const { id, clientId, name } = client;
    return [{ id, clientId, ...(name ? { name } : {}), assigned: isDefault ? 'default' : 'optional' }];
  });
}
