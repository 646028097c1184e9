import test from 'ava';
import { adminCaller, administered, ownRealm } from '../helpers/admin.js';
import { ALICE, idIn } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

interface Role {
  readonly name: string;
  readonly client?: string;
  readonly sources: readonly { readonly group?: { readonly path: string }; readonly through: readonly Role[] }[];
  readonly hasMoreSources: boolean;
}

const shared = shareHost(test, administered());

/** The roles of alice in a realm of its own, each as a text with its sources. */
async function start(changes: Parameters<typeof ownRealm>[1] = {}) {
  const { host } = await ownRealm(shared(), changes);
  const call = await adminCaller(host);
  const base = `/realms/${host.defaultRealm}/users/${idIn(host.defaultRealm)}`;
  const nameOf = ({ client, name }: Role) =>
    [client, name].filter(Boolean).join('/').replace(host.defaultRealm, 'home');
  const textOf = (role: Role) =>
    `${nameOf(role)}: ${role.sources
      .map(({ group, through }) => [group?.path ?? 'user', ...through.map(nameOf)].join(' > '))
      .join(', ')}${role.hasMoreSources ? ', …' : ''}`;
  const list = async (query = '') =>
    ((await call('GET', `${base}/effective-roles${query}`)).json as unknown as Role[]).map(textOf);
  return { host, call, base, list };
}

test('effective roles: each role of realm and clients has its sources, directly assigned ones first', async (t) => {
  const { call, base, list } = await start();
  t.deepEqual(await list('?search=reader'), ['reader: user, /team > staff']);
  t.deepEqual(await list('?assigned=true'), [
    'default-roles-home: user',
    'reader: user, /team > staff',
    'web/editor: user',
  ]);
  t.deepEqual(await list('?search=STAFF'), ['staff: /team']);
  t.deepEqual(await list('?search=web'), ['web/editor: user'], 'the client ID is searched too');
  t.deepEqual(await list('?search=offline'), ['offline_access: user > default-roles-home']);
  const all = await list();
  t.deepEqual(await list('?first=1&max=2'), all.slice(1, 3));
  const [editor] = (await call('GET', `${base}/effective-roles?search=editor`)).json as unknown as object[];
  t.like(editor, { name: 'editor', client: 'web', clientRole: true, composite: false } as object);
});

test('effective roles: a chain of composite roles is named from the assigned role on, and a cycle ends', async (t) => {
  const { list } = await start(({ roles, users = [] }) => ({
    roles: {
      ...roles,
      realm: [
        ...(roles?.realm ?? []),
        { name: 'top', composites: { realm: ['middle'] } },
        { name: 'middle', composites: { realm: ['top'], client: { 'realm-management': ['realm-admin'] } } },
      ],
    },
    users: users.map((user) => (user.username === 'alice' ? { ...user, realmRoles: ['top'] } : user)),
  }));
  t.deepEqual(await list('?search=manage-users'), [
    'realm-management/manage-users: user > top > middle > realm-management/realm-admin',
  ]);
  t.deepEqual(await list('?search=middle'), ['middle: user > top']);
  t.deepEqual(await list('?search=top'), ['top: user']);
});

test('effective roles: a role names five sources at most, and says that there are more', async (t) => {
  const names = Array.from({ length: 6 }, (_, index) => `group-${index}`);
  const { list } = await start(({ users = [] }) => ({
    groups: names.map((name) => ({ name, realmRoles: ['staff'] })),
    users: users.map((user) =>
      user.username === 'alice' ? { ...user, realmRoles: [], groups: names.map((name) => `/${name}`) } : user,
    ),
  }));
  const five = names.slice(0, 5).map((name) => `/${name}`);
  t.deepEqual(await list('?search=staff'), [`staff: ${five.join(', ')}, …`]);
});

test('effective roles: of a long chain of composite roles the first 20 are named', async (t) => {
  const names = Array.from({ length: 26 }, (_, index) => `link-${String(index).padStart(2, '0')}`);
  const { call, base } = await start(({ roles, users = [] }) => ({
    roles: {
      ...roles,
      realm: [
        ...(roles?.realm ?? []),
        ...names.map((name, index) => ({ name, composites: { realm: names.slice(index + 1, index + 2) } })),
      ],
    },
    users: users.map((user) => (user.username === 'alice' ? { ...user, realmRoles: ['link-00'] } : user)),
  }));
  const [last] = (await call('GET', `${base}/effective-roles?search=link-25`)).json as unknown as Role[];
  const [source] = last?.sources ?? [];
  t.deepEqual(
    source?.through.map(({ name }) => name),
    names.slice(0, 20),
  );
  t.like(source, { omitted: 5 } as object);
});

test('effective roles: an admin of master shows the roles over other realms', async (t) => {
  const { host, call } = await start();
  const users = '/realms/master/users';
  t.is((await call('POST', users, { username: host.defaultRealm })).status, 201);
  const [user] = (await call('GET', `${users}?username=${host.defaultRealm}`)).json as unknown as { id: string }[];
  const path = `${users}/${user?.id}`;
  const search = `search=view-users&first=0&max=100`;
  const found = await call('GET', `/realms/master/ui-ext/available-roles/users/${user?.id}?${search}`);
  const roles = found.json as unknown as { id: string; role: string; client: string; clientId: string }[];
  const role = roles.find(({ client }) => client === `${host.defaultRealm}-realm`);
  const mappings = `${path}/role-mappings/clients/${role?.clientId}`;
  t.is((await call('POST', mappings, [{ id: role?.id, name: role?.role }])).status, 204);
  const held = (await call('GET', `${path}/effective-roles?search=query-users`)).json as unknown as Role[];
  t.like(held[0], { client: `${host.defaultRealm}-realm`, sources: [{ through: [{ name: 'view-users' }] }] } as object);
});

test('effective roles: a missing user and an invalid page are reported', async (t) => {
  const { host, call, base } = await start();
  t.is((await call('GET', `/realms/${host.defaultRealm}/users/${ALICE}-none/effective-roles`)).status, 404);
  t.is((await call('GET', `${base}/effective-roles?max=many`)).status, 400);
});
