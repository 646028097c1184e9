import { readFile } from 'node:fs/promises';
import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administrator, startAdministered } from '../helpers/admin.js';
import type { TestHost } from '../helpers/host.js';
import { edit, realmFile, replaceFile } from '../helpers/realm-files.js';

interface ChangeOf {
  readonly kind: string;
  readonly operation: string;
  readonly path: readonly string[];
  readonly sentence: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly isHidden?: boolean;
}

interface PlanOf {
  readonly outcome?: string;
  readonly version?: number;
  readonly usersCreated?: number;
  readonly isBeside?: boolean;
  readonly counts: readonly object[];
  readonly changes: readonly ChangeOf[];
  readonly conflicts: readonly { readonly sentence: string }[];
  readonly edits: readonly ChangeOf[];
  readonly references?: readonly { readonly path: string }[];
}

const ENV = { SECRET_OF_B: 'value-of-b', TITLE: 'A title' };
const DEMO: RealmRepresentation = {
  realm: 'demo',
  enabled: true,
  displayName: 'One',
  adminEventsEnabled: true,
  displayNameHtml: '${env.TITLE}',
  clients: [
    { clientId: 'a', name: 'A', secret: 'secret-of-a', redirectUris: ['https://a.example.test/cb'] },
    { clientId: 'b', name: 'B', secret: '${env.SECRET_OF_B}' },
  ],
  users: [administrator('boss', 'realm-admin')],
};

const sentences = (found: readonly { readonly sentence: string }[]) => found.map(({ sentence }) => sentence);

