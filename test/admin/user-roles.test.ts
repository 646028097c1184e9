import type { RoleMappingPayload } from '@keycloak/keycloak-admin-client/lib/defs/roleRepresentation.js';
import test, { type ExecutionContext } from 'ava';
import { adminCaller, adminClient, startAdministered } from '../helpers/admin.js';
import { ALICE, DAVE, testRealm } from '../helpers/realms.js';

const realm = 'demo';

/** `helper` may manage users only. Members of the group `bosses` may manage the realm. */
async function start(t: ExecutionContext) {
  const demo = testRealm('demo');
  const helper = {
    username: 'helper',
    enabled: true,
    credentials: [{ type: 'password', value: 'h' }],
    clientRoles: { 'realm-management': ['manage-users', 'view-users', 'impersonation'] },
  };
  const bosses = {
    name: 'bosses',
    clientRoles: { 'realm-management': ['realm-admin'] },
    subGroups: [{ name: 'young' }],
  };
  const chief = { name: 'chief', composites: { client: { 'realm-management': ['manage-realm'] } } };
  const host = await startAdministered(t, {
    realms: [
      {
        ...demo,
        roles: { ...demo.roles, realm: [...(demo.roles?.realm ?? []), chief] },
        groups: [...(demo.groups ?? []), bosses],
        users: [...(demo.users ?? []), helper],
      },
    ],
  });
  const admin = await adminClient(host);
  const compiled = await host.realms.get('demo');
  const uuid = (clientId: string) => compiled?.clients.get(clientId)?.id ?? '';
  return { host, admin, uuid, call: await adminCaller(host, { realm, username: 'helper', password: 'h' }) };
}

const names = (roles: readonly { name?: string }[]) => roles.map(({ name }) => name).join(' ');

test('role mappings of users: roles of the realm and of clients are added and removed', async (t) => {
  const { admin, uuid, host } = await start(t);
  const web = uuid('web');
  const of = { realm, id: ALICE };
  t.is(names(await admin.users.listRealmRoleMappings(of)), 'default-roles-demo reader');
  t.is(names(await admin.users.listClientRoleMappings({ ...of, clientUniqueId: web })), 'editor');
  const all = await admin.users.listRoleMappings(of);
  t.is(names(all.realmMappings ?? []), 'default-roles-demo reader');
  t.like(all.clientMappings?.web, { id: web, client: 'web' });
  t.is(
    names(await admin.users.listCompositeRealmRoleMappings(of)),
    'default-roles-demo offline_access reader staff uma_authorization',
    'by groups too',
  );
  const available = await admin.users.listAvailableRealmRoleMappings(of);
  t.is(names(available), 'chief offline_access staff uma_authorization');
  const staff = available.filter(({ name }) => name === 'staff');
  t.like(staff[0], { composite: true, clientRole: false });
  await admin.users.addRealmRoleMappings({ ...of, roles: staff as RoleMappingPayload[] });
  t.is(names(await admin.users.listRealmRoleMappings(of)), 'default-roles-demo reader staff');
  await admin.users.delRealmRoleMappings({ ...of, roles: staff as RoleMappingPayload[] });
  t.is(names(await admin.users.listRealmRoleMappings(of)), 'default-roles-demo reader');
  const ofDave = { realm, id: DAVE, clientUniqueId: web };
  const [editor] = await admin.users.listAvailableClientRoleMappings(ofDave);
  t.like(editor, { name: 'editor', clientRole: true, containerId: web });
  await admin.users.addClientRoleMappings({ ...ofDave, roles: [editor] as RoleMappingPayload[] });
  t.is(names(await admin.users.listCompositeClientRoleMappings(ofDave)), 'editor');
  t.is(names(await admin.users.listAvailableClientRoleMappings(ofDave)), '');
  await admin.users.delClientRoleMappings({ ...ofDave, roles: [editor] as RoleMappingPayload[] });
  t.is(names(await admin.users.listClientRoleMappings(ofDave)), '');
  const call = await adminCaller(host);
  const unknown = await call('POST', `/realms/demo/users/${ALICE}/role-mappings/realm`, [{ id: 'x', name: 'reader' }]);
  t.deepEqual([unknown.status, unknown.text], [404, '{"error":"Role not found"}']);
  t.is((await call('GET', `/realms/demo/users/${ALICE}/role-mappings/clients/${ALICE}`)).status, 404);
});

test('role mappings of users: assigned and available roles are searched and paged', async (t) => {
  const { host } = await start(t);
  const call = await adminCaller(host);
  const path = `/realms/demo/users/${ALICE}/role-mappings/realm`;
  const listed = async (query: string) => names(JSON.parse((await call('GET', `${path}/${query}`)).text));
  t.is(await listed('available?search=STA'), 'staff');
  t.is(await listed('available?first=1&max=2'), 'offline_access staff');
  t.is(await listed('composite?search=a&first=1&max=2'), 'offline_access reader');
  t.is(await listed('available?search=reader'), '', 'it is given already');
});

