import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { realmFilesOf } from '../../core/config/realm-file/realm-folder.js';
import { readValidFiles } from '../../core/realm-files/checked-file.js';
import { FileChecks } from '../../core/realm-files/module.js';
import { applyRealmFile } from '../../core/realms/apply-realm-file.js';
import { ApplyServices } from '../../core/realms/module.js';
import { adminCaller, ROOT, startAdministered } from '../helpers/admin.js';
import type { Answer, TestHost } from '../helpers/host.js';
import { startNodes } from '../helpers/nodes.js';

const KEEP = /must keep an enabled user with the role admin/;
type Call = Awaited<ReturnType<typeof adminCaller>>;

async function scene(t: ExecutionContext) {
  const host = await startAdministered(t);
  const call = await adminCaller(host);
  const [root] = (await call('GET', '/realms/master/users?username=root&exact=true')).json as unknown as {
    id: string;
  }[];
  return { host, call, root: root?.id ?? '', role: (await call('GET', '/realms/master/roles/admin')).json };
}

/** Checks that the request is refused with its reason, and that the administrator still has all rights. */
async function refused(t: ExecutionContext, call: Call, name: string, answer: Answer | Promise<Answer>): Promise<void> {
  const { status, text, json } = await answer;
  t.is(status, 400, `${name}: ${text}`);
  t.regex(String(json.errorMessage), KEEP, name);
  t.is((await call('GET', '/realms')).status, 200, name);
}

/** A user of `master`. */
async function addUser(call: Call, username: string, more: object = {}): Promise<string> {
  const created = await call('POST', '/realms/master/users', {
    username,
    enabled: true,
    credentials: [{ type: 'password', value: username }],
    ...more,
  });
  return created.headers.get('location')?.split('/').at(-1) ?? '';
}

test('T525 · last administrator: the last administrator is not deleted, disabled or taken the role', async (t) => {
  const { call, root, role } = await scene(t);
  const user = `/realms/master/users/${root}`;
  const shown = (await call('GET', user)).json as object;
  const attempts = () =>
    [
      ['delete', call('DELETE', user)],
      ['disable', call('PUT', user, { ...shown, enabled: false })],
      ['take the role', call('DELETE', `${user}/role-mappings/realm`, [role])],
    ] as const;
  for (const [name, answer] of attempts()) await refused(t, call, name, answer);
  // A disabled user and a service account do not count.
  const off = await addUser(call, 'off', { enabled: false });
  await call('POST', `/realms/master/users/${off}/role-mappings/realm`, [role]);
  await call('POST', '/realms/master/clients', { clientId: 'robot', serviceAccountsEnabled: true, secret: 'x' });
  const robot = await call('GET', `/realms/master/clients/${await uuid(call, 'robot')}/service-account-user`);
  await call('POST', `/realms/master/users/${robot.json.id}/role-mappings/realm`, [role]);
  for (const [name, answer] of attempts()) await refused(t, call, `${name}, beside others`, answer);
  const second = await addUser(call, 'second');
  t.is((await call('POST', `/realms/master/users/${second}/role-mappings/realm`, [role])).status, 204);
  t.is((await call('DELETE', user)).status, 204, 'beside another it may go');
});

async function uuid(call: Call, clientId: string): Promise<string> {
  return (
    ((await call('GET', `/realms/master/clients?clientId=${clientId}`)).json as unknown as { id: string }[])[0]?.id ??
    ''
  );
}

test('T526 · last administrator: nor by the roles and groups through which it is one', async (t) => {
  const { host, call, root, role } = await scene(t);
  t.is((await call('POST', '/realms/master/roles', { name: 'chief' })).status, 201);
  const chief = (await call('GET', '/realms/master/roles/chief')).json as unknown as { id: string };
  await call('POST', '/realms/master/roles/chief/composites', [role]);
  await call('POST', '/realms/master/groups', { name: 'board' });
  const [board] = (await call('GET', '/realms/master/groups')).json as unknown as { id: string }[];
  await call('POST', `/realms/master/groups/${board?.id}/children`, { name: 'inner' });
  const [inner] = (await call('GET', `/realms/master/groups/${board?.id}/children`)).json as unknown as {
    id: string;
  }[];
  await call('POST', `/realms/master/groups/${board?.id}/role-mappings/realm`, [chief]);
  const heir = await addUser(call, 'heir');
  const member = `/realms/master/users/${heir}/groups/${inner?.id}`;
  t.is((await call('PUT', member)).status, 204);
  t.is(
    (await call('DELETE', `/realms/master/users/${root}`)).status,
    204,
    'a member of the group below is an administrator',
  );
  const other = await adminCaller(host, { username: 'heir', password: 'heir' });
  const attempts: [string, () => Promise<Answer>][] = [
    ['leave the group', () => other('DELETE', member)],
    ['delete the group', () => other('DELETE', `/realms/master/groups/${board?.id}`)],
    ['delete the group below', () => other('DELETE', `/realms/master/groups/${inner?.id}`)],
    [
      'take the role from the group',
      () => other('DELETE', `/realms/master/groups/${board?.id}/role-mappings/realm`, [chief]),
    ],
    ['take the role out of the other', () => other('DELETE', '/realms/master/roles/chief/composites', [role])],
    ['the same by the id', () => other('DELETE', `/realms/master/roles-by-id/${chief.id}/composites`, [role])],
    ['delete the role between', () => other('DELETE', '/realms/master/roles/chief')],
    ['delete it by its id', () => other('DELETE', `/realms/master/roles-by-id/${chief.id}`)],
    ['delete the user', () => other('DELETE', `/realms/master/users/${heir}`)],
  ];
  for (const [name, attempt] of attempts) await refused(t, other, name, attempt());
});

