import test from 'ava';
import { adminCaller, adminClient, administrator, startAdministered } from '../helpers/admin.js';
import type { TestHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';

const person = (username: string) => ({
  username,
  enabled: true,
  credentials: [{ type: 'password', value: username }],
});

function start(t: Parameters<typeof startAdministered>[0], ...roles: string[]): Promise<TestHost> {
  const users = [person('helper'), administrator('manager', ...roles)];
  return startAdministered(t, {
    realms: [{ realm: 'master', enabled: true, users }, testRealm('demo'), testRealm('other')],
  });
}

/** A realm's client in master, one of its roles, and a user of master. */
async function parts(host: TestHost, realm: string, roleName: string, username = 'helper') {
  const admin = await adminClient(host);
  const id = (await admin.clients.find({ clientId: `${realm}-realm` }))[0]?.id ?? '';
  const role = await admin.clients.findRole({ id, roleName });
  if (role === null) throw new Error(`there is no role ${roleName}`);
  const userId = (await admin.users.find({ username, exact: true }))[0]?.id ?? '';
  return { admin, id, role, path: `/realms/master/users/${userId}/role-mappings/clients/${id}` };
}

test('T430 · clients of realms in master: view-users of one realm reads its users, and nothing else of any realm', async (t) => {
  const host = await start(t);
  const { role, path } = await parts(host, 'demo', 'view-users');
  const helper = async () => adminCaller(host, { username: 'helper', password: 'helper' });
  const paths = ['demo/users', 'demo/clients', 'demo/roles', 'demo/keys', 'demo/events', 'other/users', 'master/users'];
  const statuses = async () => {
    const call = await helper();
    return Promise.all(paths.map(async (one) => (await call('GET', `/realms/${one}`)).status));
  };
  t.deepEqual(await statuses(), [403, 403, 403, 403, 403, 403, 403]);
  t.is((await (await adminCaller(host))('POST', path, [role])).status, 204);
  t.deepEqual(await statuses(), [200, 403, 403, 403, 403, 403, 403]);
  const call = await helper();
  t.is((await call('POST', '/realms/demo/users', { username: 'new' })).status, 403);
  t.is((await call('DELETE', '/realms/demo')).status, 403);
  t.is((await call('POST', '/realms/other/users', { username: 'new' })).status, 403);
});

test('T431 · clients of realms in master: nobody assigns a role over a realm that they do not hold, whatever they manage in master', async (t) => {
  const host = await start(t, 'manage-users', 'manage-clients', 'manage-realm', 'view-realm');
  const { admin, id, role, path } = await parts(host, 'demo', 'view-users');
  const own = await parts(host, 'demo', 'view-users', 'manager');
  const group = await admin.groups.create({ name: 'some' });
  await admin.roles.create({ name: 'some' });
  const some = await admin.roles.findOneByName({ name: 'some' });
  const manager = await adminCaller(host, { username: 'manager', password: 'manager' });
  const attempts = [
    path,
    own.path,
    `/realms/master/groups/${group.id}/role-mappings/clients/${id}`,
    `/realms/master/roles-by-id/${some?.id}/composites`,
    '/realms/master/roles/some/composites',
  ];
  for (const attempt of attempts) t.is((await manager('POST', attempt, [role])).status, 403, attempt);
  t.is((await manager('POST', `/realms/master/clients/${id}/roles`, { name: 'mine' })).status, 403);
  t.is((await manager('PUT', `/realms/master/roles-by-id/${role.id}`, { name: 'mine' })).status, 403);
  t.is((await manager('DELETE', `/realms/master/clients/${id}`)).status, 403);
  t.is((await manager('GET', '/realms/demo/users')).status, 403);
  // Holders of a role may grant it, but no more.
  await admin.users.addClientRoleMappings({
    id: own.path.split('/')[4] ?? '',
    clientUniqueId: id,
    roles: [{ id: role.id ?? '', name: 'view-users' }],
  });
  const holder = await adminCaller(host, { username: 'manager', password: 'manager' });
  t.is((await holder('POST', path, [role])).status, 204);
  const more = await parts(host, 'demo', 'manage-users');
  t.is((await holder('POST', path, [more.role])).status, 403);
  const other = await parts(host, 'other', 'view-users');
  t.is((await holder('POST', other.path, [other.role])).status, 403);
});

test('T432 · clients of realms in master: rights over a realm end with it, and do not apply to a new realm of the name', async (t) => {
  const host = await start(t);
  const { admin, id, role, path } = await parts(host, 'demo', 'manage-users');
  const root = await adminCaller(host);
  t.is((await root('POST', path, [role])).status, 204);
  const group = await admin.groups.create({ name: 'keepers' });
  t.is((await root('POST', `/realms/master/groups/${group.id}/role-mappings/clients/${id}`, [role])).status, 204);
  const helper = await adminCaller(host, { username: 'helper', password: 'helper' });
  t.is((await helper('GET', '/realms/demo/users')).status, 200);
  await admin.realms.del({ realm: 'demo' });
  t.is((await helper('GET', '/realms/demo/users')).status, 404);
  await admin.realms.create({ realm: 'demo', enabled: true });
  const again = await adminCaller(host, { username: 'helper', password: 'helper' });
  t.is((await helper('GET', '/realms/demo/users')).status, 403, 'the token of before opens nothing');
  t.is((await again('GET', '/realms/demo/users')).status, 403);
  t.deepEqual((await root('GET', path)).json, []);
  const mappings = await root('GET', `/realms/master/groups/${group.id}/role-mappings`);
  t.false(mappings.text.includes('manage-users'));
});
