import test from 'ava';
import { decodeJwt } from 'jose';
import { adminCaller, adminClient, startAdministered } from '../helpers/admin.js';
import { testRealm } from '../helpers/realms.js';

const helper = { username: 'helper', enabled: true, credentials: [{ type: 'password', value: 'helper' }] };
const MASTER = { realm: 'master', enabled: true, users: [helper] };

test('clients of realms in master: master lists a client for every realm, and its roles can be assigned', async (t) => {
  const host = await startAdministered(t, { realms: [MASTER, testRealm('demo'), testRealm('other')] });
  const admin = await adminClient(host);
  const before = await host.store.realms.get('master');
  const names = (await admin.clients.find())
    .map(({ clientId }) => clientId ?? '')
    .filter((id) => id.endsWith('-realm'));
  t.deepEqual(names, ['demo-realm', 'other-realm']);
  const [client] = await admin.clients.find({ clientId: 'demo-realm' });
  t.like(client, {
    name: 'demo Realm',
    enabled: true,
    bearerOnly: true,
    publicClient: false,
    fullScopeAllowed: false,
    attributes: { realm_client: 'true' },
  });
  const id = client?.id ?? '';
  t.deepEqual(await admin.clients.findOne({ id }), client);
  const roles = await admin.clients.listRoles({ id });
  t.true(['view-users', 'manage-realm', 'impersonation'].every((name) => roles.some((role) => role.name === name)));
  t.false(roles.some(({ name }) => name === 'realm-admin'));
  const viewUsers = (await admin.clients.findRole({ id, roleName: 'view-users' })) ?? t.fail();
  t.deepEqual(await admin.roles.findOneById({ id: viewUsers.id ?? '' }), viewUsers);
  t.deepEqual((await admin.roles.getCompositeRoles({ id: viewUsers.id ?? '' })).map(({ name }) => name).sort(), [
    'query-groups',
    'query-users',
  ]);
  const [user] = await admin.users.find({ username: 'helper' });
  const userId = user?.id ?? '';
  const free = await admin.users.listAvailableClientRoleMappings({ id: userId, clientUniqueId: id });
  t.deepEqual(free.map(({ name }) => name).sort(), roles.map(({ name }) => name).sort());
  const call = await adminCaller(host);
  const console = await call('GET', `/realms/master/ui-ext/available-roles/users/${userId}?search=demo-realm&max=100`);
  t.true((console.json as unknown as { client: string }[]).some((role) => role.client === 'demo-realm'));
  t.is((await host.store.realms.get('master'))?.version, before?.version, 'reading stores nothing');

  await admin.users.addClientRoleMappings({
    id: userId,
    clientUniqueId: id,
    roles: [{ id: viewUsers.id ?? '', name: 'view-users' }],
  });
  const mapped = await admin.users.listClientRoleMappings({ id: userId, clientUniqueId: id });
  t.deepEqual(
    mapped.map((role) => [role.id, role.name, role.containerId]),
    [[viewUsers.id, 'view-users', id]],
  );
  t.deepEqual(await admin.clients.find({ clientId: 'demo-realm' }), [client], 'stored it is the same client');
  const form = { grant_type: 'password', client_id: 'admin-cli', username: 'helper', password: 'helper' };
  const { access_token } = (await host.token('master', form)).json;
  const shown = decodeJwt(access_token ?? '').resource_access as Record<string, { roles: string[] }>;
  t.deepEqual(shown['demo-realm']?.roles.sort(), ['query-groups', 'query-users', 'view-users']);
  t.is(shown['other-realm'], undefined);
  t.is(
    (await (await adminCaller(host, { username: 'helper', password: 'helper' }))('GET', '/realms/demo/users')).status,
    200,
  );
});

test('clients of realms in master: a role over a realm that no user has yet can be part of a group and of another role', async (t) => {
  const host = await startAdministered(t, { realms: [MASTER, testRealm('demo'), testRealm('other')] });
  const admin = await adminClient(host);
  const roleOf = async (clientId: string, roleName: string) => {
    const [client] = await admin.clients.find({ clientId });
    return {
      client: client?.id ?? '',
      role: (await admin.clients.findRole({ id: client?.id ?? '', roleName })) ?? t.fail(),
    };
  };
  const group = await admin.groups.create({ name: 'readers' });
  const demo = await roleOf('demo-realm', 'view-users');
  await admin.groups.addClientRoleMappings({
    id: group.id,
    clientUniqueId: demo.client,
    roles: [{ id: demo.role.id ?? '', name: 'view-users' }],
  });
  await admin.roles.create({ name: 'other-readers' });
  const composite = await admin.roles.findOneByName({ name: 'other-readers' });
  const other = await roleOf('other-realm', 'view-clients');
  await admin.roles.createComposite({ roleId: composite?.id ?? '' }, [other.role]);
  const [user] = await admin.users.find({ username: 'helper' });
  const id = user?.id ?? '';
  await admin.users.addToGroup({ id, groupId: group.id });
  await admin.users.addRealmRoleMappings({ id, roles: [{ id: composite?.id ?? '', name: 'other-readers' }] });
  const call = await adminCaller(host, { username: 'helper', password: 'helper' });
  const statuses = async (...paths: string[]) =>
    Promise.all(paths.map(async (path) => (await call('GET', `/realms/${path}`)).status));
  t.deepEqual(await statuses('demo/users', 'demo/clients', 'other/users', 'other/clients'), [200, 403, 403, 200]);
});

test('clients of realms in master: the client of a realm is created and removed with it, and cannot be changed', async (t) => {
  const host = await startAdministered(t, { realms: [testRealm('demo')] });
  const admin = await adminClient(host);
  await admin.realms.create({ realm: 'late', enabled: true });
  const [client] = await admin.clients.find({ clientId: 'late-realm' });
  const path = `/realms/master/clients/${client?.id}`;
  const call = await adminCaller(host);
  t.is((await call('PUT', path, { clientId: 'mine' })).status, 403);
  t.is((await call('DELETE', path)).status, 403);
  await admin.realms.del({ realm: 'late' });
  t.deepEqual(await admin.clients.find({ clientId: 'late-realm' }), []);
  t.is((await call('GET', path)).status, 404);
  t.is((await call('GET', `${path}/roles`)).status, 404);
});
