import { MASTER_REALM } from '../../model/realm.js';
import type { Users } from '../../users/users.js';
import { ATTRIBUTE_QUERY, parseAttributeQuery } from '../attribute-query.js';
import { type AdminOperation, ok } from '../operation.js';
import { PAGING, pageOf } from '../query.js';
import type { RealmClients } from '../realm-clients.js';
import { mapYielding } from '../yielding-loops.js';
import { clientResponse } from './client-response.js';
import { mayManageClient } from './client-rights.js';
import type { StoredClient } from './find-client.js';

export interface ClientListParts {
  readonly users: Users;
  readonly realmClients: RealmClients;
}

/** The clients of a realm (Keycloak's ClientsResource.getClients). */
export function clientListOperation({ users, realmClients }: ClientListParts): AdminOperation {
  return {
    method: 'GET',
    path: '/clients',
    tag: 'Clients',
    summary: 'Clients, ordered by client ID; callers with only query-clients see only names',
    roles: ['view-clients', 'query-clients'],
    query: {
      clientId: {
        type: 'string',
        repeatable: true,
        description:
          'The whole client ID, or part of it with search. Several: clients with any of them (Keyhost only).',
      },
      id: { type: 'string', repeatable: true, description: 'Internal IDs of clients. Keyhost only.' },
      briefRepresentation: {
        type: 'boolean',
        description: 'Only id, clientId, name and description. Keyhost only.',
      },
      search: { type: 'boolean' },
      viewableOnly: { type: 'boolean', description: 'Only clients that the caller may see in full.' },
      q: ATTRIBUTE_QUERY,
      ...PAGING,
    },
    answers: { status: 200, body: { type: 'array', items: { $ref: 'ClientRepresentation' } } },
    async handle(call) {
      const { admin, realm, query } = call;
      const isSearch = query.boolean('search') === true;
      const clientIds = new Set(query.all('clientId').map((text) => (isSearch ? text.trim().toLowerCase() : text)));
      const ids = new Set(query.all('id'));
      const attributes = [...parseAttributeQuery(query)];
      const matchesClientId = (clientId: string) =>
        clientIds.size === 0 ||
        (isSearch ? [...clientIds].some((part) => clientId.toLowerCase().includes(part)) : clientIds.has(clientId));
      const matches = (client: StoredClient) =>
        matchesClientId(client.clientId) &&
        (ids.size === 0 || ids.has(client.id)) &&
        attributes.every(([key, value]) => ownValue(client.attributes, key) === value);
      const canView = admin.can(realm.name, 'view-clients');
      const unstoredClients = realm.name === MASTER_REALM ? realmClients.unstoredClients(realm, matchesClientId) : [];
      const clients = ([...(realm.representation.clients ?? []), ...unstoredClients] as StoredClient[])
        .filter((client) => (canView || query.boolean('viewableOnly') !== true) && matches(client))
        .sort((a, b) => (a.clientId < b.clientId ? -1 : 1));
      const page = pageOf(clients, query.page('all'));
      if (!canView) return ok(page.map(({ id, clientId, description }) => ({ id, clientId, description })));
      if (query.boolean('briefRepresentation') === true)
        return ok(page.map(({ id, clientId, name, description }) => ({ id, clientId, name, description })));
      const toResponse = async (client: StoredClient) =>
        clientResponse(realm.representation, client, await mayManageClient(users, call, client));
      return ok(await mapYielding(realm.name, page, toResponse));
    },
  };
}

function ownValue(record: Readonly<Record<string, string>> | undefined, key: string): string | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
