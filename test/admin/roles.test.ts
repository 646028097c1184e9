import test from 'ava';
import { adminCaller, administered, administrator, clientUuid, ownRealm } from '../helpers/admin.js';
import { claimsOf, type TestHost } from '../helpers/host.js';
import { idIn } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

const LOGIN = { grant_type: 'password', client_id: 'spa', username: 'alice', password: 'Alice-pass-1!' };

async function rolesOf(host: TestHost) {
  const claims = claimsOf((await host.token(host.defaultRealm, LOGIN)).json.access_token ?? '') as {
    realm_access?: { roles: string[] };
    resource_access?: Record<string, { roles: string[] }>;
  };
  return { realm: claims.realm_access?.roles.sort(), clients: claims.resource_access };
}

test('roles: a realm role is created, found, listed, renamed for all holders, and removed from them', async (t) => {
  const { host, admin } = await ownRealm(shared());
  t.is(
    (await admin.roles.create({ name: 'a/b c', description: 'Odd', attributes: { x: ['1'] } })).roleName,
    'a%2Fb%20c',
  );
  const odd = await admin.roles.findOneByName({ name: 'a/b c' });
  t.like(odd, { description: 'Odd', composite: false, clientRole: false, attributes: { x: ['1'] } });
  t.is(odd?.containerId, (await host.realms.get(host.defaultRealm))?.id);
  await t.throwsAsync(admin.roles.create({ name: 'reader' }), { message: 'Role with name reader already exists' });
  t.deepEqual(
    (await admin.roles.find({ search: 'READ' })).map(({ name }) => name),
    ['reader'],
  );
  t.deepEqual(
    (await admin.roles.find({ search: 'odd' })).map(({ name }) => name),
    ['a/b c'],
  );
  const all = (await admin.roles.find()).map(({ name }) => name);
  t.deepEqual(all, [...all].sort());
  t.deepEqual(
    (await admin.roles.find({ first: 1, max: 2 })).map(({ name }) => name),
    all.slice(1, 3),
  );
  const reader = await admin.roles.findOneByName({ name: 'reader' });
  const id = reader?.id ?? '';
  await admin.roles.updateById({ id }, { name: 'student', description: 'Reads' });
  t.like(await admin.roles.findOneById({ id }), { name: 'student', description: 'Reads' });
  t.is<unknown, null>(await admin.roles.findOneByName({ name: 'reader' }), null);
  t.true((await rolesOf(host)).realm?.includes('student'));
  t.deepEqual((await host.store.users.byId(host.defaultRealm, idIn(host.defaultRealm)))?.representation.realmRoles, [
    'student',
    `default-roles-${host.defaultRealm}`,
  ]);
  const staff = await admin.roles.findOneByName({ name: 'staff' });
  t.deepEqual(
    (await admin.roles.getCompositeRoles({ id: staff?.id ?? '' })).map(({ name }) => name),
    ['student'],
  );
  t.deepEqual(
    (await admin.roles.findUsersWithRole({ name: 'student' })).map(({ username }) => username),
    ['alice'],
  );
  await admin.roles.delByName({ name: 'student' });
  t.false((await rolesOf(host)).realm?.includes('student'));
  t.like(await admin.roles.findOneByName({ name: 'staff' }), { composite: false });
  t.deepEqual((await host.store.users.byId(host.defaultRealm, idIn(host.defaultRealm)))?.representation.realmRoles, [
    `default-roles-${host.defaultRealm}`,
  ]);
});

