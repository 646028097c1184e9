import test from 'ava';
import { adminCaller, administered, administrator, clientUuid } from '../helpers/admin.js';
import { fetchAnswer } from '../helpers/host.js';
import { bearer } from '../helpers/login.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const realm = testRealm('demo', { providers: {} });
const users = [
  ...(realm.users ?? []),
  administrator('clerk', 'manage-clients', 'view-realm'),
  administrator('boss', 'realm-admin'),
  administrator('hand', 'manage-clients', 'manage-users', 'view-users', 'query-users', 'query-groups'),
];
const host = shareHost(test, administered({ realms: [{ ...realm, users }] }));
const as = (username: string) => adminCaller(host(), { realm: 'demo', username, password: username });

const mapper = (protocolMapper: string, config: Record<string, string>) => ({
  name: `m-${Math.random()}`,
  protocol: 'openid-connect',
  protocolMapper: `oidc-${protocolMapper}-mapper`,
  config: { 'access.token.claim': 'true', ...config },
});
const hardcoded = (claim: string, value: string) =>
  mapper('hardcoded-claim', { 'claim.name': claim, 'claim.value': value, 'jsonType.label': 'JSON' });

const SAYING = {
  'a hardcoded role': mapper('hardcoded-role', { role: 'realm-management.realm-admin' }),
  'a renamed role': mapper('role-name', { role: 'reader', 'new.role.name': 'realm-management.manage-users' }),
  'a claim with the list': hardcoded('resource_access.realm-management.roles', '["manage-users"]'),
  'a claim with the client': hardcoded('resource_access.realm-management', '{"roles":["manage-users"]}'),
  'a claim with all clients': hardcoded('resource_access', '{"realm-management":{"roles":["realm-admin"]}}'),
  'a claim whose name has backslashes': hardcoded('resource\\_access.realm\\-management.roles', '["manage-users"]'),
  'a claim whose name ends with a dot': hardcoded('roles.', '["realm-admin"]'),
  'a claim that is a text': hardcoded('resource_access.realm-management.roles', 'manage-users,view-users'),
  'roles of no client': hardcoded('roles', '["realm-admin"]'),
  'an attribute': mapper('usermodel-attribute', {
    'user.attribute': 'x',
    'claim.name': 'resource_access.realm-management.roles',
  }),
  'a whole attribute': mapper('usermodel-attribute', { 'user.attribute': 'x', 'claim.name': 'resource_access' }),
  'groups as roles': mapper('group-membership', { 'claim.name': 'resource_access.realm-management.roles' }),
  'roles of others': mapper('usermodel-client-role', {
    'usermodel.clientRoleMapping.clientId': 'web',
    'claim.name': 'resource_access.realm-management.roles',
  }),
  'groups as roles of no client': mapper('group-membership', { 'claim.name': 'roles' }),
  'a prefix to roles of no client': mapper('usermodel-realm-role', {
    'usermodel.realmRoleMapping.rolePrefix': 'realm-',
    'claim.name': 'roles',
  }),
  'a prefix': mapper('usermodel-client-role', {
    'usermodel.clientRoleMapping.rolePrefix': 'manage-',
    'claim.name': 'resource_access.${client_id}.roles',
  }),
};
const HARMLESS = {
  'what users hold': mapper('usermodel-client-role', { 'claim.name': 'resource_access.${client_id}.roles' }),
  'what users hold, of no client': mapper('usermodel-client-role', { 'claim.name': 'roles' }),
  'roles of the realm that users hold': mapper('usermodel-realm-role', { 'claim.name': 'roles' }),
  'a role of its own': mapper('hardcoded-role', { role: 'web.editor' }),
  'another claim': hardcoded('team.realm-management', '"realm-admin"'),
  'roles of an application': hardcoded('resource_access.web.roles', '["realm-admin"]'),
};

