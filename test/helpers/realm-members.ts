import type { Answer } from './host.js';

/** Asks the Admin REST API below `/admin/realms`. */
export type AskAdmin = (method: string, path: string, body?: unknown) => Promise<Answer>;

type Named = { id: string; name: string; alias: string; clientId: string; username: string; path: string };

/** Members that always differ between two hosts. */
const OWN = [
  'id',
  'containerId',
  '_id',
  'secret',
  'access',
  'internalId',
  'createdTimestamp',
  'createdDate',
  'parentId',
  'client.secret.creation.time',
  'registrationAccessToken',
  'types',
  'totp',
  'userProfileMetadata',
  'subGroups',
];

/** All data of a realm in the Admin REST API, by path; lists of names are sorted. */
export async function realmMembers(ask: AskAdmin, realm: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const get = async <T = Named[]>(path: string) => {
    const { status, json } = await ask('GET', `/${realm}${path}`);
    return (status === 200 ? json : []) as T;
  };
  const tell = (value: unknown, at: string): void => {
    if (Array.isArray(value)) {
      const texts = value.every((one) => typeof one === 'string') ? [...value].sort() : value;
      if (value.length > 0) found.set(at, JSON.stringify(texts));
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) if (!OWN.includes(key)) tell(member, `${at} · ${key}`);
    } else if (value !== undefined && value !== null && value !== '') found.set(at, JSON.stringify(value));
  };
  const names = async (path: string) => (await get(path)).map(({ name }) => name);
  const mappings = async (path: string) => {
    type Mappings = { realmMappings?: Named[]; clientMappings?: Record<string, { mappings: Named[] }> };
    const { realmMappings = [], clientMappings = {} } = await get<Mappings>(path);
    const ofClients = Object.entries(clientMappings).map(([id, one]) => [id, one.mappings.map(({ name }) => name)]);
    return { realm: realmMappings.map(({ name }) => name), client: Object.fromEntries(ofClients) };
  };
  tell(await get<object>(''), 'realm');
  for (const client of await get('/clients?max=1000')) {
    const at = `client ${client.clientId}`;
    tell(client, at);
    tell(await mappings(`/clients/${client.id}/scope-mappings`), `${at} · scope`);
    for (const role of await get(`/clients/${client.id}/roles`)) {
      tell({ exists: true, contains: await names(`/roles-by-id/${role.id}/composites`) }, `${at} · role ${role.name}`);
    }
  }
  for (const scope of await get('/client-scopes')) {
    tell(scope, `scope ${scope.name}`);
    tell(await mappings(`/client-scopes/${scope.id}/scope-mappings`), `scope ${scope.name} · scope`);
  }
  tell(await names('/default-default-client-scopes'), 'default scopes');
  tell(await names('/default-optional-client-scopes'), 'optional scopes');
  for (const role of await get('/roles?max=1000')) {
    tell({ exists: true, contains: await names(`/roles-by-id/${role.id}/composites`) }, `role ${role.name}`);
  }
  const groups = async (path: string): Promise<void> => {
    for (const { id, path: at } of await get(path)) {
      tell(await get<object>(`/groups/${id}`), `group ${at}`);
      await groups(`/groups/${id}/children?max=1000`);
    }
  };
  await groups('/groups?max=1000');
  tell(
    (await get('/default-groups')).map(({ path }) => path),
    'default groups',
  );
  for (const action of await get('/authentication/required-actions')) tell(action, `action ${action.alias}`);
  for (const provider of await get('/identity-provider/instances')) {
    tell(provider, `identity provider ${provider.alias}`);
    tell(await names(`/identity-provider/instances/${provider.alias}/mappers`), `mappers of ${provider.alias}`);
  }
  for (const user of await get('/users?max=1000&briefRepresentation=false')) {
    const at = `user ${user.username}`;
    tell(user, at);
    tell(await mappings(`/users/${user.id}/role-mappings`), `${at} · roles`);
    tell(
      (await get(`/users/${user.id}/groups`)).map(({ path }) => path),
      `${at} · groups`,
    );
    tell(await get(`/users/${user.id}/federated-identity`), `${at} · federated identities`);
  }
  return found;
}