test('roles: a composite contains roles of the realm and of clients, and its holders have them at once', async (t) => {
  const { host, admin } = await ownRealm(shared());
  const web = await clientUuid(host, 'web');
  const { roleName } = await admin.clients.createRole({ id: web, name: 'chief' });
  t.is(roleName, 'chief');
  const chief = await admin.clients.findRole({ id: web, roleName });
  t.like(chief, { clientRole: true, containerId: web });
  const reader = await admin.roles.findOneByName({ name: 'reader' });
  const staff = await admin.roles.findOneByName({ name: 'staff' });
  const roleId = reader?.id ?? '';
  const contained = [{ id: chief?.id ?? '' }, { id: staff?.id ?? '' }];
  await admin.roles.createComposite({ roleId }, contained);
  await admin.roles.createComposite({ roleId }, contained);
  t.deepEqual((await rolesOf(host)).clients?.web?.roles.sort(), ['chief', 'editor']);
  t.deepEqual(
    (await admin.roles.getCompositeRoles({ id: roleId })).map(({ name }) => name),
    ['chief', 'staff'],
  );
  t.deepEqual(
    (await admin.roles.getCompositeRolesForRealm({ id: roleId })).map(({ name }) => name),
    ['staff'],
  );
  const ofWeb = await admin.roles.getCompositeRolesForClient({ id: roleId, clientId: web });
  t.deepEqual(
    ofWeb.map(({ name }) => name),
    ['chief'],
  );
  const call = await adminCaller(host);
  const groups = await call('GET', `/realms/${host.defaultRealm}/roles/staff/groups`);
  t.deepEqual(
    JSON.parse(groups.text).map(({ path }: { path: string }) => path),
    ['/team'],
  );
  await admin.roles.delCompositeRoles({ id: roleId }, contained);
  t.deepEqual(await admin.roles.getCompositeRoles({ id: roleId }), []);
  t.deepEqual((await rolesOf(host)).clients?.web?.roles, ['editor']);
  await t.throwsAsync(admin.roles.createComposite({ roleId }, [{ id: 'none' }]), {
    message: 'Could not find composite role',
  });
  const made = { name: 'made', composites: { realm: ['staff'], client: { web: ['chief'] } } };
  t.is((await call('POST', `/realms/${host.defaultRealm}/roles`, made)).status, 201);
  t.deepEqual(
    JSON.parse((await call('GET', `/realms/${host.defaultRealm}/roles/made/composites`)).text).map(
      ({ name }: { name: string }) => name,
    ),
    ['chief', 'staff'],
  );
  t.is(
    (await call('POST', `/realms/${host.defaultRealm}/roles`, { name: 'bad', composites: { realm: ['none'] } })).status,
    404,
  );
  await admin.clients.delRole({ id: web, roleName: 'chief' });
  const left = await admin.roles.findOneByName({ name: 'made' });
  t.deepEqual(
    (await admin.roles.getCompositeRoles({ id: left?.id ?? '' })).map(({ name }) => name),
    ['staff'],
  );
});

