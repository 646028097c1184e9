import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { adminCaller, administrator, clientUuid, startDemo } from '../helpers/admin.js';
import { keyhost } from '../helpers/command.js';
import { folder } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';

const OPEN = { clientId: 'open', publicClient: true, redirectUris: ['*'] };

test('open redirects: a client with a wildcard for all addresses cannot be saved with manage-clients, and the log warns once', async (t) => {
  const users = [
    ...(testRealm('demo').users ?? []),
    administrator('manager', 'manage-clients', 'view-clients'),
    administrator('creator', 'create-client'),
  ];
  const { host } = await startDemo(t, { users });
  const creator = await adminCaller(host, { realm: 'demo', username: 'creator', password: 'creator' });
  const refused = await creator('POST', '/realms/demo/clients', OPEN);
  t.is(refused.status, 400);
  t.regex(refused.text, /would allow every redirect URI/);
  const manager = await adminCaller(host, { realm: 'demo', username: 'manager', password: 'manager' });
  t.is((await manager('POST', '/realms/demo/clients', OPEN)).status, 201);
  const path = `/realms/demo/clients/${await clientUuid(host, 'open')}`;
  t.is((await manager('PUT', path, { name: 'Open' })).status, 204);
  t.deepEqual((await manager('GET', path)).json.redirectUris, ['*']);
  const warned = host.log.filter(({ level, message }) => level === 'warn' && /client open accepts every/.test(message));
  t.is(warned.length, 1);
});

test('open redirects: realm check warns of such a client in production', async (t) => {
  const dir = await folder(t, []);
  const file = join(dir, 'demo.json');
  const realm = testRealm('demo', { providers: {} });
  await writeFile(file, JSON.stringify({ ...realm, clients: [...(realm.clients ?? []), OPEN] }, null, 2));
  const places = ['--data-dir', join(dir, 'data'), '--plugins-file', join(dir, 'plugins.json')];
  const warning = /demo\.json:\d+:\d+ clients\[\d+]\.redirectUris\[0]: client open accepts every .*\[warning]/;
  const told = await keyhost(['realm', 'check', '--production', file, ...places]);
  t.is(told.code, 0, told.stdout);
  t.regex(told.stdout, warning);
  t.notRegex((await keyhost(['realm', 'check', file, ...places])).stdout, warning);
});

test('open redirects: realm check warns of a "*" that is no wildcard, and of an address without a page', async (t) => {
  const dir = await folder(t, []);
  const file = join(dir, 'demo.json');
  const realm = testRealm('demo', { providers: {} });
  const redirectUris = [
    'https://*.a.test/cb',
    'https://a.test/*/cb',
    'https://a.test/?x=*',
    'urn:ietf:wg:oauth:2.0:oob',
  ];
  const fine = ['https://a.test*', 'http://localhost:*', 'https://a.test/*', 'com.a:*'];
  const client = { clientId: 'stars', publicClient: true, redirectUris: [...redirectUris, ...fine] };
  await writeFile(file, JSON.stringify({ ...realm, clients: [...(realm.clients ?? []), client] }, null, 2));
  const places = ['--data-dir', join(dir, 'data'), '--plugins-file', join(dir, 'plugins.json')];
  const told = await keyhost(['realm', 'check', file, ...places]);
  t.is(told.code, 0, told.stdout);
  const warned = [...told.stdout.matchAll(/redirectUris\[(\d)]: (.*) \[warning]/g)].map(([, at, text]) => [at, text]);
  const star = '"*" is a wildcard only at the end of an address without a query';
  t.deepEqual(warned, [
    ...['0', '1', '2'].map((at) => [at, star]),
    ['3', 'is no address here: Keyhost has no page that shows a code'],
  ]);
});

test('open redirects: a realm that requires TLS of everybody is administered from master, and not by its own admins without TLS', async (t) => {
  const users = [...(testRealm('demo').users ?? []), administrator('boss', 'realm-admin')];
  const { host } = await startDemo(t, { users });
  const boss = await adminCaller(host, { realm: 'demo', username: 'boss', password: 'boss' });
  t.is((await boss('PUT', '/realms/demo', { sslRequired: 'all' })).status, 204);
  t.is((await boss('PUT', '/realms/demo', { sslRequired: 'none' })).status, 403);
  const root = await adminCaller(host);
  t.is((await root('PUT', '/realms/demo', { sslRequired: 'none' })).status, 204);
  t.is((await boss('GET', '/realms/demo')).status, 200);
});
