import test from 'ava';
import { adminCaller, administrator, clientUuid, startAdministered } from '../helpers/admin.js';
import { testRealm } from '../helpers/realms.js';

/** Requests below the client that Keycloak 26.7.3 answers with 403: [method, path, body]. */
const OF_CLIENT: readonly [string, string, unknown?][] = [
  ['PUT', '', { description: 'changed' }],
  ['PUT', '', { clientId: 'renamed' }],
  ['PUT', '', { enabled: false }],
  ['PUT', '', { serviceAccountsEnabled: true, bearerOnly: false }],
  ['DELETE', ''],
  ['POST', '/roles', { name: 'custom' }],
  ['PUT', '/roles/view-users', { name: 'view-users', description: 'changed' }],
  ['PUT', '/roles/view-users', { name: 'renamed' }],
  ['DELETE', '/roles/view-users'],
  ['POST', '/roles/view-users/composites', []],
  ['DELETE', '/roles/view-users/composites', []],
  ['POST', '/protocol-mappers/models', { name: 'x', protocolMapper: 'oidc-hardcoded-claim-mapper' }],
  ['POST', '/scope-mappings/realm', []],
  ['POST', '/client-secret'],
  ['POST', '/registration-access-token'],
  ['POST', '/nodes', { node: 'a.example' }],
  ['POST', '/push-revocation'],
  ['POST', '/certificates/jwt.credential/generate'],
];

test('T694 · admin roles: the definitions of admin rights cannot be changed', async (t) => {
  const demo = testRealm('demo', { users: [administrator('boss', 'realm-admin')] });
  const host = await startAdministered(t, { realms: [demo] });
  const root = await adminCaller(host);
  const boss = await adminCaller(host, { realm: 'demo', username: 'boss', password: 'boss' });
  const inDemo = `/realms/demo/clients/${await clientUuid(host, 'realm-management', 'demo')}`;
  const [inStead] = (await root('GET', '/realms/master/clients?clientId=demo-realm')).json as unknown as {
    id: string;
  }[];
  const inMaster = `/realms/master/clients/${inStead?.id}`;
  const places: [string, typeof root, string][] = [
    ['root in demo', root, inDemo],
    ['realm-admin of demo', boss, inDemo],
    ['root in master', root, inMaster],
  ];
  for (const [who, call, client] of places) {
    const before = (await root('GET', client)).text;
    for (const [method, path, body] of OF_CLIENT) {
      const { status, json } = await call(method, client + path, body);
      t.deepEqual([status, json], [403, { error: 'HTTP 403 Forbidden' }], `${who}: ${method} ${path}`);
    }
    t.is((await root('GET', client)).text, before, who);
    const role = (await call('GET', `${client}/roles/view-users`)).json as { id?: string };
    const byId = `${client.slice(0, client.indexOf('/clients'))}/roles-by-id/${role.id}`;
    t.is((await call('PUT', byId, { ...role, description: 'changed' })).status, 403, who);
    t.is((await call('DELETE', byId)).status, 403, who);
    t.deepEqual((await call('GET', byId)).json, role, who);
  }
  for (const name of ['admin', 'create-realm']) {
    const path = `/realms/master/roles/${name}`;
    const role = (await root('GET', path)).json as { id?: string };
    for (const [method, below, body] of [
      ['PUT', '', { ...role, description: 'changed' }],
      ['PUT', '', { ...role, name: 'renamed' }],
      ['DELETE', ''],
      ['POST', '/composites', []],
      ['DELETE', '/composites', []],
    ] as const) {
      t.is((await root(method, path + below, body)).status, 403, `${method} ${name}${below}`);
    }
    t.is((await root('PUT', `/realms/master/roles-by-id/${role.id}`, role)).status, 403, name);
    t.deepEqual((await root('GET', path)).json, role, name);
  }
});

test('T695 · admin roles: a realm role with the name of one of master’s is an ordinary role elsewhere, as is a client with such a name', async (t) => {
  const host = await startAdministered(t, { realms: [testRealm('demo')] });
  const root = await adminCaller(host);
  for (const [path, name] of [
    ['/realms/demo/roles', 'admin'],
    ['/realms/demo/roles', 'create-realm'],
  ] as const) {
    t.is((await root('POST', path, { name })).status, 201);
    t.is((await root('PUT', `${path}/${name}`, { name, description: 'ours' })).status, 204);
    t.is((await root('DELETE', `${path}/${name}`)).status, 204);
  }
  for (const [realm, clientId] of [
    ['demo', 'demo-realm'],
    ['master', 'nobodys-realm'],
  ] as const) {
    t.is((await root('POST', `/realms/${realm}/clients`, { clientId })).status, 201);
    const client = `/realms/${realm}/clients/${await clientUuid(host, clientId, realm)}`;
    t.is((await root('POST', `${client}/roles`, { name: 'view-users' })).status, 201, clientId);
    t.is((await root('DELETE', `${client}/roles/view-users`)).status, 204, clientId);
  }
});