test('T527 · last administrator: imports and realm documents do not remove them', async (t) => {
  const { host, call, root } = await scene(t);
  const user = { username: 'root', enabled: true, realmRoles: ['create-realm'] };
  const imported = { ifResourceExists: 'OVERWRITE', users: [user] };
  await refused(t, call, 'import over it', call('POST', '/realms/master/partialImport', imported));
  await applyMaster(host, { groups: [{ name: 'crew', realmRoles: ['admin'] }] });
  const member = await addUser(call, 'member', { groups: ['/crew'] });
  t.is((await call('DELETE', `/realms/master/users/${root}`)).status, 204);
  const other = await adminCaller(host, { username: 'member', password: 'member' });
  const error = await t.throwsAsync(applyMaster(host, { groups: [{ name: 'crew' }] }), { message: KEEP });
  t.like(error, { code: 'last_administrator' } as object);
  await t.throwsAsync(applyMaster(host, { groups: [] }), { message: KEEP });
  const disabled = await t.throwsAsync(applyMaster(host, { enabled: false }));
  t.regex(JSON.stringify(disabled), /the realm master cannot be disabled/);
  const put = await other('PUT', '/realms/master', { enabled: false });
  t.is(put.status, 400);
  t.regex(put.text, /the realm master cannot be disabled/);
  await refused(t, other, 'the last one', other('DELETE', `/realms/master/users/${member}`));
});

/** Like a file in the realms folder. */
async function applyMaster(host: TestHost, realm: object): Promise<void> {
  const path = join(host.dir, 'master.json');
  await writeFile(path, JSON.stringify({ realm: 'master', enabled: true, ...realm }));
  const files = await readValidFiles(await realmFilesOf(path), host.use(FileChecks));
  for (const file of files) await applyRealmFile(file, host.use(ApplyServices));
}

test('T528 · last administrator: of two who remove each other in parallel, on two nodes, one stays', async (t) => {
  const argv = ['--bootstrap-admin-username', ROOT.username, '--bootstrap-admin-password', ROOT.password];
  const { nodes } = await startNodes(t, { argv });
  const [one, two] = nodes as [TestHost, TestHost];
  const call = await adminCaller(one);
  const role = (await call('GET', '/realms/master/roles/admin')).json;
  const [root] = (await call('GET', '/realms/master/users?username=root')).json as unknown as { id: string }[];
  let last = { name: ROOT.username, password: ROOT.password, id: root?.id ?? '' };
  for (let turn = 0; turn < 6; turn += 1) {
    const by = await adminCaller(one, { username: last.name, password: last.password });
    const name = `admin-${turn}`;
    const id = await addUser(by, name);
    t.is((await by('POST', `/realms/master/users/${id}/role-mappings/realm`, [role])).status, 204);
    const other = await adminCaller(two, { username: name, password: name });
    const attempt = (caller: Call, target: string) =>
      [
        () => caller('DELETE', `/realms/master/users/${target}`),
        () => caller('DELETE', `/realms/master/users/${target}/role-mappings/realm`, [role]),
        () => caller('PUT', `/realms/master/users/${target}`, { enabled: false }),
      ][turn % 3]?.() as Promise<Answer>;
    const answers = await Promise.all([attempt(by, id), attempt(other, last.id)]);
    const done = answers.map(({ status }) => status === 204);
    t.is(done.filter(Boolean).length, 1, answers.map(({ status, text }) => `${status} ${text}`).join(' | '));
    if (done[1]) last = { name, password: name, id };
  }
});

test('T529 · last administrator: wrong passwords lock the last administrator for a time, and not permanently', async (t) => {
  const { host, call } = await scene(t);
  t.is(
    (await call('PUT', '/realms/master', { bruteForceProtected: true, permanentLockout: true, failureFactor: 2 }))
      .status,
    204,
  );
  for (let turn = 0; turn < 4; turn += 1) {
    const form = { grant_type: 'password', client_id: 'admin-cli', username: 'root', password: 'wrong' };
    t.is((await host.token('master', form)).json.error, 'invalid_grant');
  }
  const [root] = (await call('GET', '/realms/master/users?username=root')).json as unknown as { enabled: boolean }[];
  t.true(root?.enabled);
});
