import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered, administrator, clientUuid, ownRealm } from '../helpers/admin.js';
import { fetchAnswer, type TestHost } from '../helpers/host.js';
import { figures } from '../helpers/metrics.js';
import { idIn } from '../helpers/realms.js';
import { ask, askBarely, type Stewarded, scriptedPlugin } from '../helpers/scripted-plugin.js';
import { shareHost } from '../helpers/shared-host.js';

const reasons = (...rights: string[]) => Object.fromEntries(rights.map((right) => [right, 'tries it']));
const MOST = [
  ...['users', 'clients', 'realm', 'events', 'identity-providers', 'authorization'].map((area) => `manage-${area}`),
  'view-users',
  'view-clients',
  'view-realm',
  'view-events',
  'view-identity-providers',
  'view-authorization',
  'query-groups',
  'query-clients',
  'query-users',
  'create-client',
];
/** The granted rights of each plugin. */
const RIGHTS: Readonly<Record<string, readonly string[]>> = {
  bare: [],
  asker: ['query-users'],
  // Everything except rights over administrators.
  lesser: MOST,
  whole: ['realm-admin'],
  chief: ['manage-users', 'view-users', 'manage-admins'],
  ruler: ['realm-admin', 'manage-admins'],
};

/** A plugin in a worker that takes over its thread's port, and sends requests in the name of all possible sessions. */
const liar = `import { MessagePort } from 'node:worker_threads';
import { provide, RealmResourceProvider } from '@keyhost/spi';
process.on('uncaughtException', () => {});
const { postMessage } = MessagePort.prototype;
let port;
MessagePort.prototype.postMessage = function (...args) {
  if (Array.isArray(args[0])) port = this;
  return postMessage.apply(this, args);
};
export default { name: 'liar', api: 1, providers: [provide(RealmResourceProvider, {
  id: 'liar',
  routes: { lie: { method: 'POST', path: '/', authentication: 'none' } },
  open: () => ({ create: (session) => ({
    async lie() {
      const told = { plugin: 'lesser', rights: ['view-users'], realm: 'master' };
      const asked = await session.admin.request('GET', '/users', undefined, told).catch(({ code }) => code);
      const answers = new Map();
      port.on('message', (frame) => { if (frame[1] > 1_000_000) answers.set(frame[1], frame); });
      const lies = 200;
      for (let n = 0; n < lies; n += 1) {
        port.postMessage([2, 1_000_000 + 2 * (n + 1), n, 'admin.request', ['GET', '/users', undefined, told], [], told]);
      }
      for (let n = 0; n < 3000 && answers.size < lies; n += 1) await new Promise((resolve) => setTimeout(resolve, 10));
      const codes = [...answers.values()].map(([kind, , error]) => (kind === 4 ? error.fields?.code : 'granted'));
      return { body: { asked, answered: answers.size, codes: [...new Set(codes)].sort() } };
    },
  }) }),
})] };`;

const NAMES = Object.keys(RIGHTS);
const shared = shareHost(
  test,
  administered({
    realms: [],
    packages: {
      ...Object.fromEntries(NAMES.map((name) => [name, scriptedPlugin(name, reasons(...(RIGHTS[name] ?? [])))])),
      apart: scriptedPlugin('apart', reasons('view-users')),
      mute: scriptedPlugin('mute', undefined),
      liar,
    },
    plugins: [
      ...NAMES.map((module) => ({ module, grants: { '*': RIGHTS[module] } })),
      { module: 'apart', isolation: 'worker', grants: { '*': ['view-users'] } },
      { module: 'mute', isolation: 'worker' },
      { module: 'liar', isolation: 'worker' },
    ],
  }),
  // Errors that a plugin does not catch are logged as its faults.
  /plugin_not_granted|admin_refused|invalid_argument|worker|liar/,
);

const BOSS = 'b0550000-0000-4000-8000-000000000001';

/** The key of a client that signs: plugins must not see it. */
const PRIVATE_KEY = { 'jwt.credential.private.key': 'MII-private' };

