import test, { type ExecutionContext } from 'ava';
import { adminCaller, administered, administrator, startAdministered } from '../helpers/admin.js';
import { enabledPages, pagePlugin } from '../helpers/admin-pages.js';
import type { TestHost } from '../helpers/host.js';
import { ALICE, DAVE, testRealm } from '../helpers/realms.js';
import { reloadScene } from '../helpers/reload.js';

const PAGES = '/realms/demo/pages';
const NOTES = `${PAGES}/notes`;

/** A host with a page at each position: `notes` of the realm, `of-user` of a user and `of-client` of a client. */
async function start(t: ExecutionContext, isolation: 'none' | 'worker' = 'none'): Promise<TestHost> {
  const at = (id: string, place: string) => pagePlugin(id, { changes: `at: '${place}',` });
  const users = [
    ...(testRealm('demo').users ?? []),
    administrator('viewer', 'view-events'),
    administrator('manager', 'manage-events', 'view-users', 'view-clients'),
    administrator('other', 'manage-clients'),
  ];
  const packages = {
    notes: pagePlugin('notes'),
    'of-user': at('of-user', 'user'),
    'of-client': at('of-client', 'client'),
  };
  return startAdministered(t, {
    realms: [
      testRealm('demo', {
        users,
        providers: enabledPages(...Object.keys(packages)),
        adminEventsEnabled: true,
        adminEventsDetailsEnabled: true,
      }),
      testRealm('bare', { providers: {} }),
    ],
    packages,
    plugins: Object.keys(packages).map((module) => ({ module, isolation })),
  });
}

const as = (host: TestHost, username: string) => adminCaller(host, { realm: 'demo', username, password: username });

async function adminEvents(host: TestHost) {
  await host.events.flush();
  return (await host.store.events.query('demo', { kind: 'admin' })).map(({ body }) => JSON.parse(body));
}

test('admin pages of plugins: the pages that an admin may see are listed whole, with their texts in all languages', async (t) => {
  const host = await start(t);
  const call = await adminCaller(host);
  const all = JSON.parse((await call('GET', PAGES)).text);
  t.deepEqual(
    all.map(({ provider }: { provider: string }) => provider),
    ['notes', 'of-user', 'of-client'],
  );
  t.like(all[0], {
    provider: 'notes',
    plugin: { name: 'notes', version: '1.2.3' },
    page: { title: { en: 'Notes', de: 'Notizen' }, at: 'realm', view: ['view-events'], manage: ['manage-events'] },
  });
  t.is(all[0].page.blocks[0].text, 'What was <b>noted</b>', 'markup is text, and stays as it is');
  t.is(all[0].page.blocks[1].columns.length, 2);
  const ids = async (username: string) =>
    JSON.parse((await (await as(host, username))('GET', PAGES)).text).map((one: { provider: string }) => one.provider);
  t.deepEqual(await ids('viewer'), ['notes'], 'pages about users and clients are for who may see those');
  t.deepEqual(await ids('manager'), ['notes', 'of-user', 'of-client']);
  t.deepEqual(await ids('other'), []);
  const may = async (username: string) =>
    JSON.parse((await (await as(host, username))('GET', PAGES)).text)[0].mayManage;
  t.deepEqual([all[0].mayManage, await may('viewer'), await may('manager')], [true, false, true]);
  t.deepEqual(JSON.parse((await call('GET', '/realms/bare/pages')).text), [], 'no realm has a page on by itself');
  const { paths } = JSON.parse((await call('GET', '/openapi.json')).text);
  t.deepEqual(Object.keys(paths['/realms/{realm}/pages/{provider}/{operation}']), ['get', 'post', 'put', 'delete']);
});

