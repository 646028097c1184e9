import type { ClientAdministration, ClientRepresentation, ClientView } from '@keyhost/spi';
import type { Request } from './administered-realm.js';
import { expectCreated, expectDone, expectJson, expectOptional, pathOf, queryOf } from './answer.js';

export function clientAdministration(request: Request): ClientAdministration {
  return {
    async find({ search, first, max } = {}) {
      const query = queryOf({ clientId: search, search: search === undefined ? undefined : true, first, max });
      const clients = await expectJson<readonly Partial<ClientView>[]>(request('GET', `/clients${query}`));
      return clients.map(toClientView);
    },
    async read(id) {
      const answer = await expectOptional(request('GET', pathOf('clients', id)));
      return answer && { client: answer.body as ClientRepresentation, version: String(answer.version) };
    },
    create: (client) => expectCreated(request('POST', '/clients', client)),
    update: async (id, change, options) =>
      void (await expectDone(request('PUT', pathOf('clients', id), change, options))),
    remove: async (id) => (await expectOptional(request('DELETE', pathOf('clients', id)))) !== undefined,
  };
}

function toClientView(representation: Partial<ClientView>): ClientView {
  const { id = '', clientId = '', name, enabled = false, attributes = {} } = representation;
  const { publicClient = false, bearerOnly = false, serviceAccountsEnabled = false } = representation;
  return {
    id,
    clientId,
    enabled,
    publicClient,
    bearerOnly,
    serviceAccountsEnabled,
    attributes,
    ...(name !== undefined && { name }),
  };
}