test('roles: admin roles keep their names, and nobody assigns more than they hold', async (t) => {
  const { host, admin } = await ownRealm(shared(), ({ users = [], roles = {} }) => ({
    users: [
      ...users,
      administrator('realmer', 'manage-realm', 'view-clients'),
      administrator('clienter', 'manage-clients'),
    ],
    roles: {
      ...roles,
      realm: [
        ...(roles.realm ?? []),
        { name: 'desk', composites: { client: { 'realm-management': ['manage-users'] } } },
      ],
    },
  }));
  const realm = host.defaultRealm;
  const management = await clientUuid(host, 'realm-management');
  const idOf = async (name: string) => (await admin.clients.findRole({ id: management, roleName: name }))?.id ?? '';
  const realmer = await adminCaller(host, { realm, username: 'realmer', password: 'realmer' });
  const clienter = await adminCaller(host, { realm, username: 'clienter', password: 'clienter' });
  const dave = await adminCaller(host, { realm, username: 'dave', password: 'Dave-pass-1!' });
  const add = async (call: typeof dave, role: string, contained: string) =>
    (await call('POST', `/realms/${host.defaultRealm}/roles/${role}/composites`, [{ id: await idOf(contained) }]))
      .status;
  t.is(await add(realmer, `default-roles-${host.defaultRealm}`, 'manage-users'), 403);
  t.is(await add(realmer, 'reader', 'realm-admin'), 403);
  t.is(await add(realmer, 'reader', 'manage-realm'), 204, 'what one holds one may hand on');
  t.is(await add(dave, 'reader', 'realm-admin'), 204);
  const byName = { name: 'sneaky', composites: { client: { 'realm-management': ['manage-users'] } } };
  t.is((await realmer('POST', `/realms/${host.defaultRealm}/roles`, byName)).status, 403);
  t.is(
    (await realmer('PUT', `/realms/${host.defaultRealm}/roles/desk`, { name: 'table' })).status,
    403,
    'it carries manage-users',
  );
  t.is((await realmer('DELETE', `/realms/${host.defaultRealm}/roles/desk`)).status, 403);
  t.is((await dave('DELETE', `/realms/${host.defaultRealm}/roles/desk`)).status, 204);
  const path = `/realms/${host.defaultRealm}/clients/${management}/roles`;
  t.is((await clienter('POST', path, { name: 'new-right' })).status, 403);
  t.is((await clienter('PUT', `${path}/query-users`, { name: 'x' })).status, 403);
  t.is((await dave('PUT', `${path}/query-users`, { name: 'x' })).status, 403);
  t.is((await dave('DELETE', `${path}/manage-users`)).status, 403);
  t.is((await clienter('POST', `${path}/query-clients/composites`, [{ id: await idOf('manage-users') }])).status, 403);
  const byDefault = await dave('DELETE', `/realms/${host.defaultRealm}/roles/default-roles-${host.defaultRealm}`);
  t.is(byDefault.status, 400);
  t.is(
    byDefault.json.errorMessage,
    `default-roles-${host.defaultRealm} is default role of the realm and cannot be removed.`,
  );
  t.is(
    (await dave('PUT', `/realms/${host.defaultRealm}/roles/default-roles-${host.defaultRealm}`, { name: 'x' })).status,
    400,
  );
  t.is(
    (await dave('PUT', `/realms/${host.defaultRealm}/roles/default-roles-${host.defaultRealm}`, { description: 'All' }))
      .status,
    204,
  );
  const alice = await adminCaller(host, { realm, username: 'alice', password: 'Alice-pass-1!' });
  t.is((await alice('GET', `/realms/${host.defaultRealm}/roles`)).status, 200, 'reader has realm-admin now');
  t.is((await clienter('GET', `/realms/${host.defaultRealm}/roles`)).status, 403);
  t.is(
    (await realmer('GET', `/realms/${host.defaultRealm}/roles/reader/users`)).status,
    403,
    'users are not to be seen through roles',
  );
  t.is((await clienter('GET', `/realms/${host.defaultRealm}/roles-by-id/${await idOf('view-users')}`)).status, 200);
  const reader = await admin.roles.findOneByName({ name: 'reader' });
  t.is((await clienter('GET', `/realms/${host.defaultRealm}/roles-by-id/${reader?.id}`)).status, 403);
  t.is((await clienter('DELETE', `/realms/${host.defaultRealm}/roles-by-id/${reader?.id}`)).status, 403);
});

test('roles: an admin event names the kind of role that changed', async (t) => {
  const { host, admin } = await ownRealm(shared(), { adminEventsEnabled: true, adminEventsDetailsEnabled: true });
  const web = await clientUuid(host, 'web');
  const editor = await admin.clients.findRole({ id: web, roleName: 'editor' });
  await admin.roles.updateById({ id: editor?.id ?? '' }, { description: 'Edits' });
  await admin.roles.create({ name: 'new' });
  await host.events.flush();
  const events = (await host.store.events.query(host.defaultRealm, { kind: 'admin' })).map(({ body }) =>
    JSON.parse(body),
  );
  t.deepEqual(
    events
      .map(({ resourceType, resourcePath, operationType }) => [operationType, resourceType, resourcePath])
      .reverse(),
    [
      ['UPDATE', 'CLIENT_ROLE', `roles-by-id/${editor?.id}`],
      ['CREATE', 'REALM_ROLE', 'roles/new'],
    ],
  );
});