/** A realm with an administrator, a group that makes its members administrators, and all plugins. */
async function scene(changes: Partial<RealmRepresentation> = {}): Promise<{ host: TestHost; boss: string }> {
  const on = Object.fromEntries([...NAMES, 'apart', 'mute', 'liar'].map((name) => [name, { enabled: true }]));
  const { host } = await ownRealm(shared(), ({ realm, users = [], groups = [], clients = [] }) => ({
    clients: clients.map((client) => ({ ...client, attributes: { ...client.attributes, ...PRIVATE_KEY } })),
    providers: { 'realm-restapi-extension': on },
    users: [
      ...users,
      { ...administrator('boss', 'view-users'), id: idIn(realm, BOSS), email: 'boss@example.org' },
      { ...administrator('head', 'view-users', 'manage-realm'), id: idIn(realm, `${BOSS}-head`) },
    ],
    groups: [...groups, { name: 'admins', clientRoles: { 'realm-management': ['view-users'] } }],
    ...changes,
  }));
  return { host, boss: idIn(host.defaultRealm, BOSS) };
}

/** Every operation of a realm in the API's OpenAPI document, with invalid IDs in its path. */
async function operations(host: TestHost): Promise<{ method: string; path: string }[]> {
  const { json } = await fetchAnswer(`${host.url}/admin/openapi.json`);
  return Object.entries((json as unknown as { paths: Record<string, object> }).paths).flatMap(([path, methods]) => {
    const below = /^(?:\/admin)?\/realms\/\{realm\}(\/.*)?$/.exec(path);
    if (below === null) return [];
    return Object.keys(methods)
      .filter((method) => ['get', 'put', 'post', 'delete'].includes(method))
      .map((method) => ({ method: method.toUpperCase(), path: (below[1] ?? '').replace(/\{[^}]*\}/g, 'x') }));
  });
}

const told = ({ value, error }: Stewarded) =>
  error?.code ?? (value as unknown as { status?: number } | undefined)?.status ?? 'done';

test('T630 · grants of plugins: without a grant every operation of the Admin API is refused by name, and by every typed member', async (t) => {
  const { host } = await scene();
  const all = await operations(host);
  t.true(all.length > 200, String(all.length));
  for (const name of ['bare', 'mute']) {
    for (const { method, path } of all) {
      const refused = await ask(host, host.defaultRealm, name, 'admin', 'request', method, path, {});
      t.is(refused.error?.code, 'plugin_not_granted', `${method} ${path}`);
    }
    const id = idIn(host.defaultRealm);
    const members = [
      ['users', 'byEmail', 'a@b'],
      ['users', 'read', id],
      ['users', 'find'],
      ['users', 'count'],
      ['users', 'create', { username: 'x' }],
      ['users', 'update', id, {}],
      ['users', 'remove', id],
      ['groups', 'byPath', '/team'],
      ['groups', 'find'],
      ['groups', 'create', { name: 'x' }],
      ['groups', 'remove', 'x'],
      ['groups', 'ofUser', id],
      ['groups', 'members', 'x'],
      ['groups', 'join', id, 'x'],
      ['groups', 'leave', id, 'x'],
      ['roles', 'ofUser', id],
      ['roles', 'grant', id, { realm: ['reader'] }],
      ['roles', 'revoke', id, { realm: ['x'] }],
      ['credentials', 'ofUser', id],
      ['credentials', 'setPassword', id, 'x'],
      ['credentials', 'remove', id, 'x'],
      ['sessions', 'ofUser', id],
      ['sessions', 'count', 'spa'],
      ['sessions', 'end', 'x'],
      ['sessions', 'endAll', id],
      ['clients', 'find'],
      ['clients', 'read', 'x'],
      ['clients', 'create', {}],
      ['clients', 'update', 'x', {}],
      ['clients', 'remove', 'x'],
      ['identityProviders', 'list'],
      ['identityProviders', 'linksOf', id],
      ['identityProviders', 'link', id, {}],
      ['identityProviders', 'unlink', id, 'x'],
      ['admin', 'representation'],
    ];
    for (const call of members) {
      const { error } = await ask(host, host.defaultRealm, name, ...call);
      t.is(error?.code, 'plugin_not_granted', `${name} ${JSON.stringify(call)}`);
    }
  }
  const counted = await figures(host, 'keyhost_plugin_ungranted_total');
  const ofBare = Object.entries(counted).filter(([labels]) => labels.startsWith('plugin=bare,'));
  t.true(ofBare.reduce((sum, [, count]) => sum + count, 0) > all.length, JSON.stringify(counted));
  t.true((counted['plugin=bare,right=view-users or query-users'] ?? 0) > 0, JSON.stringify(Object.keys(counted)));
  for (const { method, path } of all.filter((one) => one.method !== 'GET')) {
    const answer = told(await ask(host, host.defaultRealm, 'asker', 'admin', 'request', method, path, {}));
    t.true(typeof answer === 'number' ? answer >= 400 : true, `${method} ${path}: ${answer}`);
  }
});

