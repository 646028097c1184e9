import type { RoleAdministration, RoleList } from '@keyhost/spi';
import type { FindClient, Request } from './administered-realm.js';
import { expectDone, expectJson, idOfClient, pathOf } from './answer.js';

interface Mappings {
  readonly realmMappings?: readonly { readonly name: string }[];
  readonly clientMappings?: Readonly<Record<string, { readonly mappings: readonly { readonly name: string }[] }>>;
}

export function roleAdministration(request: Request, findClient: FindClient): RoleAdministration {
  const change = async (method: 'POST' | 'DELETE', userId: string, { realm = [], clients = {} }: Partial<RoleList>) => {
    const send = (names: readonly string[], ...subpath: string[]) =>
      expectDone(
        request(
          method,
          pathOf('users', userId, 'role-mappings', ...subpath),
          names.map((name) => ({ name })),
        ),
      );
    if (realm.length > 0) await send(realm, 'realm');
    for (const [clientId, names] of Object.entries(clients)) {
      const id = await idOfClient(findClient, clientId);
      if (names.length > 0) await send(names, 'clients', id);
    }
  };
  return {
    async ofUser(userId) {
      const mappings = await expectJson<Mappings>(request('GET', pathOf('users', userId, 'role-mappings')));
      const { realmMappings = [], clientMappings = {} } = mappings;
      const clients = Object.entries(clientMappings).map(([id, { mappings }]) => [
        id,
        mappings.map(({ name }) => name),
      ]);
      return { realm: realmMappings.map(({ name }) => name), clients: Object.fromEntries(clients) };
    },
    grant: (userId, roles) => change('POST', userId, roles),
    revoke: (userId, roles) => change('DELETE', userId, roles),
  };
}