test('T537 · rights in claims: a mapper that puts a right into tokens needs a caller with that right, in a client and in a client scope', async (t) => {
  const clerk = await as('clerk');
  const boss = await as('boss');
  const web = `/realms/demo/clients/${await clientUuid(host(), 'web')}`;
  const scope = (await clerk('POST', '/realms/demo/client-scopes', { name: 'saying' })).headers.get('location');
  const scopePath = `/realms/demo/client-scopes/${scope?.split('/').at(-1)}`;
  for (const [name, sent] of Object.entries(SAYING)) {
    for (const path of [web, scopePath]) {
      const models = `${path}/protocol-mappers`;
      t.is((await clerk('POST', `${models}/models`, sent)).status, 403, name);
      t.is((await clerk('POST', `${models}/add-models`, [sent])).status, 403, name);
    }
    t.is(
      (await clerk('POST', '/realms/demo/clients', { clientId: 'said', protocolMappers: [sent] })).status,
      403,
      name,
    );
    t.is((await clerk('PUT', web, { protocolMappers: [sent] })).status, 403, name);
    t.is(
      (await clerk('POST', '/realms/demo/client-scopes', { name: 'said', protocolMappers: [sent] })).status,
      403,
      name,
    );
  }
  for (const [name, sent] of Object.entries(HARMLESS))
    t.is((await clerk('POST', `${web}/protocol-mappers/models`, sent)).status, 201, name);
  const deep = { name: '.a'.repeat(20_000), value: ['['.repeat(20_000), ']'.repeat(20_000)] as const };
  for (const [open, close] of [deep.value, ['{"a":'.repeat(20_000), '}'.repeat(20_000)] as const]) {
    const value = `${open}"realm-management.realm-admin"${close}`;
    for (const claim of ['realm_access', `roles${deep.name}`]) {
      const answer = await clerk('POST', `${web}/protocol-mappers/models`, hardcoded(claim, value));
      t.is(answer.status, 403, 'a right, however deep');
    }
    t.is((await boss('POST', `${scopePath}/protocol-mappers/models`, hardcoded('realm_access', value))).status, 201);
  }
  for (const claim of ['realm_access', 'resource_access']) {
    const answer = await clerk('POST', `${scopePath}/protocol-mappers/models`, hardcoded(claim + deep.name, 'x'));
    t.is(answer.status, 201, 'none, however deep');
  }
  t.is((await clerk('PUT', web, { description: 'a realm with deep mappers is edited as any other' })).status, 204);
  // A harmless mapper cannot be changed into a harmful one.
  const role = HARMLESS['a role of its own'];
  const claim = HARMLESS['another claim'];
  const models = (await clerk('GET', `${web}/protocol-mappers/models`)).json as unknown as {
    id: string;
    name: string;
  }[];
  const own = (name: string) => `${web}/protocol-mappers/models/${models.find((one) => one.name === name)?.id}`;
  t.is((await clerk('PUT', own(role.name), { ...SAYING['a hardcoded role'], name: role.name })).status, 403);
  t.is((await clerk('PUT', own(claim.name), { ...SAYING['an attribute'], name: claim.name })).status, 403);
  t.is((await boss('POST', `${scopePath}/protocol-mappers/models`, SAYING['a hardcoded role'])).status, 201);
  t.is((await clerk('PUT', scopePath, { description: 'still theirs to describe' })).status, 204);
});

test('T538 · rights in claims: a scope with such a mapper is assigned by callers with the right', async (t) => {
  const clerk = await as('clerk');
  const boss = await as('boss');
  const sent = { name: 'given', protocolMappers: [SAYING['a hardcoded role']] };
  const id = (await boss('POST', '/realms/demo/client-scopes', sent)).headers.get('location')?.split('/').at(-1);
  const web2 = `/realms/demo/clients/${await clientUuid(host(), 'web2')}`;
  for (const path of [`${web2}/default-client-scopes/${id}`, `${web2}/optional-client-scopes/${id}`])
    t.is((await clerk('PUT', path)).status, 403, path);
  for (const kind of ['default', 'optional'])
    t.is((await clerk('PUT', `/realms/demo/default-${kind}-client-scopes/${id}`)).status, 403, kind);
  const made = { clientId: 'made', defaultClientScopes: ['given'] };
  t.is((await clerk('POST', '/realms/demo/clients', made)).status, 403);
  t.is((await boss('PUT', `${web2}/default-client-scopes/${id}`)).status, 204);
  t.is((await clerk('PUT', web2, { description: 'theirs' })).status, 204, 'what it has is not judged again');
  const read = (await boss('GET', `/realms/demo/client-scopes/${id}/protocol-mappers/models`)).json as unknown;
  const [given] = read as { id: string }[];
  const collides = { clientId: 'web2.scopes.given', protocolMappers: [given] };
  t.is((await clerk('POST', '/realms/demo/clients', collides)).status, 403, 'a name that reads as another place');
  const own = { clientId: 'own', protocolMappers: [{ ...SAYING['a hardcoded role'], id: 'own-1' }] };
  t.is((await boss('POST', '/realms/demo/clients', own)).status, 201);
  const another = { ...hardcoded('roles', '["manage-users"]'), id: 'own-1' };
  const sent2 = { protocolMappers: [another, ...own.protocolMappers] };
  const path = `/realms/demo/clients/${await clientUuid(host(), 'own')}`;
  t.true([400, 403].includes((await clerk('PUT', path, sent2)).status), 'two mappers of one id');
});