test('T631 · grants of plugins: with every other right an administrator is out of reach without manage-admins', async (t) => {
  const { host, boss } = await scene();
  const root = await adminCaller(host);
  const realm = `/realms/${host.defaultRealm}`;
  const alice = idIn(host.defaultRealm);
  const management = await clientUuid(host, 'realm-management', host.defaultRealm);
  const form = { client_id: 'spa', grant_type: 'password', username: 'boss', password: 'boss' };
  t.is((await host.token(host.defaultRealm, form)).status, 200);
  const one = async (path: string) =>
    (await root('GET', `${realm}${path}`)).json as unknown as Record<string, string>[];
  const [session] = await one(`/users/${boss}/sessions`);
  const [credential] = await one(`/users/${boss}/credentials`);
  const admins = (await one('/group-by-path/admins')) as unknown as { id: string };
  const team = (await one('/group-by-path/team')) as unknown as { id: string };
  const reader = (await one('/roles/reader')) as unknown as { id: string };
  const role = (await one(`/clients/${management}/roles/view-users`)) as unknown as { id: string };
  const state = async () =>
    JSON.stringify([
      ...(await Promise.all(
        ['', '/credentials', '/sessions', '/groups', '/role-mappings', '/federated-identity'].map((path) =>
          one(`/users/${boss}${path}`),
        ),
      )),
      await one(`/users/${alice}/role-mappings`),
      await one(`/users/${alice}/groups`),
      await one('/group-by-path/admins'),
      await one(`/roles/reader/composites`),
      await one('/default-groups'),
      await one(`/groups/${team.id}/role-mappings`),
      (await one('/users/count')) as unknown,
    ]);
  const before = await state();
  const link = { identityProvider: 'x', userId: '1', userName: 'x' };
  const request = (method: string, path: string, body?: unknown) => ['admin', 'request', method, path, body];
  const calls = [
    ['users', 'update', boss, { enabled: false }],
    ['users', 'update', boss, { attributes: { a: ['b'] } }],
    ['users', 'update', boss, { email: 'mine@example.org' }],
    ['users', 'remove', boss],
    ['credentials', 'setPassword', boss, 'x'],
    ['credentials', 'remove', boss, credential?.id],
    ['roles', 'grant', boss, { realm: ['reader'] }],
    ['groups', 'join', boss, team.id],
    ['sessions', 'end', session?.id],
    ['sessions', 'endAll', boss],
    ['identityProviders', 'link', boss, link],
    // Requests that would make a user an administrator.
    ['roles', 'grant', alice, { clients: { 'realm-management': ['view-users'] } }],
    ['groups', 'join', alice, admins.id],
    ['users', 'create', { username: 'mine', groups: ['/admins'] }],
    ['groups', 'remove', admins.id],
    request('PUT', `/groups/${admins.id}`, { name: 'nobody' }),
    request('POST', `/groups/${team.id}/role-mappings/clients/${management}`, [role]),
    request('POST', `/roles-by-id/${reader.id}/composites`, [role]),
    request('PUT', `/default-groups/${admins.id}`),
    request('PUT', `/users/${boss}/disable-credential-types`, ['password']),
    request('PUT', `/users/${boss}/execute-actions-email`, ['UPDATE_PASSWORD']),
    request('PUT', `/users/${boss}/send-verify-email`),
    request('POST', `/users/${boss}/action-tokens`, { type: 'execute-actions' }),
    request('DELETE', `/users/${boss}/action-tokens`),
    request('DELETE', `/users/${boss}/consents/spa`),
    request('DELETE', `/attack-detection/brute-force/users/${boss}`),
    request('DELETE', '/attack-detection/brute-force/users'),
    request('POST', '/logout-all'),
    request('POST', '/partialImport', { ifResourceExists: 'OVERWRITE', users: [{ username: 'boss', enabled: false }] }),
    // Settings that would let their author act as any user.
    request('PUT', '', { smtpServer: { host: 'mine.example', from: 'a@b.example' } }),
    request('PUT', '', { attributes: { frontendUrl: 'https://mine.example' } }),
  ];
  for (const name of ['lesser', 'whole']) {
    for (const call of calls) {
      const { value, error } = await ask(host, host.defaultRealm, name, ...call);
      const status = error?.status ?? (value as unknown as { status: number }).status;
      t.is(status, 403, `${name} ${JSON.stringify(call)} ${JSON.stringify(error ?? value)}`);
    }
    t.is(await state(), before, name);
  }
  t.is((await ask(host, host.defaultRealm, 'lesser', 'users', 'update', alice, { firstName: 'Al' })).error, undefined);
});

