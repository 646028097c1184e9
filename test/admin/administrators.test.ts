import test from 'ava';
import { adminCaller, administered, administrator, clientUuid } from '../helpers/admin.js';
import { testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

interface Listed {
  readonly username: string;
  readonly rights: readonly { readonly realm: string; readonly roles: readonly string[] }[];
  readonly grants: readonly { readonly type: string; readonly name: string; readonly path?: string }[];
  readonly access: { readonly mapRoles: boolean };
  readonly lastAdministrator?: boolean;
}

const MANAGEMENT = 'realm-management';

const realm = testRealm('shop', {
  roles: {
    realm: [
      { name: 'reader' },
      { name: 'lead', composites: { realm: ['clerk'] } },
      { name: 'clerk', composites: { client: { [MANAGEMENT]: ['manage-users'] } } },
    ],
  },
  groups: [
    { name: 'desk/1', clientRoles: { [MANAGEMENT]: ['view-events'] }, subGroups: [{ name: 'night' }] },
    { name: 'plain', realmRoles: ['reader'] },
  ],
  users: [
    administrator('boss', 'realm-admin'),
    { ...administrator('former', 'realm-admin'), enabled: false },
    administrator('helper', 'view-users', 'manage-users'),
    { username: 'ines', enabled: true, realmRoles: ['lead', 'reader'] },
    { username: 'nils', enabled: true, groups: ['/desk~/1/night', '/plain'] },
    { username: 'vera', enabled: true, email: 'vera@x.test', realmRoles: ['reader'], groups: ['/plain'] },
    {
      username: 'service-account-robot',
      enabled: true,
      serviceAccountClientId: 'robot',
      clientRoles: { [MANAGEMENT]: ['realm-admin'] },
    },
  ],
  clients: [{ clientId: 'robot', secret: 's', serviceAccountsEnabled: true }],
});

const host = shareHost(test, administered({ realms: [realm, testRealm('other')] }));

async function start(who: { realm?: string; username?: string; password?: string } = {}) {
  const call = await adminCaller(host(), who);
  const list = async (query = '', name = 'shop') => {
    const { status, text } = await call('GET', `/realms/${name}/administrators${query}`);
    if (status !== 200) throw new Error(`${status} ${text}`);
    return JSON.parse(text) as Listed[];
  };
  const names = async (query = '', name = 'shop') => (await list(query, name)).map(({ username }) => username);
  return { call, list, names };
}

test.serial('administrators: rights by roles, composite roles and groups are listed with their sources', async (t) => {
  const { list, names } = await start();
  const all = ['boss', 'former', 'helper', 'ines', 'nils', 'service-account-robot'];
  t.deepEqual(await names(), all);
  t.deepEqual(await names('?first=1&max=2'), all.slice(1, 3));
  t.deepEqual(await names('?role=manage-users'), ['boss', 'former', 'helper', 'ines', 'service-account-robot']);
  t.deepEqual(await names('?role=view-events&search=nil'), ['nils']);
  t.deepEqual(await names('?role=no-such-role'), []);
  const found = new Map((await list()).map((one) => [one.username, one]));
  t.deepEqual(found.get('ines')?.rights, [{ realm: 'shop', roles: ['manage-users'] }]);
  t.like(found.get('ines')?.grants, [{ type: 'role', name: 'lead' }]);
  t.is(found.get('ines')?.grants.length, 1);
  t.like(found.get('nils')?.grants, [{ type: 'group', name: 'night', path: '/desk/1/night' }]);
  t.true(found.get('boss')?.rights[0]?.roles.includes('manage-realm'));
  t.deepEqual(
    [...found.values()].filter(({ lastAdministrator }) => lastAdministrator).map(({ username }) => username),
    ['boss'],
    'neither a disabled user nor a service account counts',
  );
});

test.serial(
  'administrators: a removal takes roles of all containers, and nobody removes rights beyond theirs',
  async (t) => {
    const { call, list, names } = await start();
    const helper = await start({ realm: 'shop', username: 'helper', password: 'helper' });
    const seen = new Map((await helper.list()).map(({ username, access }) => [username, access.mapRoles]));
    t.is(seen.get('boss'), false);
    t.is(seen.get('ines'), true);
    const idOf = async (name: string) => {
      const [user] = (await call('GET', `/realms/shop/users?username=${name}&exact=true`)).json as unknown as {
        id: string;
      }[];
      return String(user?.id);
    };
    const management = await clientUuid(host(), MANAGEMENT, 'shop');
    const { json: viewEvents } = await call('GET', `/realms/shop/clients/${management}/roles/view-events`);
    const ines = await idOf('ines');
    const mapping = `/realms/shop/users/${ines}/role-mappings/clients/${management}`;
    t.is((await helper.call('POST', mapping, [viewEvents])).status, 403);
    t.is((await call('POST', mapping, [viewEvents])).status, 204);
    const [granted] = await list('?search=ines');
    const removal = `/realms/shop/ui-ext/role-mapping-delete/users/${ines}`;
    t.is((await helper.call('POST', removal, granted?.grants)).status, 403);
    t.is((await call('POST', removal, granted?.grants)).status, 204);
    t.deepEqual(await names('?search=ines'), []);
    const [user] = (await call('GET', `/realms/shop/users/${ines}/role-mappings/realm`)).json as unknown as {
      name: string;
    }[];
    t.is(user?.name, 'reader', 'roles without rights stay');
  },
);

test.serial('administrators: master lists who may administer another realm, and which', async (t) => {
  const { call, list, names } = await start();
  const made = await call('POST', '/realms/master/users', { username: 'mara', enabled: true });
  const mara = made.headers.get('location')?.split('/').pop();
  t.deepEqual(await names('', 'master'), ['root']);
  t.deepEqual(await names('?over=shop', 'master'), ['root']);
  const found = await call('GET', `/realms/master/ui-ext/available-roles/users/${mara}?search=shop-realm`);
  const role = (found.json as unknown as { role: string; id: string; clientId: string }[]).find(
    (one) => one.role === 'view-users',
  );
  const mapping = `/realms/master/users/${mara}/role-mappings/clients/${role?.clientId}`;
  t.is((await call('POST', mapping, [{ id: role?.id, name: role?.role }])).status, 204);
  t.deepEqual(await names('?over=shop', 'master'), ['mara', 'root']);
  t.deepEqual(await names('?over=other', 'master'), ['root']);
  t.deepEqual(await names('?over=shop&role=manage-users', 'master'), ['root']);
  const [{ rights, grants } = { rights: [], grants: [] }] = await list('?search=mara', 'master');
  t.deepEqual(rights, [{ realm: 'shop', roles: ['query-groups', 'query-users', 'view-users'] }]);
  t.like(grants, [{ type: 'role', name: 'view-users', client: 'shop-realm' } as object] as typeof grants);
  const [root] = await list('?search=root', 'master');
  t.like(root, { lastAdministrator: true, rights: [{ realm: 'master', roles: ['admin'] }] });
});

test.serial('administrators: a search of many words is refused', async (t) => {
  const { call } = await start();
  const search = encodeURIComponent('a '.repeat(21));
  t.is((await call('GET', `/realms/shop/administrators?search=${search}`)).status, 400);
});
