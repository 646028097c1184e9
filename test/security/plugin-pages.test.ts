import test, { type ExecutionContext } from 'ava';
import { adminCaller, adminClient, administrator, startAdministered } from '../helpers/admin.js';
import { enabledPages, pagePlugin } from '../helpers/admin-pages.js';
import { fetchAnswer, type TestHost } from '../helpers/host.js';
import { ALICE, DAVE, testRealm } from '../helpers/realms.js';
import { refusableEvents } from '../helpers/refuse-events.js';

const NOTES = '/realms/demo/pages/notes';

/** Users of master, with their roles over realms. */
const OF_MASTER: Readonly<Record<string, readonly [realm: string, ...roles: string[]]>> = {
  'master-viewer': ['demo', 'view-events'],
  'master-manager': ['demo', 'manage-events'],
  'master-other': ['other', 'manage-events', 'view-events'],
};

/** Roles over a realm belong to its client in master, and only the API can grant them. */
async function grantOverRealms(host: TestHost): Promise<void> {
  const admin = await adminClient(host);
  for (const [username, [realm, ...names]] of Object.entries(OF_MASTER)) {
    const clientUniqueId = (await admin.clients.find({ clientId: `${realm}-realm` }))[0]?.id ?? '';
    const id = (await admin.users.find({ username, exact: true }))[0]?.id ?? '';
    const roles = await Promise.all(names.map((roleName) => admin.clients.findRole({ id: clientUniqueId, roleName })));
    await admin.users.addClientRoleMappings({ id, clientUniqueId, roles: roles as never });
  }
}

/** A page `notes` of the realm and one `of-user`, and users with different rights. */
async function start(t: ExecutionContext, methods = ''): Promise<TestHost> {
  const packages = {
    notes: pagePlugin('notes', { methods }),
    'of-user': pagePlugin('of-user', {
      methods,
      changes: `at: 'user', view: ['view-users'], manage: ['manage-users'],`,
    }),
    supreme: pagePlugin('supreme', { changes: `view: ['realm-admin'], manage: ['realm-admin'],` }),
  };
  const people = [
    administrator('viewer', 'view-events'),
    administrator('manager', 'manage-events', 'manage-users'),
    administrator('all', 'realm-admin'),
  ];
  const realm = (name: string) => {
    const made = testRealm(name, { adminEventsEnabled: true, adminEventsDetailsEnabled: true });
    return { ...made, users: [...(made.users ?? []), ...people], providers: enabledPages(...Object.keys(packages)) };
  };
  const master = [
    ...Object.keys(OF_MASTER).map((username) => administrator(username)),
    administrator('master-own', 'realm-admin'),
  ];
  return startAdministered(t, {
    realms: [{ realm: 'master', enabled: true, users: master }, realm('demo'), realm('other')],
    packages,
    plugins: Object.keys(packages).map((module) => ({ module })),
  });
}

test('T445 · admin pages of plugins: a page answers callers with its roles over the realm, from master or the realm itself, and nobody else', async (t) => {
  const host = await start(t);
  await grantOverRealms(host);
  const who = { 'the admin of master': {} } as Record<string, { realm?: string; username?: string }>;
  for (const username of ['viewer', 'manager', 'all', 'alice']) who[username] = { realm: 'demo', username };
  for (const username of ['master-viewer', 'master-manager', 'master-other', 'master-own'])
    who[username] = { username };
  for (const username of ['manager', 'all']) who[`${username} of other`] = { realm: 'other', username };
  const statuses: Record<string, readonly number[]> = {};
  for (const [name, { realm, username }] of Object.entries(who)) {
    const password = username === 'alice' ? 'Alice-pass-1!' : username;
    const call = await adminCaller(
      host,
      username === undefined ? {} : { ...(realm ? { realm } : {}), username, password: password ?? '' },
    );
    const asked = [
      call('GET', '/realms/demo/pages'),
      call('GET', `${NOTES}/list`),
      call('PUT', `${NOTES}/change`, {}),
      call('GET', '/realms/demo/pages/supreme/list'),
      call('PUT', '/realms/demo/pages/supreme/change', {}),
    ];
    statuses[name] = (await Promise.all(asked)).map(({ status }) => status);
  }
  const nobody = [403, 403, 403, 403, 403];
  t.deepEqual(statuses, {
    'the admin of master': [200, 200, 200, 200, 200],
    viewer: [200, 200, 403, 403, 403],
    manager: [200, 200, 200, 403, 403],
    all: [200, 200, 200, 200, 200],
    alice: nobody,
    'master-viewer': [200, 200, 403, 403, 403],
    'master-manager': [200, 200, 200, 403, 403],
    'master-other': nobody,
    'master-own': nobody,
    'manager of other': nobody,
    'all of other': nobody,
  });
  const credentials: Record<string, string>[] = [{}, { authorization: 'Bearer x' }, { authorization: 'Basic YTpi' }];
  for (const headers of credentials) {
    t.is((await fetchAnswer(`${host.url}/admin${NOTES}/list`, { headers })).status, 401);
  }
});

