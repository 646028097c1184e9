import test from 'ava';
import type { ClientRepresentation, RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered, clientUuid } from '../helpers/admin.js';
import { claimsOf, fetchAnswer, inRealm } from '../helpers/host.js';
import { basic } from '../helpers/login.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered());

const account = (clientId: string): ClientRepresentation => ({ clientId, secret: 's', serviceAccountsEnabled: true });
const DEFAULT = ['acr', 'basic', 'email', 'profile', 'roles', 'web-origins'];
/** Without Keycloak's `organization`, which Keyhost lacks. */
const OPTIONAL = ['address', 'microprofile-jwt', 'offline_access', 'phone'];

/** Scopes in the request, then the default and optional scopes of the client in Keycloak 26.7.3. */
const SCOPES: [Pick<ClientRepresentation, 'defaultClientScopes' | 'optionalClientScopes'>, string[], string[]][] = [
  [{}, DEFAULT, OPTIONAL],
  [{ defaultClientScopes: ['email'] }, ['email'], []],
  [{ optionalClientScopes: ['email'] }, [], ['email']],
  [{ defaultClientScopes: [] }, [], []],
];

async function scene(realm: Partial<RealmRepresentation>) {
  const host = await inRealm(shared(), (name) => ({ realm: name, enabled: true, ...realm }));
  const call = await adminCaller(host);
  const path = `/realms/${host.defaultRealm}`;
  const of = async (clientId: string) => `${path}/clients/${await clientUuid(host, clientId)}`;
  return { host, call, path, of };
}

test('new clients: a new service account has the default role and groups; one of a realm file has what the file says', async (t) => {
  const named = (clientId: string, more: object) => ({
    username: `service-account-${clientId}`,
    enabled: true,
    serviceAccountClientId: clientId,
    ...more,
  });
  const { host, call, path, of } = await scene({
    roles: { realm: [{ name: 'staff' }] },
    groups: [{ name: 'everyone' }],
    defaultGroups: ['/everyone'],
    clients: [account('file'), account('named'), account('bare')],
    users: [named('named', { realmRoles: ['staff'] }), named('bare', {})],
  });
  t.is((await call('POST', `${path}/clients`, account('new'))).status, 201);
  t.is((await call('POST', `${path}/clients`, { clientId: 'late', secret: 's' })).status, 201);
  t.is((await call('PUT', await of('late'), account('late'))).status, 204);
  const held: Record<string, unknown> = {};
  for (const clientId of ['file', 'named', 'bare', 'new', 'late']) {
    const { id } = (await call('GET', `${await of(clientId)}/service-account-user`)).json as { id?: string };
    const { json: roles } = await call('GET', `${path}/users/${id}/role-mappings/realm`);
    const { json: groups } = await call('GET', `${path}/users/${id}/groups`);
    const names = (list: unknown, key: string) => (list as Record<string, string>[]).map((one) => one[key]);
    held[clientId] = [names(roles, 'name'), names(groups, 'path')];
  }
  const everybodys = [[`default-roles-${host.defaultRealm}`], ['/everyone']];
  t.deepEqual(held, { file: everybodys, named: [['staff'], []], bare: [[], []], new: everybodys, late: everybodys });
  const { json } = await host.token(host.defaultRealm, { grant_type: 'client_credentials' }, basic('file', 's'));
  t.like(claimsOf(json.access_token ?? ''), { realm_access: { roles: [`default-roles-${host.defaultRealm}`] } });
});

test('new clients: a client that names scopes of one kind has none of the other kind', async (t) => {
  const clients = SCOPES.map(([said], index) => ({ clientId: `file-${index}`, secret: 's', ...said }));
  const { call, path, of } = await scene({ clients });
  for (const [index, [said, always, asked]] of SCOPES.entries()) {
    t.is((await call('POST', `${path}/clients`, { clientId: `new-${index}`, secret: 's', ...said })).status, 201);
    for (const clientId of [`file-${index}`, `new-${index}`]) {
      const { json } = await call('GET', await of(clientId));
      const shown = [json.defaultClientScopes, json.optionalClientScopes] as unknown as string[][];
      t.deepEqual(
        shown.map((names) => names.toSorted()),
        [always, asked],
        clientId,
      );
    }
  }
});

test('new clients: changing one kind of scopes keeps the other', async (t) => {
  const { call, path, of } = await scene({ clients: [{ clientId: 'follows', secret: 's' }, account('serves')] });
  const scopes = (await call('GET', `${path}/client-scopes`)).json as unknown as { id: string; name: string }[];
  const phone = scopes.find(({ name }) => name === 'phone')?.id;
  t.is((await call('DELETE', `${await of('follows')}/optional-client-scopes/${phone}`)).status, 204);
  const { json } = await call('GET', await of('follows'));
  t.deepEqual((json.defaultClientScopes as unknown as string[]).toSorted(), DEFAULT);
  t.deepEqual(
    (json.optionalClientScopes as unknown as string[]).toSorted(),
    OPTIONAL.filter((name) => name !== 'phone'),
  );
});

test('new clients: a client that registers and names scopes keeps the other default scopes of the realm', async (t) => {
  const { host, call, path, of } = await scene({});
  const { json: initial } = await call('POST', `${path}/clients-initial-access`, { count: 2, expiration: 100 });
  const { json } = await fetchAnswer(`${host.realm(host.defaultRealm)}/clients-registrations/openid-connect`, {
    method: 'POST',
    headers: { authorization: `Bearer ${initial.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: ['https://app.test/cb'], scope: 'email address' }),
  });
  t.is(json.scope, 'email address');
  const client = (await call('GET', await of(String(json.client_id)))).json;
  t.deepEqual((client.defaultClientScopes as unknown as string[]).toSorted(), [
    'acr',
    'basic',
    'profile',
    'roles',
    'web-origins',
  ]);
  t.deepEqual((client.optionalClientScopes as unknown as string[]).toSorted(), ['address', 'email']);
});
