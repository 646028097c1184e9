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
      clientId: { type: 'string', description: 'The whole client ID, or part of it with search.' },
      search: { type: 'boolean' },
      viewableOnly: { type: 'boolean', description: 'Only clients that the caller may see in full.' },
      q: ATTRIBUTE_QUERY,
      ...PAGING,
    },
    answers: { status: 200, body: { type: 'array', items: { $ref: 'ClientRepresentation' } } },
    async handle(call) {
      const { admin, realm, query } = call;
      const clientIdFilter = query.string('clientId');
      const part = query.boolean('search') === true ? clientIdFilter?.trim().toLowerCase() : undefined;
      const attributes = [...parseAttributeQuery(query)];
      const matchesClientId = (clientId: string) =>
        clientIdFilter === undefined ||
        (part === undefined ? clientId === clientIdFilter : clientId.toLowerCase().includes(part));
      const matches = (client: StoredClient) =>
        matchesClientId(client.clientId) &&
        attributes.every(([key, value]) => ownValue(client.attributes, key) === value);
      const canView = admin.can(realm.name, 'view-clients');
      const unstoredClients = realm.name === MASTER_REALM ? realmClients.unstoredClients(realm, matchesClientId) : [];
      const clients = ([...(realm.representation.clients ?? []), ...unstoredClients] as StoredClient[])
        .filter((client) => (canView || query.boolean('viewableOnly') !== true) && matches(client))
        .sort((a, b) => (a.clientId < b.clientId ? -1 : 1));
      const page = pageOf(clients, query.page('all'));
      if (!canView) return ok(page.map(({ id, clientId, description }) => ({ id, clientId, description })));
      const toResponse = async (client: StoredClient) =>
        clientResponse(realm.representation, client, await mayManageClient(users, call, client));
      return ok(await mapYielding(realm.name, page, toResponse));
    },
  };
}

function ownValue(record: Readonly<Record<string, string>> | undefined, key: string): string | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