test('T767 · rights in claims: changing a mapper’s protocol to one with an effect needs the right', async (t) => {
  const clerk = await as('clerk');
  const boss = await as('boss');
  const idle = { ...SAYING['a hardcoded role'], protocol: 'saml' };
  const made = async (path: string, body: object) => {
    const { status, headers, text } = await boss('POST', `/realms/demo/${path}`, body);
    t.is(status, 201, text);
    return `/realms/demo/${path}/${headers.get('location')?.split('/').at(-1)}`;
  };
  const changed = async (path: string, change: object) => [
    (await clerk('PUT', path, { description: 'theirs' })).status,
    (await clerk('PUT', path, change)).status,
  ];
  const scope = await made('client-scopes', {
    name: 'idle',
    protocol: 'saml',
    protocolMappers: [{ ...idle, protocol: 'openid-connect' }],
  });
  t.deepEqual(await changed(scope, { protocol: 'openid-connect' }), [204, 403], 'a client scope');
  const saml = { clientId: 'idle', protocol: 'saml', protocolMappers: [{ ...idle, protocol: 'openid-connect' }] };
  t.deepEqual(await changed(await made('clients', saml), { protocol: 'openid-connect' }), [204, 403], 'a client');
  const client = await made('clients', { clientId: 'idle2', protocolMappers: [idle] });
  const [kept] = (await clerk('GET', `${client}/protocol-mappers/models`)).json as unknown as { id: string }[];
  const model = `${client}/protocol-mappers/models/${kept?.id}`;
  t.is((await clerk('PUT', model, { ...kept, protocol: 'openid-connect' })).status, 403);
  const { json } = await boss('GET', model);
  t.is((json as unknown as { protocol: string }).protocol, 'saml');
  t.is((await boss('PUT', model, { ...kept, protocol: 'openid-connect' })).status, 204);
});

test('T539 · rights in claims: roles are mapped to clients and scopes by callers who hold them', async (t) => {
  const clerk = await as('clerk');
  const hand = await as('hand');
  const management = await clientUuid(host(), 'realm-management');
  const web2 = `/realms/demo/clients/${await clientUuid(host(), 'web2')}`;
  const role = async (name: string) =>
    (await (await adminCaller(host()))('GET', `/realms/demo/clients/${management}/roles/${name}`)).json;
  const path = `${web2}/scope-mappings/clients/${management}`;
  t.is((await clerk('POST', path, [await role('realm-admin')])).status, 403);
  t.is((await clerk('POST', path, [await role('manage-users')])).status, 403);
  t.is((await hand('POST', path, [await role('manage-users')])).status, 204);
});

test('T540 · rights in claims: nobody registers a client whose tokens contain a right', async (t) => {
  const call = await adminCaller(host());
  const access = (await call('POST', '/realms/demo/clients-initial-access', { count: 20 })).json.token ?? '';
  const register = (body: object, token = access, below = '', method = 'POST') =>
    fetchAnswer(`${host().realm('demo')}/clients-registrations/default${below}`, {
      method,
      headers: { 'content-type': 'application/json', ...bearer(token) },
      body: JSON.stringify(body),
    });
  for (const [name, sent] of Object.entries(SAYING)) {
    const answer = await register({ clientId: 'registered', protocolMappers: [sent] });
    t.true([400, 403].includes(answer.status), `${name}: ${answer.status} ${answer.text}`);
  }
  const made = await register({ clientId: 'registered' });
  t.is(made.status, 201, made.text);
  const token = made.json.registrationAccessToken ?? '';
  const change = { clientId: 'registered', protocolMappers: [SAYING['a hardcoded role']] };
  t.true([400, 403].includes((await register(change, token, '/registered', 'PUT')).status));
});