for (const isolation of ['none', 'worker'] as const) {
  test(`admin pages of plugins: a table is read and a form sent, with the admin as principal and the change in the events (isolation ${isolation})`, async (t) => {
    const host = await start(t, isolation);
    const call = await adminCaller(host);
    t.deepEqual(JSON.parse((await call('GET', `${NOTES}/list`)).text), { rows: [], more: false });
    const added = await call('POST', `${NOTES}/add`, { text: 'hello', pin: 'pin-of-hello' });
    t.is(added.status, 200, added.text);
    t.is(added.headers.get('cache-control'), 'no-store');
    const root = (await host.users.byUsername(await host.loadedRealm('master'), 'root'))?.id;
    t.deepEqual(JSON.parse(added.text), {
      code: 'shown-once',
      admin: { realm: 'master', userId: root, username: 'root', clientId: 'admin-cli' },
      realm: 'demo',
    });
    const own = await (await as(host, 'manager'))('POST', `${NOTES}/add`, { text: 'help', colour: 'red' });
    t.like(JSON.parse(own.text), { admin: { realm: 'demo', username: 'manager' } });
    const read = await call('GET', `${NOTES}/list?first=0&max=1`);
    t.deepEqual(JSON.parse(read.text), {
      rows: [{ key: 'note/hello', text: 'hello', colour: 'blue', by: 'root' }],
      more: true,
    });
    t.is(JSON.parse((await call('GET', `${NOTES}/list?search=elp`)).text).rows[0].by, 'manager');
    const removed = await call('DELETE', `${NOTES}/remove?key=${encodeURIComponent('note/help')}`);
    t.deepEqual([removed.status, removed.text], [204, '']);
    t.is(JSON.parse((await call('GET', `${NOTES}/list`)).text).rows.length, 1);

    const events = (await adminEvents(host)).reverse();
    t.deepEqual(
      events.map(({ operationType, resourceType, resourcePath }) => [operationType, resourceType, resourcePath]),
      [
        ['CREATE', 'CUSTOM', 'pages/notes/add'],
        ['CREATE', 'CUSTOM', 'pages/notes/add'],
        ['DELETE', 'CUSTOM', 'pages/notes/remove'],
      ],
    );
    const shown = events[0].representation;
    const body = typeof shown === 'string' ? JSON.parse(shown) : shown;
    t.deepEqual(body, { body: { text: 'hello', pin: '**********', colour: 'blue' } });
    const everything = JSON.stringify([events, host.log]);
    t.notRegex(
      everything,
      /shown-once|pin-of-hello/,
      'neither an event nor the log holds what is shown once, or a secret',
    );
  });
}

test('admin pages of plugins: invalid input is refused beside its field, by the host and by the page, and is no event', async (t) => {
  const host = await start(t);
  const call = await adminCaller(host);
  const refused = async (body: unknown) => {
    const answer = await call('POST', `${NOTES}/add`, body);
    t.is(answer.status, 400, answer.text);
    return JSON.parse(answer.text);
  };
  t.deepEqual(await refused({ text: '', colour: 'green', 'a/b': 1 }), {
    error: 'invalid_request',
    error_description: 'The request body is invalid',
    errors: [
      { pointer: '/a~1b', message: 'unknown key' },
      { pointer: '/text', message: 'must not be empty' },
      { pointer: '/colour', message: 'must be one of red, blue' },
    ],
  });
  t.deepEqual((await refused({})).errors, [{ pointer: '/text', message: 'is missing' }]);
  t.deepEqual((await refused(undefined)).errors, [{ pointer: '/text', message: 'is missing' }]);
  t.deepEqual((await refused([])).errors, [{ pointer: '', message: 'must be an object' }]);
  t.deepEqual((await refused({ text: 5 })).errors, [{ pointer: '/text', message: 'must be a string' }]);
  t.deepEqual(await refused({ text: 'taken' }), {
    error: 'taken',
    error_description: 'It is there',
    errors: [{ pointer: '/text', message: { en: 'is there already', de: 'gibt es schon' } }],
  });
  const bodiless = await call('DELETE', `${NOTES}/remove?key=x`, { sneaked: true });
  t.is(bodiless.status, 400, bodiless.text);
  t.is((await call('POST', `${NOTES}/add`, 'text', { 'content-type': 'text/plain' })).status, 415);
  t.is((await call('GET', `${NOTES}/list?a=1&a=2`)).status, 400);
  t.is((await call('GET', `${NOTES}/list?a=${'x'.repeat(2001)}`)).status, 400);
  t.deepEqual(await adminEvents(host), []);
});