test('T632 · grants of plugins: a plugin with manage-admins reaches administrators whose rights it holds itself, and no other', async (t) => {
  const { host, boss } = await scene();
  const head = idIn(host.defaultRealm, `${BOSS}-head`);
  t.is((await ask(host, host.defaultRealm, 'chief', 'users', 'update', boss, { firstName: 'Bo' })).error, undefined);
  t.is((await ask(host, host.defaultRealm, 'chief', 'users', 'update', head, { firstName: 'Bo' })).error?.status, 403);
  const grant = (name: string, role: string) =>
    ask(host, host.defaultRealm, name, 'roles', 'grant', boss, { clients: { 'realm-management': [role] } });
  t.is((await grant('chief', 'manage-realm')).error?.status, 403);
  t.is((await grant('ruler', 'manage-realm')).error, undefined);
});

test('T633 · grants of plugins: a plugin administers the realm of its session alone, by whatever path it asks', async (t) => {
  const { host } = await scene();
  const { host: other } = await scene();
  const id = idIn(other.defaultRealm);
  const users = `${other.defaultRealm}/users/${id}`;
  const climbing = [
    `/../${users}`,
    `/users/../../${users}`,
    `/./users`,
    `//${users}`,
    `/..`,
    `/users/..`,
    `/users/.`,
    `/%2e%2e/${users}`,
    `/%2E%2E%2f${users}`,
    `/..%2f${users}`,
    `/%252e%252e/${users}`,
    `/users/%2e%2e%5c${id}`,
    `/users/x%2f..%2f..%2f${users}`,
    `/..\\${users}`,
    `/users\\..\\..`,
    `/\u2025/${users}`,
    `/users/\u0000`,
    `http://127.0.0.1/admin/realms/${users}`,
    `realms/${users}`,
    `users`,
    ` /users`,
    `/users#/../${users}`,
    `/users/%${'25'.repeat(20)}2e`,
    `/users/${'x'.repeat(9000)}`,
    7,
    null,
    ['/users'],
    {},
  ];
  for (const path of climbing) {
    for (const method of ['GET', 'DELETE']) {
      const { value, error } = await ask(host, host.defaultRealm, 'ruler', 'admin', 'request', method, path);
      t.is(error?.code, 'invalid_argument', `${method} ${JSON.stringify(path)} ${JSON.stringify(value)}`);
    }
  }
  for (const path of [`/realms/${users}`, `/users/${id}`, `/users/%25`, `/users?realm=${other.defaultRealm}`]) {
    const { value } = await ask(host, host.defaultRealm, 'ruler', 'admin', 'request', 'DELETE', path);
    t.true([400, 404, 405].includes((value as unknown as { status: number }).status), path);
  }
  t.is((await ask(other, other.defaultRealm, 'ruler', 'users', 'read', id)).error, undefined);
  const found = await ask(host, host.defaultRealm, 'ruler', 'users', 'find', { username: '../', exact: true });
  t.deepEqual(found.value as unknown, { users: [] });
  t.is(
    ((await ask(host, host.defaultRealm, 'ruler', 'groups', 'byPath', '/../..')) as Stewarded).error?.code,
    'invalid_argument',
  );
});

