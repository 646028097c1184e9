import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { KNOWN_KEYS } from '../../core/config/realm-file/schema/file-schema.js';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { openStore } from '../../core/store/sqlite/open-store.js';
import { adminClient } from '../helpers/admin.js';
import { onePolicy } from '../helpers/client-policies.js';
import { keyhost, type Ran } from '../helpers/command.js';
import { folder, remote, run } from '../helpers/process.js';
import { states } from '../helpers/realm-files.js';
import { ALICE, testRealm } from '../helpers/realms.js';

const EXPORT_OF_KEYCLOAK = fileURLToPath(
  new URL('../../../test/fixtures/keycloak-26-realm-export.json', import.meta.url),
);

/** `keyhost realm …` in a folder of `folder()`. */
function realm(dir: string, argv: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  const places = ['--data-dir', join(dir, 'data'), '--plugins-file', join(dir, 'plugins.json')];
  return keyhost(['realm', ...argv, ...places], { env });
}

async function write(dir: string, name: string, content: RealmRepresentation | string): Promise<string> {
  const path = join(dir, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return path;
}

test('keyhost realm: check reports every problem of all files at its place, needs no store, and confirms valid ones', async (t) => {
  const dir = await folder(t, []);
  const bad = await write(dir, 'bad.json', '{\n  "realm": "bad",\n  "enabled": "yes",\n  "acessTokenLifespan": 5\n}');
  const text = await write(dir, 'text.json', '{ "realm": ');
  const good = await write(dir, 'good.json', { realm: 'good' });
  const again = await write(dir, 'again.json', { realm: 'good' });
  const { code, stdout: out } = await realm(dir, ['check', bad, good, text, again, join(dir, 'none.json')]);
  t.is(code, 1);
  t.deepEqual(out.trim().replaceAll(`${dir}/`, '').split('\n'), [
    'again.json:2:3 realm: the realm "good" is also in good.json',
    'bad.json:3:3 enabled: must be a boolean',
    'bad.json:4:3 acessTokenLifespan: unknown key (did you mean "accessTokenLifespan"?)',
    'none.json: cannot read the file (ENOENT)',
    'text.json:1:12: not JSON: unexpected end of the file',
    'good.json: realm good has no mistakes',
  ]);
  t.false(existsSync(join(dir, 'data')));
  const plugin = { 'realm-restapi-extension': { newsletter: { enabled: true, config: { authentication: 'nome' } } } };
  const ofPlugin = await realm(dir, ['check', await write(dir, 'plugin.json', { realm: 'p', providers: plugin })]);
  t.is(ofPlugin.code, 1);
  t.regex(
    ofPlugin.stdout,
    /plugin\.json:\d+:\d+ .*authentication: must be one of client, none \(did you mean "none"\?\)/,
  );
});

test('keyhost realm: check reads a folder, users in files of their own, and the rules of production', async (t) => {
  const dir = await folder(t, [testRealm('demo')]);
  await write(join(dir, 'realms'), 'big-realm.json', { realm: 'big' });
  await write(join(dir, 'realms'), 'big-users-0.json', { realm: 'big', users: [{ username: 'a' }] });
  const found = await realm(dir, ['check', join(dir, 'realms')]);
  t.is(found.code, 0, found.stdout);
  t.deepEqual(found.stdout.match(/realm \w+ has no mistakes/g), [
    'realm big has no mistakes',
    'realm demo has no mistakes',
  ]);
  await write(join(dir, 'realms'), 'big-users-1.json', { realm: 'big', users: [{ username: 'A' }] });
  const schema = await write(join(dir, 'realms'), 'realm.schema.json', '{ "type": "object" }');
  t.is((await realm(dir, ['check', schema, join(dir, 'realms', 'demo.json')])).code, 0, 'it is no realm file');
  const twice = await realm(dir, ['check', join(dir, 'realms', 'big-users-1.json')]);
  t.is(twice.code, 1);
  t.regex(twice.stdout, /big-users-1\.json:\d+:\d+ users\[0]\.username: the username "a" is used twice/);
  const production = await realm(dir, ['check', '--production', join(dir, 'realms', 'demo.json')]);
  t.is(production.code, 1);
  t.regex(production.stdout, /demo\.json:\d+:\d+ providers.*newsletter answers without authentication in realm demo/);
});

test('keyhost realm: check refuses two files with one realm ID, with both names, as the start does', async (t) => {
  const dir = await folder(t, []);
  for (const name of ['a', 'b']) await write(join(dir, 'realms'), `${name}.json`, { realm: name, id: 'same' });
  const problem = 'realms/b.json:3:3 id: the realm "a" in realms/a.json has the same ID';
  const { code, stdout } = await realm(dir, ['check', join(dir, 'realms')]);
  t.is(code, 1);
  t.deepEqual(stdout.trim().replaceAll(`${dir}/`, '').split('\n'), [problem, 'realms/a.json: realm a has no mistakes']);
  const start = await run(t, dir, ['start-dev']);
  t.is(await start.ended, 1);
  t.true(start.output().replaceAll(`${dir}/`, '').includes(problem), start.output());
  t.notRegex(start.output(), /^ +at /m);
});

test('keyhost realm: check of an export of Keycloak counts what is read as by Keycloak, and --all prints it', async (t) => {
  const dir = await folder(t, []);
  await writeFile(join(dir, 'plugins.json'), '{ "plugins": [] }');
  for (const [name, counted, warnings] of [
    [
      'realm-export',
      8,
      ['displayNameHtml', 'clients[7].authorizationServicesEnabled', 'clients[7].authorizationSettings'],
    ],
    ['round-trip', 7, []],
  ] as const) {
    const path = fileURLToPath(new URL(`../../../test/fixtures/keycloak-26-${name}.json`, import.meta.url));
    const short = await realm(dir, ['check', path]);
    const lines = short.stdout.trim().split('\n');
    t.deepEqual(
      lines.slice(0, -2).map((line) => / (\S+): .*\[warning]$/.exec(line)?.[1]),
      warnings,
    );
    t.regex(
      lines.at(-2) ?? '',
      new RegExp(`: ${counted} values are read as Keycloak reads them \\(--all prints them\\)$`),
    );
    const all = await realm(dir, ['check', '--all', path]);
    t.is(all.stdout.match(/\[hint]$/gm)?.length, counted);
    t.is(all.stdout.match(/\[warning]$/gm)?.length ?? 0, warnings.length);
  }
});

test('keyhost realm: check, plan and apply read a list of realms', async (t) => {
  const dir = await folder(t, []);
  const one = '{"realm":"one"}';
  const two = '{"realm":"two","displayName":"Two"}';
  const bad = await write(dir, 'bad.json', `[\n${one},\n{ "realm": "two", "enabled": "yes" },\n${one}\n]`);
  const list = await write(dir, 'list.json', `[\n${one},\n${two}\n]`);
  const three = await write(dir, 'three.json', `[${one},\n{ "realm": "three", "rememberMe": "true" }]`);
  const checked = await realm(dir, ['check', list, bad, three]);
  t.is(checked.code, 1);
  t.deepEqual(checked.stdout.trim().replaceAll(`${dir}/`, '').split('\n'), [
    'three.json:2:21 [1].rememberMe: the text is read as true [hint]',
    'bad.json:2:2 [0].realm: the realm "one" is also in bad.json:4:2',
    'bad.json:3:19 [1].enabled: must be a boolean',
    'bad.json:4:2 [2].realm: the realm "one" is also in bad.json:2:2',
    'three.json:1:3 realm: the realm "one" is also in list.json',
    'list.json: realm one has no mistakes',
    'list.json: realm two has no mistakes',
    'three.json: realm three has no mistakes',
  ]);
  t.is((await realm(dir, ['plan', bad])).code, 1);
  const planned = await realm(dir, ['plan', list]);
  t.is(planned.code, 2);
  t.regex(planned.stdout, /^realm one: .*would change:\n {2}the realm is created[\s\S]*\nrealm two: .*would change:\n/);
  t.is((await realm(dir, ['apply', bad])).code, 1, 'nothing is applied of a list with a mistake');
  t.is((await realm(dir, ['plan', list])).stdout, planned.stdout);
  const applied = await realm(dir, ['apply', list]);
  t.regex(applied.stdout, /^realm one: applied .*, version 1\nrealm two: applied .*, version 1\n$/, applied.stderr);
  await write(dir, 'list.json', `[${two}, ${one.replace('}', ', "displayName": "One" }')}]`);
  const changed = await realm(dir, ['plan', list]);
  t.is(changed.code, 2);
  t.regex(
    changed.stdout,
    /^realm two \(version 1\): .*would change nothing\nrealm one .*\n {2}displayName is "One"\n$/,
  );
  const exported = await realm(dir, ['export', 'two']);
  t.like(JSON.parse(exported.stdout), { realm: 'two', displayName: 'Two' });
});

test('keyhost realm: plan lists the changes of a file by name and effect, next to a running host, and changes nothing', async (t) => {
  const dir = await folder(t, [testRealm('demo')]);
  const host = await run(t, dir, ['start-dev']);
  const file = join(dir, 'realms', 'demo.json');
  const nothing = await realm(dir, ['plan', file]);
  t.is(nothing.code, 0, nothing.stderr);
  t.regex(nothing.stdout, /^realm demo \(version 1\): .*demo\.json would change nothing\n$/);
  const next = testRealm('demo');
  const client = (id: string) => next.clients?.find(({ clientId }) => clientId === id) ?? { clientId: '' };
  Object.assign(client('web'), { directAccessGrantsEnabled: false, secret: 'another-secret', name: 'Web' });
  client('web').attributes = { 'use.refresh.tokens': 'false' };
  client('web').redirectUris = ['https://web.example.test/cb'];
  client('spa').enabled = false;
  next.clients = [...(next.clients ?? []).filter(({ clientId }) => clientId !== 'svc'), { clientId: 'new' }];
  next.roles?.realm?.find(({ name }) => name === 'staff')?.composites?.realm?.splice(0);
  Object.assign(next.providers?.['action-token-handler']?.['external-app-notification'] ?? {}, { enabled: false });
  next.users?.push({ username: 'newcomer' });
  next.accessTokenLifespan = 60;
  next.displayName = '${env.KEYHOST_TEST_TITLE}';
  const planned = await realm(dir, ['plan', await write(dir, 'next.json', next)], {
    KEYHOST_TEST_TITLE: 'hidden-title',
  });
  t.is(planned.code, 2, planned.stderr);
  t.deepEqual(planned.stdout.replaceAll(`${dir}/`, '').trim().split('\n'), [
    'realm demo (version 1): next.json would change:',
    '  realm role staff no longer contains the realm role reader',
    '  client web: secret is changed',
    '  client web loses grant password',
    '  client web may no longer redirect to http://127.0.0.1:9999/cb',
    '  client web may redirect to https://web.example.test/cb',
    '  client web loses grant token-exchange',
    '  client web loses grant refresh_token',
    '  client web: name is "Web"',
    '  client spa is disabled',
    '  client svc is removed, with its service account and its sessions',
    '  client new is created',
    '  provider action-token-handler/external-app-notification is disabled',
    '  accessTokenLifespan is 60',
    '  displayName is "***"',
    '  user newcomer is created',
  ]);
  t.notRegex(planned.stdout + planned.stderr, /another-secret|s3cret|hidden-title/);
  const managementUrl = /management=(\S+)/.exec(host.output())?.[1] ?? '';
  t.like((await states({ managementUrl }))['demo.json'], { state: 'applied', version: 1 });
  const machine = { grant_type: 'client_credentials', client_id: 'svc', client_secret: 'svc-secret' };
  t.is((await remote(host).token('demo', machine)).status, 200);
  t.is((await realm(dir, ['plan', await write(dir, 'bad.json', '{}')])).code, 1);
});

test('keyhost realm: plan lists edits: those that stay, and those that the file overrides', async (t) => {
  const dir = await folder(t, [{ realm: 'x', enabled: true, displayName: 'One' }]);
  const file = join(dir, 'realms', 'x.json');
  t.is((await realm(dir, ['apply', file])).code, 0);
  const store = await openStore({ dataDir: join(dir, 'data') });
  const { version, ...record } = (await store.realms.get('x')) ?? t.fail();
  const representation = { ...record.representation, displayName: 'Edited', rememberMe: true };
  await store.realms.put({ ...record, representation }, { expectedVersion: version });
  await store.close();
  const same = await realm(dir, ['plan', file]);
  t.is(same.code, 0);
  t.regex(
    same.stdout,
    /nothing\nEdits that are kept:\n {2}displayName is "Edited" \(was "One"\)\n {2}rememberMe is true\n$/,
  );
  await write(join(dir, 'realms'), 'x.json', { realm: 'x', enabled: true, displayName: 'Two' });
  const { code, stdout: out } = await realm(dir, ['plan', file]);
  t.is(code, 2);
  t.deepEqual(out.trim().split('\n').slice(1), [
    '  displayName is "Two" (was "Edited")',
    'Edited, and also changed by the file; the file wins:',
    '  displayName: an edit set it to "Edited", the file set it to "Two": the file wins',
    'Edits that are kept:',
    '  rememberMe is true',
  ]);
});

test('keyhost realm: apply makes a file the live realm if no host runs; otherwise it says what to do', async (t) => {
  const dir = await folder(t, [testRealm('demo')]);
  const file = join(dir, 'realms', 'demo.json');
  const planned = await realm(dir, ['plan', file]);
  t.is(planned.code, 2);
  t.regex(planned.stdout, /the realm is created\n[\s\S]*client web is created[\s\S]*user alice is created/);
  const applied = await realm(dir, ['apply', file]);
  t.is(applied.code, 0, applied.stderr);
  t.regex(applied.stdout, /^realm demo: .*demo\.json, version 1, \d+ users created\n$/);
  t.regex((await realm(dir, ['apply', file])).stdout, /nothing to change/);
  const host = await run(t, dir, ['start-dev']);
  const managementUrl = /management=(\S+)/.exec(host.output())?.[1] ?? '';
  t.like((await states({ managementUrl }))['demo.json'], { state: 'applied', version: 1 });
  const web = { grant_type: 'password', client_id: 'spa', username: 'alice', password: 'Alice-pass-1!' };
  t.is((await remote(host).token('demo', web)).status, 200);
  const refused = await realm(dir, ['apply', file]);
  t.is(refused.code, 1);
  t.regex(refused.stderr, /\[store_locked]\n {2}→ copy .*demo\.json into its realms folder/);
  host.child.kill('SIGTERM');
  t.is(await host.ended, 0);
  const elsewhere = await write(dir, 'elsewhere.json', testRealm('demo', { displayName: 'Elsewhere' }));
  const other = await realm(dir, ['apply', elsewhere]);
  t.deepEqual([other.code, /displayName is "Elsewhere"/.test(other.stdout)], [0, true]);
  t.regex(other.stderr, /demo\.json also defines the realm demo: a server that reads it applies it again/);
});

test('keyhost realm: an export makes the same realm again, here and in another host, always in the same order', async (t) => {
  const dir = await folder(t, [testRealm('demo')]);
  const elsewhere = await folder(t, []);
  const out = join(dir, 'exported.json');
  t.is((await realm(dir, ['apply', join(dir, 'realms', 'demo.json')])).code, 0);
  t.is((await realm(dir, ['export', 'demo', '--file', out, '--users', '--secrets'])).code, 0);
  const planned = await realm(dir, ['plan', out]);
  t.deepEqual([planned.code, /would change nothing\n$/.test(planned.stdout)], [0, true], planned.stdout);
  t.is((await realm(elsewhere, ['apply', out])).code, 0);
  const again = await realm(elsewhere, ['export', 'demo', '--users', '--secrets']);
  t.is(again.stdout, await readFile(out, 'utf8'));
  const host = await run(t, elsewhere, ['start-dev']);
  const web = { grant_type: 'password', client_id: 'web', client_secret: 's3cret:+/%&é' };
  const alice = { ...web, username: 'alice', password: 'Alice-pass-1!' };
  t.is((await remote(host).token('demo', alice)).status, 200);
});

test('keyhost realm: an export for Keycloak has users, hashes and running flows, and lists what it leaves out', async (t) => {
  const policy = onePolicy([['pkce-enforcer', { 'auto-configure': true }], ['secret-rotation']]);
  const own = { actionTokenPolicy: { 'reset-credentials': { mint: true } }, ownKey: 1 };
  const source = testRealm('demo', { ...own, ...policy });
  const dir = await folder(t, [source]);
  t.is((await realm(dir, ['apply', join(dir, 'realms', 'demo.json')])).code, 0);
  const { code, stdout: out, stderr: err } = await realm(dir, ['export', 'demo', '--for-keycloak']);
  t.is(code, 0, err);
  t.is(
    err,
    'keyhost: not exported, because Keycloak does not accept it: actionTokenPolicy, clientProfiles.profiles[].executors[] secret-rotation, clients[].impersonation, ownKey, providers\n',
  );
  const exported = JSON.parse(out) as RealmRepresentation;
  t.deepEqual(
    ['providers', 'actionTokenPolicy', 'ownKey'].filter((key) => key in exported),
    [],
  );
  t.deepEqual(exported.clientPolicies, policy.clientPolicies);
  t.deepEqual(
    exported.clientProfiles?.profiles?.[0]?.executors?.map(({ executor }) => executor),
    ['pkce-enforcer'],
  );
  const alice = exported.users?.find(({ username }) => username === 'alice');
  t.regex(alice?.credentials?.[0]?.secretData ?? '', /"salt"/);
  t.is(exported.defaultRole?.name, 'default-roles-demo');
  const flows = exported.authenticationFlows ?? [];
  t.true(flows.every(({ providerId, topLevel, builtIn }) => ![providerId, topLevel, builtIn].includes(undefined)));
  for (const alias of ['browser', 'direct grant', 'registration', 'reset credentials', 'clients', 'docker auth']) {
    t.like(
      flows.find((flow) => flow.alias === alias),
      { topLevel: true, builtIn: true },
      alias,
    );
  }
});

test('keyhost realm: an export has no secrets unless requested, and needed ones become variables', async (t) => {
  const dir = await folder(t, []);
  const secrets = { KEYHOST_TEST_WEB: 'web-s3cret' };
  const source = testRealm('demo', { displayName: 'Demo' });
  Object.assign(source.clients?.[0] ?? {}, {
    secret: '${env.KEYHOST_TEST_WEB}',
    description: '${env.KEYHOST_TEST_WEB:x}',
  });
  const file = await write(dir, 'demo.json', source);
  t.is((await realm(dir, ['apply', file], secrets)).code, 0);
  const { code, stdout: out, stderr: err } = await realm(dir, ['export', 'demo', '--users']);
  t.is(code, 0);
  const exported = JSON.parse(out) as RealmRepresentation;
  t.notRegex(out, /web-s3cret|web2-secret|svc-secret|nl-secret|secretData|Alice-pass|privateKey/);
  const web = exported.clients?.find(({ clientId }) => clientId === 'web');
  t.deepEqual([web?.secret, web?.description], ['${env.KEYHOST_TEST_WEB}', '${env.KEYHOST_TEST_WEB:x}']);
  const handler = exported.providers?.['action-token-handler']?.['external-app-notification']?.config;
  t.is(handler?.clientSecret, '${env.DEMO_EXTERNAL_APP_NOTIFICATION_CLIENT_SECRET}');
  t.regex(err, /reads secrets of providers from DEMO_EXTERNAL_APP_NOTIFICATION_CLIENT_SECRET/);
  t.true(exported.users?.some(({ username }) => username === 'alice'));
  // Without our own keys, Keycloak accepts all of it.
  const { providers: _, ...rest } = exported;
  t.deepEqual(
    Object.keys(rest).filter((key) => !KNOWN_KEYS.realm.includes(key)),
    [],
  );
  t.false('$schema' in exported);
  // The realm preserves secrets that the file omits.
  const again = await write(dir, 'again.json', out);
  const asked = { ...secrets, DEMO_EXTERNAL_APP_NOTIFICATION_CLIENT_SECRET: 'nl-secret' };
  t.regex(
    (await realm(dir, ['plan', again], secrets)).stderr,
    /DEMO_EXTERNAL_APP_NOTIFICATION_CLIENT_SECRET is not set/,
  );
  const planned = await realm(dir, ['plan', again], asked);
  t.deepEqual([planned.code, /would change nothing/.test(planned.stdout)], [0, true], planned.stdout);
  const whole = await realm(dir, ['export', 'demo', '--secrets']);
  t.regex(whole.stdout, /web2-secret/);
  t.false(whole.stdout.includes('"alice"'));
  t.true(whole.stdout.includes('service-account-nl'));
});

test('keyhost realm: a text that looks like a reference stays a text through an export', async (t) => {
  const source = testRealm('demo', { displayName: 'costs $${env.KEYHOST_TEST_STOLEN:1}, not $5' });
  const dir = await folder(t, [source]);
  const host = await run(t, dir, [
    'start-dev',
    '--bootstrap-admin-username',
    'root',
    '--bootstrap-admin-password',
    'r',
  ]);
  const admin = await adminClient(remote(host), { username: 'root', password: 'r' });
  const nickname = ['${env.KEYHOST_TEST_STOLEN}', 'x$${file./etc/passwd}', '${env.${env.KEYHOST_TEST_STOLEN}}'];
  await admin.users.update({ realm: 'demo', id: ALICE }, { attributes: { nickname } });
  host.child.kill('SIGTERM');
  await host.ended;
  const elsewhere = await folder(t, []);
  const file = join(elsewhere, 'demo.json');
  t.is((await realm(dir, ['export', 'demo', '--file', file, '--users', '--secrets'])).code, 0);
  const stolen = { KEYHOST_TEST_STOLEN: 'stolen' };
  const planned = await realm(dir, ['plan', file], stolen);
  t.deepEqual([planned.code, /would change nothing/.test(planned.stdout)], [0, true], planned.stdout);
  t.is((await realm(elsewhere, ['apply', file], stolen)).code, 0);
  const store = await openStore({ dataDir: join(elsewhere, 'data') });
  t.teardown(() => store.close());
  t.is((await store.realms.get('demo'))?.representation.displayName, 'costs ${env.KEYHOST_TEST_STOLEN:1}, not $5');
  t.deepEqual((await store.users.byId('demo', ALICE))?.representation.attributes?.nickname, nickname);
});

test('keyhost realm: an export of Keycloak goes through Keyhost unchanged, except its private keys', async (t) => {
  const dir = await folder(t, []);
  const elsewhere = await folder(t, []);
  t.is((await realm(dir, ['apply', EXPORT_OF_KEYCLOAK])).code, 0);
  const first = await realm(dir, ['export', 'moved', '--users', '--secrets']);
  t.is(first.code, 0);
  const source = JSON.parse(await readFile(EXPORT_OF_KEYCLOAK, 'utf8')) as RealmRepresentation;
  const exported = JSON.parse(first.stdout) as RealmRepresentation;
  t.deepEqual(Object.keys(exported).sort(), Object.keys(source).sort());
  t.is(exported.clients?.length, source.clients?.length);
  t.is(exported.users?.length, source.users?.length);
  t.notRegex(first.stdout, /"privateKey"|"secret": \[/);
  const file = await write(elsewhere, 'moved.json', first.stdout);
  t.is((await realm(elsewhere, ['apply', file])).code, 0);
  t.is((await realm(elsewhere, ['export', 'moved', '--users', '--secrets'])).stdout, first.stdout);
  t.is((await realm(dir, ['plan', file])).code, 0);
});

test('keyhost realm: invalid arguments are reported, and each command has --help', async (t) => {
  const dir = await folder(t, []);
  await mkdir(join(dir, 'data'));
  const told = async (argv: string[]) => {
    const { code, stderr: err } = await realm(dir, argv);
    return [code, err];
  };
  const [code, err] = await told(['plam', 'x.json']);
  t.deepEqual([code, /unknown command "realm plam" \(did you mean "realm plan"\?\)/.test(String(err))], [1, true]);
  t.regex(String((await told(['check']))[1]), /FILE is required/);
  t.regex(String((await told(['plan', 'a.json', 'b.json']))[1]), /unexpected argument "b\.json"/);
  t.regex(String((await told(['export', 'none']))[1]), /no store found in/);
  t.regex(String((await told(['plan', join(dir, 'none.json')]))[1]), /none\.json: cannot read the file/);
  t.regex(String((await told(['plan', dir]))[1]), /is a folder: name one realm file/);
  for (const argv of [['--file'], ['--file', '--users'], ['--file=']]) {
    t.regex(String((await told(['export', 'demo', ...argv]))[1]), /--file requires a value/, argv.join(' '));
  }
  for (const argv of [['-h'], ['start', '-h'], ['plugin', '-h'], ['plugin', 'list', '-h'], ['keys', '-h']]) {
    const { code: exit, stdout: out } = await keyhost(argv);
    t.deepEqual([exit, /keyhost/.test(out)], [0, true], argv.join(' '));
  }
  for (const argv of [
    ['realm', 'plan', '-h'],
    ['realm', 'plan', '--help'],
    ['help', 'realm', 'plan'],
    ['schema', '-h'],
    ['schema', '--help'],
  ]) {
    const { code: exit, stdout: out } = await keyhost(argv);
    t.deepEqual([exit, /Exit code:/.test(out)], [0, true], argv.join(' '));
  }
  t.regex((await keyhost(['--help'])).stdout, /^ {2}realm +\w[\s\S]*^ {2}schema +\w/m);
});