test('admin pages of plugins: an operation is called by its own method, and only if its page is enabled', async (t) => {
  const host = await start(t);
  const call = await adminCaller(host);
  const wrongMethod = await call('POST', `${NOTES}/list`, {});
  t.is(wrongMethod.status, 405);
  t.is(wrongMethod.headers.get('allow'), 'GET');
  t.is((await call('GET', `${NOTES}/add`)).status, 405);
  for (const path of ['notes/nothing', 'nothing/list']) t.is((await call('GET', `${PAGES}/${path}`)).status, 404, path);
  t.is((await call('GET', '/realms/bare/pages/notes/list')).status, 404, 'it is off in that realm');
  t.is((await call('PUT', '/realms/demo/providers/admin-page/notes', { enabled: false })).status, 204);
  t.is((await call('GET', `${NOTES}/list`)).status, 404);
  t.false((await call('GET', PAGES)).text.includes('"provider":"notes"'));
});

test('admin pages of plugins: a page at a user or a client requires that it exists and that the admin may see it', async (t) => {
  const host = await start(t);
  const root = await adminCaller(host);
  const manager = await as(host, 'manager');
  const ofUser = (subject: string) => `${PAGES}/of-user/change?subject=${subject}`;
  t.like(JSON.parse((await root('PUT', ofUser(ALICE), { a: 1 })).text), {
    body: { a: 1 },
    subject: { id: ALICE, name: 'alice' },
    query: {},
  });
  t.is((await root('PUT', `${PAGES}/of-user/change`, {})).status, 400, 'without a subject');
  t.is((await root('PUT', ofUser('nobody'), {})).status, 404);
  t.is((await manager('PUT', ofUser(ALICE), {})).status, 200);
  t.is((await manager('PUT', ofUser(DAVE), {})).status, 403, 'dave may do more than the manager');
  t.is((await manager('GET', `${PAGES}/of-user/list?subject=${DAVE}`)).status, 200, 'but may be looked at');
  const spa = (await host.realms.get('demo'))?.clients.get('spa')?.id ?? '';
  t.like(JSON.parse((await manager('PUT', `${PAGES}/of-client/change?subject=${spa}&x=1`, {})).text), {
    subject: { id: spa, name: 'spa' },
    query: { x: '1' },
  });
  t.is((await manager('PUT', `${PAGES}/of-client/change?subject=${ALICE}`, {})).status, 404);
  const viewer = await as(host, 'viewer');
  t.is((await viewer('GET', `${PAGES}/of-user/list?subject=${ALICE}`)).status, 403, 'may see no users');
  const [event] = (await adminEvents(host)).filter(({ resourcePath }) => resourcePath === 'pages/of-user/change');
  t.regex(JSON.stringify(event), new RegExp(ALICE));
});

for (const isolation of ['none', 'worker'] as const) {
  test(`admin pages of plugins: a page changes with its plugin, and an invalid page replaces no other (isolation ${isolation})`, async (t) => {
    const realm = { providers: enabledPages('notes') };
    const { host, write } = await reloadScene(
      t,
      () => ({ notes: pagePlugin('notes') }),
      administered({ realms: [testRealm('demo', realm)], plugins: [{ module: 'notes', isolation }] }) as object,
    );
    const call = await adminCaller(host);
    const title = async () => JSON.parse((await call('GET', PAGES)).text)[0].page.title;
    t.is((await call('POST', `${NOTES}/add`, { text: 'kept' })).status, 200);
    await write('notes', pagePlugin('notes', { changes: "title: 'Second'," }), '2.0.0');
    t.is((await call('POST', '/plugins/reload')).status, 200);
    t.is(await title(), 'Second');
    t.is(JSON.parse((await call('GET', `${NOTES}/list`)).text).rows[0].text, 'kept');
    await write('notes', pagePlugin('notes', { changes: "title: 'Third', icon: 'star'," }), '3.0.0');
    const refused = await call('POST', '/plugins/reload');
    t.is(refused.status, 409);
    t.regex(JSON.parse(refused.text).error_description, /unknown member "icon" of provide\(\)/);
    t.is(await title(), 'Second');
  });
}