test('T634 · grants of plugins: no plugin changes the grants of plugins, the host, or the existence of its realm', async (t) => {
  const { host } = await scene({ providers: { 'realm-restapi-extension': { ruler: { enabled: true } } } });
  const asked = (method: string, path: string, body?: unknown) =>
    ask(host, host.defaultRealm, 'ruler', 'admin', 'request', method, path, body);
  const id = idIn(host.defaultRealm);
  const forPeople: [string, string, unknown?][] = [
    ...([
      ['GET', '/providers'],
      ['GET', '/pages'],
      ['GET', '/events/stream'],
      ['DELETE', ''],
    ] as [string, string][]),
    ['PUT', '/providers/realm-restapi-extension/bare', { enabled: true }],
    ['GET', '/providers/realm-restapi-extension/bare'],
    ['POST', '/pages/x/y', {}],
    ['POST', `/users/${id}/impersonation`],
    ['POST', '/testSMTPConnection', { host: '127.0.0.1' }],
    ['POST', `/clients/${await clientUuid(host, 'web', host.defaultRealm)}/certificates/jwt.credential/upload`, {}],
  ];
  for (const [method, path, body] of forPeople) {
    const { value, error } = await asked(method, path, body);
    t.is(error?.code, 'invalid_argument', `${method} ${path} ${JSON.stringify(value)}`);
  }
  for (const path of ['/plugins', '/plugins/reload', '/realm-files', '/serverinfo', '/boot', '/console/whoami']) {
    for (const method of ['GET', 'POST']) t.true([404, 405].includes(told(await asked(method, path)) as number), path);
  }
  await asked('PUT', '', { providers: { 'realm-restapi-extension': { bare: { enabled: true } } }, realm: 'master' });
  t.is((await askBarely(host, host.defaultRealm, 'bare', 'users', 'count')).status, 404, 'its provider is still off');
  t.is((await host.realms.get(host.defaultRealm))?.name, host.defaultRealm);
});

test('T635 · grants of plugins: a worker that lies about its plugin, or takes the port of its thread, gets nothing', async (t) => {
  const { host } = await scene();
  const busy = Array.from({ length: 20 }, () => ask(host, host.defaultRealm, 'apart', 'users', 'count'));
  const lie = fetchAnswer(`${host.realm(host.defaultRealm)}/liar`, { method: 'POST' });
  for (const { error } of await Promise.all(busy)) t.is(error, undefined);
  const { status, json, text } = await lie;
  t.is(status, 200, text);
  t.is(json.asked, 'plugin_not_granted');
  // It can only use its own session, which still belongs to it.
  t.deepEqual(json.codes as unknown, ['plugin_not_granted', 'session_closed']);
  const refused = host.log.filter(({ message, fields }) => {
    return (
      message === 'plugin request refused: the right is not granted' &&
      (fields as { realm?: string }).realm === host.defaultRealm
    );
  });
  t.deepEqual([...new Set(refused.map(({ fields }) => (fields as { plugin: string }).plugin))], ['liar']);
});