test('T446 · admin pages of plugins: a page gives no more than its operations: no other method, no credentials, no user above the admin', async (t) => {
  const host = await start(
    t,
    `async internal() { return { reached: true }; },
     async close() {},
     async change({ body }) {
       if (body.ask) return { principal: await session.authenticate() };
       const form = { grant_type: 'client_credentials' };
       if (body.token) return { status: (await session.tokenRequest(form)).status };
       return { keys: Object.keys(body) };
     },`,
  );
  const call = await adminCaller(host);
  for (const name of [
    'internal',
    'close',
    'create',
    'open',
    'background',
    'then',
    'LIST',
    'list/',
    'list/x',
    'list%2F',
  ]) {
    const found = await Promise.all(['GET', 'POST', 'PUT', 'DELETE'].map((method) => call(method, `${NOTES}/${name}`)));
    t.true(
      found.every(({ text }) => !text.includes('reached')),
      name,
    );
    if (name !== 'list/')
      t.true(
        found.every(({ status }) => status === 404),
        name,
      );
  }
  t.is((await call('PUT', `${NOTES}/change`, { ask: true })).status, 502, 'the token of the admin is not the plugin’s');
  const tokens = await call('PUT', `${NOTES}/change`, { token: true });
  t.is(JSON.parse(tokens.text).status, 401, 'nor does it open the token endpoint');
  const manager = await adminCaller(host, { realm: 'demo', username: 'manager', password: 'manager' });
  const ofUser = (id: string) => `/realms/demo/pages/of-user/change?subject=${id}`;
  t.is((await manager('PUT', ofUser(ALICE), {})).status, 200);
  t.is((await manager('PUT', ofUser(DAVE), {})).status, 403, 'who may do more than the manager');
  t.is((await manager('PUT', ofUser(`${ALICE}&subject=${DAVE}`), {})).status, 400);
  t.is((await manager('PUT', ofUser(`${ALICE}-other`), {})).status, 404, 'a user of another realm is none of this one');
  t.is((await manager('PUT', ofUser('..%2Fdemo'), {})).status, 404);
});

test('T447 · admin pages of plugins: markup of a page stays text, on every way to a browser', async (t) => {
  const markup = '<script>alert(1)</script>';
  const host = await start(
    t,
    `async list() { return { rows: [{ text: '${markup}' }] }; },
     async change() { return { error: 'x', error_description: '${markup}', errors: [{ pointer: '', message: '${markup}' }] }; },`,
  );
  const call = await adminCaller(host);
  const asBrowser = { accept: 'text/html,application/xhtml+xml' };
  for (const answer of [
    await call('GET', `${NOTES}/list`, undefined, asBrowser),
    await call('PUT', `${NOTES}/change`, {}, asBrowser),
    await call('GET', '/realms/demo/pages', undefined, asBrowser),
  ]) {
    const type = answer.headers.get('content-type') ?? '';
    t.is(answer.headers.get('x-content-type-options'), 'nosniff');
    if (type.startsWith('application/json')) continue;
    t.false(answer.text.includes(markup), type);
  }
});