test('role mappings of users: nobody gives or removes admin rights that they do not hold, by a role or by a group', async (t) => {
  const { host, admin, uuid, call } = await start(t);
  const management = uuid('realm-management');
  const of = { realm, id: ALICE };
  const inManagement = { ...of, clientUniqueId: management };
  const all = await admin.users.listAvailableClientRoleMappings(inManagement);
  const role = (name: string) => all.filter((candidate) => candidate.name === name);
  const path = `/realms/demo/users/${ALICE}`;
  const give = (what: unknown) => call('POST', `${path}/role-mappings/clients/${management}`, what);
  t.is((await give(role('realm-admin'))).status, 403);
  t.is((await give(role('manage-realm'))).status, 403);
  t.is((await give(role('manage-users'))).status, 204, 'what they hold they may give');
  const available = JSON.parse((await call('GET', `${path}/role-mappings/clients/${management}/available`)).text);
  t.is(names(available), 'impersonation query-groups query-users view-users');
  const chief = (await admin.users.listAvailableRealmRoleMappings(of)).filter(({ name }) => name === 'chief');
  t.is((await call('POST', `${path}/role-mappings/realm`, chief)).status, 403, 'nor in a composite');
  const groups = await admin.groups.find({ realm });
  const bosses = groups.find(({ name }) => name === 'bosses')?.id ?? '';
  const [young] = await admin.groups.listSubGroups({ realm, parentId: bosses });
  const team = groups.find(({ name }) => name === 'team')?.id ?? '';
  for (const [method, group, status] of [
    ['PUT', bosses, 403],
    ['PUT', young?.id, 403],
    ['DELETE', bosses, 403],
    ['PUT', team, 204],
    ['DELETE', team, 204],
  ] as const) {
    t.is((await call(method, `${path}/groups/${group}`)).status, status, `${method} ${group}`);
  }
  t.is((await call('POST', '/realms/demo/users', { username: 'spy', groups: ['/bosses/young'] })).status, 403);
  for (const body of [{ id: team }, { id: young?.id }]) {
    const answer = await call('POST', `/realms/demo/groups/${bosses}/children`, body);
    t.is(answer.status, body.id === team ? 403 : 204, 'a move below a group gives its members the roles of that group');
  }
  t.is((await call('PUT', `/realms/demo/groups/${bosses}`, { name: 'team2' })).status, 403);
  t.is((await call('POST', '/realms/demo/groups', { id: young?.id })).status, 403);
  t.is((await call('DELETE', `/realms/demo/groups/${bosses}`)).status, 403);
  t.is((await call('POST', `/realms/demo/groups/${team}/role-mappings/realm`, chief)).status, 403);
  t.is((await call('PUT', `/realms/demo/default-groups/${team}`)).status, 403, 'that is for who manages the realm');
  const alice = await host.store.users.byId('demo', ALICE);
  t.deepEqual(alice?.representation.clientRoles?.['realm-management'], ['manage-users']);
});

test('role mappings of users: nobody changes or impersonates a user with rights that they do not hold', async (t) => {
  const { host, call } = await start(t);
  const before = (await host.store.users.byId('demo', DAVE))?.version;
  const dave = `/realms/demo/users/${DAVE}`;
  const attempts: [string, string, unknown?][] = [
    ['PUT', '', { email: 'helper@example.test' }],
    ['PUT', '', { credentials: [{ type: 'password', value: 'x' }] }],
    ['PUT', '/reset-password', { value: 'x' }],
    ['PUT', '/disable-credential-types', ['password']],
    ['POST', '/federated-identity/corp', { userId: '1' }],
    ['POST', '/impersonation', {}],
    ['POST', '/logout', {}],
    ['DELETE', '', undefined],
  ];
  for (const [method, path, body] of attempts) {
    const answer = await call(method, dave + path, body);
    t.deepEqual([answer.status, answer.text], [403, '{"error":"HTTP 403 Forbidden"}'], `${method} ${path}`);
  }
  t.is((await host.store.users.byId('demo', DAVE))?.version, before);
  const shown = await call('GET', dave);
  t.like(shown.json, { access: { manage: false, impersonate: false, view: true } } as object);
  t.is((await call('PUT', `/realms/demo/users/${ALICE}`, { firstName: 'A' })).status, 204);
});

test('role mappings of users: view-users does not permit changes, and query-users sees no user', async (t) => {
  const demo = testRealm('demo');
  const person = (username: string, roles: string[]) => ({
    username,
    enabled: true,
    credentials: [{ type: 'password', value: 'p' }],
    clientRoles: { 'realm-management': roles },
  });
  const people = [person('viewer', ['view-users']), person('asker', ['query-users']), person('other', ['view-realm'])];
  const host = await startAdministered(t, { realms: [{ ...demo, users: [...(demo.users ?? []), ...people] }] });
  const as = (username: string) => adminCaller(host, { realm, username, password: 'p' });
  const [viewer, asker, other] = await Promise.all([as('viewer'), as('asker'), as('other')]);
  t.is(JSON.parse((await viewer('GET', '/realms/demo/users')).text).length, 7);
  t.is((await viewer('GET', `/realms/demo/users/${ALICE}`)).status, 200);
  t.is((await viewer('PUT', `/realms/demo/users/${ALICE}`, { firstName: 'x' })).status, 403);
  t.is((await viewer('POST', '/realms/demo/users', { username: 'x' })).status, 403);
  t.is((await viewer('POST', `/realms/demo/users/${ALICE}/logout`)).status, 403);
  t.is((await viewer('POST', `/realms/demo/users/${ALICE}/impersonation`)).status, 403);
  t.is((await asker('GET', '/realms/demo/users')).text, '[]');
  t.is((await asker('GET', '/realms/demo/users/count')).text, '0');
  t.is((await asker('GET', '/realms/demo/users/unknown')).status, 403, 'not even whether there is such a user');
  t.is((await other('GET', '/realms/demo/users')).status, 403);
  t.is((await other('GET', '/realms/demo/groups')).status, 403);
});
