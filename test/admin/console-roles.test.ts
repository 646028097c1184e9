import test, { type ExecutionContext } from 'ava';
import { adminCaller, administrator, startDemo } from '../helpers/admin.js';
import { ALICE } from '../helpers/realms.js';

type Listed = { readonly role?: string; readonly name?: string; readonly client?: string };

async function start(t: ExecutionContext) {
  const { host, admin } = await startDemo(t);
  const call = await adminCaller(host);
  const get = async (path: string): Promise<Listed[]> => {
    const answer = await call('GET', `/realms/demo/ui-ext/${path}`);
    t.is(answer.status, 200, `${path} ${answer.text}`);
    return JSON.parse(answer.text);
  };
  const names = async (path: string) =>
    (await get(path)).map(({ role, name, client }) => [client, role ?? name].filter(Boolean).join('/'));
  return { host, admin, call, get, names };
}

test('role mappings: client roles are found, added and removed for users, groups, roles, clients and client scopes', async (t) => {
  const { admin, call, get, names } = await start(t);
  const [web] = await admin.clients.find({ clientId: 'web' });
  const [scope] = await admin.clientScopes.find();
  const [group] = await admin.groups.find();
  const roles = (await call('GET', '/realms/demo/roles')).json as unknown as { id: string; name: string }[];
  const staff = roles.find(({ name }) => name === 'staff');
  const editor = (await call('GET', `/realms/demo/clients/${web?.id}/roles/editor`)).json as unknown as { id: string };
  for (const [target = '', add] of [
    [`users/${ALICE}`, `users/${ALICE}/role-mappings/clients/${web?.id}`],
    [`groups/${group?.id}`, `groups/${group?.id}/role-mappings/clients/${web?.id}`],
    [`roles/${staff?.id}`, `roles-by-id/${staff?.id}/composites`],
    [`clients/${web?.id}`, `clients/${web?.id}/scope-mappings/clients/${web?.id}`],
    [`clientScopes/${scope?.id}`, `client-scopes/${scope?.id}/scope-mappings/clients/${web?.id}`],
  ]) {
    t.is((await call('POST', `/realms/demo/${add}`, [editor])).status, 204, add);
    t.false((await names(`available-roles/${target}?first=0&max=200`)).includes('web/editor'), target);
    t.true((await names(`effective-roles/${target}`)).includes('web/editor'), target);
    t.true((await names(`effective-roles-all/${target}`)).includes('web/editor'), target);
    const removal = `/realms/demo/ui-ext/role-mapping-delete/${target}`;
    t.is((await call('POST', removal, [editor])).status, 204, target);
    t.deepEqual(await names(`available-roles/${target}?first=0&max=1&search=editor`), ['web/editor'], target);
    t.false((await names(`effective-roles-all/${target}`)).includes('web/editor'), target);
    t.is((await call('POST', removal, [{ id: 'none' }])).status, 404);
    const missing = target.replace(/[^/]+$/, 'none');
    t.is((await call('GET', `/realms/demo/ui-ext/available-roles/${missing}`)).status, 404, missing);
  }
  const all = await get(`effective-roles-all/users/${ALICE}`);
  t.like(
    all.find(({ name }) => name === 'reader'),
    { clientRole: false } as object,
  );
  const [, second, ...rest] = await names(`available-roles/users/${ALICE}?max=50`);
  t.true(rest.length > 5);
  t.deepEqual(await names(`available-roles/users/${ALICE}?first=1&max=1`), [second]);
});

test('role mappings: a role shows its composites as role mappings', async (t) => {
  const { call } = await start(t);
  const realm = (await call('GET', '/realms/demo')).json as unknown as { defaultRole: { id: string } };
  const answer = await call('GET', `/realms/demo/ui-ext/role-mappings/roles/${realm.defaultRole.id}`);
  const { realmMappings } = answer.json as unknown as { realmMappings: Listed[] };
  t.deepEqual(
    realmMappings.map(({ name }) => name),
    ['offline_access', 'uma_authorization'],
  );
});

test('role mappings: nobody removes roles that they do not hold', async (t) => {
  const { host } = await startDemo(t, { users: [administrator('helper', 'manage-users', 'view-users')] });
  const root = await adminCaller(host);
  const helper = await adminCaller(host, { realm: 'demo', username: 'helper', password: 'helper' });
  const made = await root('POST', '/realms/demo/users', { username: 'boss' });
  const boss = made.headers.get('location')?.split('/').pop();
  const [management] = (await root('GET', '/realms/demo/clients?clientId=realm-management')).json as unknown as {
    id: string;
  }[];
  const right = (await root('GET', `/realms/demo/clients/${management?.id}/roles/manage-realm`)).json;
  await root('POST', `/realms/demo/users/${boss}/role-mappings/clients/${management?.id}`, [right]);
  t.is((await helper('POST', `/realms/demo/ui-ext/role-mapping-delete/users/${boss}`, [right])).status, 403);
  const available = (await helper('GET', `/realms/demo/ui-ext/available-roles/users/${boss}?max=100`)).text;
  t.false(available.includes('manage-realm'));
  t.true((await root('GET', `/realms/demo/ui-ext/effective-roles/users/${boss}`)).text.includes('manage-realm'));
});