test('T448 · admin pages of plugins: a script or external link ends the load of the page, and in a row the answer', async (t) => {
  for (const link of [
    'javascript:alert(1)',
    ' javascript:alert(1)',
    '//evil.test',
    'data:text/html,x',
    '/\\\\evil.test',
  ]) {
    const changes = `blocks: [{ kind: 'text', text: 'See', link: { title: 'Here', to: ${JSON.stringify(link)} } }],`;
    const failed = startAdministered(t, {
      realms: [testRealm('demo', { providers: {} })],
      packages: { linked: pagePlugin('linked', { changes }) },
      plugins: [{ module: 'linked' }],
    });
    const error = await t.throwsAsync(failed, undefined, link);
    t.regex(
      error?.message ?? '',
      /linked: admin-page\/linked: blocks\[0\]\.link\.to must be a path of the admin console/,
      link,
    );
  }
  const links = [
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    '//evil.test',
    'http://evil.test',
    '\\tjavascript:alert(1)',
  ];
  const host = await start(
    t,
    `async list({ first }) { return { rows: [{ link: ${JSON.stringify(links)}[first] }] }; },`,
  );
  const call = await adminCaller(host);
  for (const index of links.keys()) {
    const { status, text } = await call('GET', `${NOTES}/list?first=${index}`);
    t.is(status, 500, links[index]);
    t.notRegex(text, /alert|evil/);
  }
});

test('T449 · admin pages of plugins: names that every object has are no pages and no operations', async (t) => {
  const host = await start(t);
  const call = await adminCaller(host);
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];
  for (const name of names) {
    for (const path of [`${name}/list`, `notes/${name}`, `${name}/${name}`]) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        const { status } = await call(method, `/realms/demo/pages/${path}`, method === 'GET' ? undefined : {});
        t.is(status, 404, `${method} ${path}`);
      }
    }
  }
  const polluted = await call('PUT', `${NOTES}/change?__proto__=x&constructor=y`, { constructor: 1 });
  t.is(polluted.status, 200, polluted.text);
  t.is(JSON.parse(polluted.text).query.constructor, 'y');
  t.is((await call('PUT', `${NOTES}/change`, '{"__proto__": {"admin": true}}')).status, 400);
});

test('T450 · admin pages of plugins: a body that is too large, too deep or no object is refused before the page, without an event', async (t) => {
  const host = await start(t);
  const call = await adminCaller(host);
  const put = async (body: string) => (await call('PUT', `${NOTES}/change`, body)).status;
  t.is(await put(JSON.stringify({ x: 'x'.repeat(256 * 1024) })), 413);
  t.is(await put(`${'{"a":'.repeat(201)}1${'}'.repeat(201)}`), 400);
  t.is(await put('{"a":1,"a":2}'), 400);
  t.is(await put('[1]'), 400);
  t.is(await put('"text"'), 400);
  t.is(await put('{'), 400);
  const many = Array.from({ length: 21 }, (_, index) => `p${index}=1`).join('&');
  t.is((await call('PUT', `${NOTES}/change?${many}`, {})).status, 400);
  await host.events.flush();
  t.deepEqual(await host.store.events.query('demo', { kind: 'admin' }), []);
});

for (const isolation of ['none', 'worker'] as const) {
  test(`T451 · admin pages of plugins: no change of a page is stored without its event (isolation ${isolation})`, async (t) => {
    const { dataDir, refuse } = await refusableEvents(t);
    const host = await startAdministered(t, {
      realms: [testRealm('demo', { adminEventsEnabled: true, providers: enabledPages('notes') })],
      packages: { notes: pagePlugin('notes') },
      plugins: [{ module: 'notes', isolation }],
      argv: ['--data-dir', dataDir],
    });
    const call = await adminCaller(host);
    const add = async (text: string) => (await call('POST', `${NOTES}/add`, { text })).status;
    t.is(await add('before'), 200);
    refuse(true);
    t.is(await add('meanwhile'), 500);
    refuse(false);
    const { rows } = JSON.parse((await call('GET', `${NOTES}/list`)).text) as { rows: { text: string }[] };
    t.deepEqual(
      rows.map(({ text }) => text),
      ['before'],
    );
    t.is(await add('after'), 200);
    await host.events.flush();
    t.is((await host.store.events.query('demo', { kind: 'admin' })).length, 2);
  });
}