test('T636 · grants of plugins: errors of the API for a plugin are not shown to its callers', async (t) => {
  const { host } = await scene();
  const taken = await askBarely(host, host.defaultRealm, 'lesser', 'users', 'create', { username: 'alice' });
  t.deepEqual([taken.status, taken.text], [409, '{"error":"HTTP 409"}']);
  for (const [name, ...call] of [
    ['bare', 'users', 'count'],
    ['lesser', 'admin', 'request', 'GET', '/../master'],
  ]) {
    const { status, text } = await askBarely(host, host.defaultRealm, String(name), ...call);
    t.is(status, 500);
    t.notRegex(text, /grant|manage|master|plugin/);
  }
});

test('T637 · grants of plugins: no answer to a plugin contains material for a login', async (t) => {
  const { host, boss } = await scene();
  const answers = [
    await ask(host, host.defaultRealm, 'lesser', 'admin', 'request', 'GET', `/users/${boss}/credentials`),
    await ask(host, host.defaultRealm, 'lesser', 'admin', 'request', 'GET', `/users/${boss}`),
    await ask(host, host.defaultRealm, 'lesser', 'admin', 'representation'),
    await ask(host, host.defaultRealm, 'lesser', 'credentials', 'ofUser', boss),
    await ask(host, host.defaultRealm, 'lesser', 'clients', 'byClientId', 'svc'),
  ];
  for (const answer of answers) {
    t.is(answer.error, undefined);
    t.notRegex(JSON.stringify(answer), /secretData|"salt"|s3cret:|svc-secret|MII-private|privateKey":\["(?!\*)/);
  }
});

test('T639 · grants of plugins: passwords are not guessed by a plugin: not without a grant, not past a lock', async (t) => {
  const { host, boss } = await scene({ bruteForceProtected: true, failureFactor: 2, quickLoginCheckMilliSeconds: 0 });
  const alice = idIn(host.defaultRealm);
  const verify = (name: string, id: string, value: string) =>
    ask(host, host.defaultRealm, name, 'credentials', 'verify', id, { type: 'password', value });
  for (const name of ['bare', 'asker', 'apart', 'mute'])
    t.is((await verify(name, alice, 'Alice-pass-1!')).error?.code, 'plugin_not_granted', name);
  for (const name of ['lesser', 'whole']) t.is((await verify(name, boss, 'boss')).value as unknown, 'valid', name);
  const guesses = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((guess) => verify('lesser', alice, guess)));
  t.true(guesses.every(({ value }) => ['invalid', 'locked'].includes(String(value))));
  t.is(guesses.filter(({ value }) => String(value) === 'invalid').length, 2);
  t.is((await verify('lesser', alice, 'Alice-pass-1!')).value as unknown, 'locked');
  const form = { client_id: 'spa', grant_type: 'password', username: 'alice', password: 'Alice-pass-1!' };
  t.is((await host.token(host.defaultRealm, form)).json.error, 'invalid_grant');
});

test('T638 · grants of plugins: a value that is no data, too deep or too large goes into no operation', async (t) => {
  const { host } = await scene();
  const request = async ($source: string) =>
    told(await ask(host, host.defaultRealm, 'lesser', 'admin', 'request', 'POST', '/client-scopes', { $source }));
  const scope = (text: string) => `({ name: 'x', attributes: { text: ${text} } })`;
  t.is(await request(scope('JSON.parse("[".repeat(500) + "]".repeat(500))')), 400);
  t.is(await request(scope('"x".repeat(300_000)')), 413);
  t.is(await request(scope('"\\ud800"')), 400);
  t.is(await request('"text"'), 400);
  t.is(await request('undefined'), 400);
  for (const source of ['1n', '(() => { const a = {}; a.a = a; return a; })()']) t.is(await request(source), 'done');
  const names = (await ask(host, host.defaultRealm, 'lesser', 'admin', 'request', 'GET', '/client-scopes')).value;
  t.notRegex(JSON.stringify(names), /"name":"x"/);
});