async function scene(t: Parameters<typeof startAdministered>[0]) {
  const host = await startAdministered(t, { realms: [DEMO], env: ENV });
  const call = await adminCaller(host);
  const file = realmFile(host, 'demo.json');
  const text = await readFile(file, 'utf8');
  const plan = async (body?: string, query = '?realm=demo') => {
    const { status, json } = await call('POST', `/realm-files/plan${query}`, body);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(json)}`);
    return json as unknown as { isFollowed: boolean; problems: readonly object[]; realms: readonly PlanOf[] };
  };
  const apply = async (body?: string, query = '') => {
    const answer = await call('POST', `/realm-files/demo/apply${query}`, body);
    return { status: answer.status, json: answer.json as unknown as PlanOf & { problems: readonly object[] } };
  };
  return { host, call, file, text, plan, apply };
}

const live = async ({ store }: TestHost, name = 'demo') => (await store.realms.get(name))?.representation;

test('realm plans: a plan counts the changes of a document, then lists each, and changes nothing', async (t) => {
  const { host, text, plan } = await scene(t);
  t.deepEqual((await plan(text)).realms[0]?.changes, []);
  const sent = text
    .replace('"One"', '"Two"')
    .replace('"secret-of-a"', '"another-secret"')
    .replace('"https://a.example.test/cb"', '"https://a.example.test/cb", "https://a.example.test/cb2"')
    .replace('"clientId": "b"', '"clientId": "c"')
    .replace('"${env.SECRET_OF_B}"', '"plain-secret"')
    .replace('"username": "boss"', '"username": "chief"');
  const { isFollowed, problems, realms } = await plan(sent);
  const [one] = realms;
  t.deepEqual([isFollowed, problems, realms.length, one?.isBeside], [true, [], 1, true]);
  t.deepEqual(one?.counts, [
    { kind: 'realm', created: 0, changed: 1, removed: 0 },
    { kind: 'clients', created: 1, changed: 1, removed: 1 },
    { kind: 'users', created: 1, changed: 0, removed: 0 },
  ]);
  t.deepEqual(sentences(one?.changes ?? []), [
    'displayName is "Two" (was "One")',
    'client a: secret is changed',
    'client a may redirect to https://a.example.test/cb2',
    'client b is removed, with its sessions',
    'client c is created',
    'user chief is created',
  ]);
  t.like(one?.changes[0], {
    kind: 'realm',
    operation: 'changed',
    path: ['displayName'],
    before: 'One',
    after: 'Two',
  });
  t.like(one?.changes[1], { path: ['clients', 'a', 'secret'], isHidden: true });
  t.like(one?.changes[4], { operation: 'created', after: { clientId: 'c', secret: '**********' } });
  for (const secret of ['secret-of-a', 'another-secret', 'plain-secret', ENV.SECRET_OF_B])
    t.false(JSON.stringify(realms).includes(secret), secret);
  t.like(await live(host), { displayName: 'One' });
  t.is((await host.store.realms.get('demo'))?.version, 1);
});

test('realm plans: problems of a document have line and column, and those of a file too', async (t) => {
  const { call, text, plan, apply, file } = await scene(t);
  const sent = text.replace('"name": "A"', '"naem": "A"');
  const lines = sent.slice(0, sent.indexOf('"naem"')).split('\n');
  const problem = {
    line: lines.length,
    column: (lines.at(-1)?.length ?? 0) + 1,
    pointer: '/clients/0/naem',
    path: 'clients[0].naem',
    message: 'unknown key',
    suggestion: 'name',
  };
  t.deepEqual(await plan(sent), { isFollowed: true, problems: [problem], realms: [] });
  const refused = await apply(sent);
  t.is(refused.status, 400);
  t.deepEqual(refused.json.problems, [problem]);
  t.like((await plan('{"realm": ')).problems, [
    { line: 1, column: 11, message: 'not JSON: unexpected end of the file' },
  ]);
  t.like((await plan('{"enabled": true}')).problems, [{ message: 'the document must contain "realm"' }]);
  await replaceFile(file, sent);
  t.deepEqual((await plan()).problems, [{ file: 'demo.json', ...problem }]);
  t.deepEqual((await apply()).json.problems, [{ file: 'demo.json', ...problem }]);
  t.is((await call('POST', '/realm-files/plan')).status, 400);
  t.is((await call('POST', '/realm-files/plan?realm=master')).status, 404);
  t.is((await call('POST', '/realm-files/other/apply', text)).status, 400);
  t.is((await call('POST', '/realm-files/demo/apply', text, { 'content-type': 'text/xml' })).status, 415);
});

test('realm plans: a document is applied as an edit that the file’s next change is merged with, and an event of the realm names it', async (t) => {
  const { host, call, text, apply } = await scene(t);
  const before = await readFile(realmFile(host, 'demo.json'), 'utf8');
  const sent = text.replace('"One"', '"Two"').replace('"name": "A"', '"name": "AA", "secret": "**********"');
  const masked = sent.replace(/"secret": "secret-of-a",?/, '');
  const { status, json } = await apply(masked);
  t.is(status, 200, JSON.stringify(json));
  t.like(json, { outcome: 'applied', version: 2, isBeside: true, usersCreated: 0 });
  t.deepEqual(sentences(json.changes), ['displayName is "Two" (was "One")', 'client a: name is "AA" (was "A")']);
  const now = await live(host);
  t.like(now, { displayName: 'Two', displayNameHtml: ENV.TITLE });
  t.deepEqual(
    now?.clients?.slice(0, 2).map(({ name, secret }) => [name, secret]),
    [
      ['AA', 'secret-of-a'],
      ['B', ENV.SECRET_OF_B],
    ],
  );
  t.is(await readFile(realmFile(host, 'demo.json'), 'utf8'), before);
  const state = (await call('GET', '/realm-files/demo')).json as unknown as { state: string; edits: string[] };
  t.deepEqual(
    [state.state, state.edits],
    ['drifted', ['displayName is "Two" (was "One")', 'client a: name is "AA" (was "A")']],
  );
  const again = await apply(masked);
  t.like(again.json, { outcome: 'unchanged', version: 2, changes: [] });
  const events = (await call('GET', '/realms/demo/admin-events?resourcePath=realm-files/*')).json as readonly {
    readonly operationType: string;
    readonly resourceType: string;
    readonly representation: string;
  }[];
  t.is(events.length, 2);
  t.like(events[1], { operationType: 'UPDATE', resourceType: 'REALM' });
  t.deepEqual(JSON.parse(events[1]?.representation ?? ''), {
    realm: 'demo',
    by: 'document',
    takesBack: false,
    changes: ['displayName', 'client a: name'],
    users: 0,
  });
});

test('realm plans: drift is reverted: the file’s values are live again, other edits are gone, secrets stay', async (t) => {
  const { host, call, plan, apply } = await scene(t);
  await edit(host, 'demo', (realm) => {
    Object.assign(realm, { displayName: 'Edited', ssoSessionIdleTimeout: 77 });
    realm.clients?.push({ clientId: 'added', redirectUris: ['https://added.example.test/cb'] });
    realm.clients = realm.clients?.filter(({ clientId }) => clientId !== 'b') ?? [];
    Object.assign(realm.smtpServer ?? {}, {});
  });
  const stays = (await plan()).realms[0];
  t.deepEqual([stays?.changes, stays?.edits.length], [[], 4]);
  const taken = (await plan(undefined, '?realm=demo&takeBack=true')).realms[0];
  const told = [
    'displayName is "One" (was "Edited")',
    'ssoSessionIdleTimeout is no longer set (was 77)',
    'client added is removed, with its sessions',
    'client b is created',
  ];
  t.deepEqual([sentences(taken?.changes ?? []).sort(), taken?.edits], [[...told].sort(), []]);
  const { json } = await apply();
  t.like(json, { outcome: 'applied', version: 3, edits: [] });
  t.deepEqual(sentences(json.changes).sort(), [...told].sort());
  const now = await live(host);
  t.like(now, { displayName: 'One' });
  t.is(now?.ssoSessionIdleTimeout, undefined);
  t.is(now?.clients?.find(({ clientId }) => clientId === 'b')?.secret, ENV.SECRET_OF_B);
  t.like((await call('GET', '/realm-files/demo')).json, { state: 'applied', version: 3 });
  t.like((await apply()).json, { outcome: 'unchanged', version: 3 });
});

test('realm plans: a document creates a realm that has no file, and a realm is exported as the command prints it', async (t) => {
  const { host, call } = await scene(t);
  const sent = JSON.stringify({
    realm: 'new',
    enabled: true,
    clients: [{ clientId: 'svc', serviceAccountsEnabled: true }],
  });
  const made = await call('POST', '/realm-files/new/apply', sent);
  t.like(made.json, { outcome: 'applied', version: 1, usersCreated: 1, isBeside: false });
  t.like(await live(host, 'new'), { enabled: true });
  t.is((await call('GET', '/realm-files/new')).status, 204);
  t.is((await call('GET', '/realm-files/nobody')).status, 404);
  const { json, headers, text } = await call('GET', '/realm-files/demo/export');
  t.is(headers.get('content-type'), 'application/json;charset=UTF-8');
  t.like(json, { realm: 'demo', displayNameHtml: '${env.TITLE}' });
  t.true(text.includes('"secret": "${env.SECRET_OF_B}"'));
  t.false(text.includes('secret-of-a') || text.includes(ENV.SECRET_OF_B));
  t.like((await call('GET', '/realm-files/new/export')).json, { users: [{ username: 'service-account-svc' }] });
  t.is((await call('GET', '/realm-files/nobody/export')).status, 404);
});

test('realm plans: the export of a realm without a file is applied: a secret that it leaves out stays, except for a new address', async (t) => {
  const { host, call } = await scene(t);
  const handler = { clientId: 'svc', clientSecret: 'of-handler', audience: 'api', singleUse: true };
  const path = '/providers/action-token-handler/external-app-notification';
  t.is((await call('POST', '/realms', { realm: 'made', enabled: true })).status, 201);
  t.is((await call('PUT', `/realms/made${path}`, { enabled: true, config: handler })).status, 204);
  const smtpServer = { host: 'mail.test', from: 'made@mail.test', auth: 'true', user: 'made', password: 'of-mail' };
  t.is((await call('PUT', '/realms/made', { smtpServer })).status, 204);
  const sent = JSON.parse((await call('GET', '/realm-files/made/export')).text) as RealmRepresentation;
  const settings = sent.providers?.['action-token-handler']?.['external-app-notification'];
  t.is(settings?.config?.clientSecret, '${env.MADE_EXTERNAL_APP_NOTIFICATION_CLIENT_SECRET}');
  const applyTo = async (document: object) => {
    const answer = await call('POST', '/realm-files/made/apply', JSON.stringify(document));
    return answer.json as unknown as PlanOf & { problems: readonly { readonly message: string }[] };
  };
  t.is((await applyTo(sent)).outcome, 'unchanged');
  t.is((await applyTo({ ...sent, displayName: 'By document' })).outcome, 'applied');
  const stored = await live(host, 'made');
  t.deepEqual(stored?.providers?.['action-token-handler']?.['external-app-notification']?.config, handler);
  const masked = { ...sent, smtpServer: { ...smtpServer, password: '**********', host: 'elsewhere.test' } };
  t.regex((await applyTo(masked)).problems[0]?.message ?? '', /^write the value: .*host/);
  const same = { ...sent, displayName: 'Again', smtpServer: { ...smtpServer, password: '**********' } };
  t.is((await applyTo(same)).outcome, 'applied');
  t.like((await live(host, 'made'))?.smtpServer, { password: 'of-mail' });
  // Other references stay those of files only.
  const other = { ...sent, displayName: '${env.MADE_EXTERNAL_APP_NOTIFICATION_CLIENT_SECRET}' };
  t.regex((await applyTo(other)).problems[0]?.message ?? '', /only a file in the realms folder/);
});

test('realm plans: admins of one realm plan and apply nothing, and edits of master are not reverted', async (t) => {
  const { host, call, text } = await scene(t);
  const boss = await adminCaller(host, { realm: 'demo', username: 'boss', password: 'boss' });
  for (const path of ['plan', 'demo/apply']) t.is((await boss('POST', `/realm-files/${path}`, text)).status, 403, path);
  t.is((await boss('GET', '/realm-files/demo/export')).status, 403);
  t.is((await call('POST', '/realm-files/master/apply')).status, 409);
});

test('realm plans: a realm file is checked before it is imported, by who may create realms, and nothing is created', async (t) => {
  const { host, call } = await scene(t);
  const document = JSON.stringify(
    {
      realm: 'fresh',
      displayName: 'Fresh',
      clients: [
        { clientId: 'api', secret: '**********' },
        { clientId: 'web', publicClient: true },
        { clientId: 'job' },
      ],
      components: { 'org.keycloak.storage.UserStorageProvider': [{ name: 'people', providerId: 'ldap' }] },
      users: [{ username: 'ann' }],
    },
    undefined,
    2,
  );
  const { status, json } = await call('POST', '/realm-files/check', document);
  t.is(status, 200);
  const { problems, realm } = json as unknown as {
    problems: readonly object[];
    realm: { warnings: readonly { path: string; line: number; message: string }[] };
  };
  t.deepEqual(problems, []);
  t.like(realm, { name: 'fresh', clients: 3, groups: 0, users: 1, newSecrets: ['api', 'job'] });
  const { warnings } = realm;
  t.true(warnings.some(({ path }) => path === 'clients[0].secret'));
  t.true(warnings.some(({ path }) => path.includes('UserStorageProvider')));
  const reference = await call('POST', '/realm-files/check', document.replace('"Fresh"', '"${env.SECRET_OF_B}"'));
  t.is(reference.json.realm, undefined);
  t.like((reference.json as unknown as { problems: object[] }).problems[0], {
    path: 'displayName',
    line: 3,
    message: 'write the value: only a file in the realms folder can use a reference',
  });
  t.false(JSON.stringify(reference.json).includes(ENV.SECRET_OF_B));
  t.is(await live(host, 'fresh'), undefined);
  const wrong = await call(
    'POST',
    '/realm-files/check',
    document.replace('"publicClient": true', '"publicClient": "perhaps"'),
  );
  t.is(wrong.json.realm, undefined);
  t.like((wrong.json as unknown as { problems: object[] }).problems[0], { path: 'clients[1].publicClient', line: 11 });
  const notJson = await call('POST', '/realm-files/check', '{"realm": ');
  t.like((notJson.json as unknown as { problems: object[] }).problems[0], { line: 1 });
  // As the import, which takes one realm.
  const list = await call('POST', '/realm-files/check', `[${document}]`);
  t.like((list.json as unknown as { problems: object[] }).problems[0], {
    message: 'must be one realm, and not a list',
  });
  t.is((await call('POST', '/realm-files/check')).status, 400);
  const large = JSON.stringify({ realm: 'fresh', displayName: 'x'.repeat(3 * 1024 * 1024) });
  t.is((await call('POST', '/realm-files/check', large)).status, 413);
  // Other requests wait for the check, so a creator of realms gets less of the time than an admin of the host.
  await call('POST', '/realms/master/users', {
    username: 'creator',
    enabled: true,
    credentials: [{ type: 'password', value: 'creator' }],
  });
  const [user] = (await call('GET', '/realms/master/users?username=creator')).json as unknown as [{ id: string }];
  const role = (await call('GET', '/realms/master/roles/create-realm')).json;
  t.is((await call('POST', `/realms/master/users/${user.id}/role-mappings/realm`, [role])).status, 204);
  const creator = await adminCaller(host, { username: 'creator', password: 'creator' });
  const smaller = document.replace('Fresh', 'x'.repeat(1024 * 1024));
  t.deepEqual(
    [
      (await call('POST', '/realm-files/check', smaller)).status,
      (await creator('POST', '/realm-files/check', smaller)).status,
    ],
    [200, 413],
  );
  t.is((await creator('POST', '/realm-files/check', document)).status, 200);
});
