import { readFile } from 'node:fs/promises';
import test from 'ava';
import { adminCaller, administrator, startAdministered } from '../helpers/admin.js';
import { eventually } from '../helpers/eventually.js';
import { edit, realmFile, replaceFile, writeRealm } from '../helpers/realm-files.js';

interface FileOf {
  readonly path: string;
  readonly realm?: string;
  readonly state: string;
  readonly problems: readonly { readonly path: string }[];
  readonly edits: readonly string[];
  readonly files?: readonly { readonly path: string; readonly text: string }[];
}

const named = (realm: string) => ({ realm, enabled: true });
const DEMO = {
  realm: 'demo',
  enabled: true,
  displayName: 'One',
  smtpServer: { host: 'mail.example.test', from: 'a@example.test', user: 'u', password: 'smtp-secret' },
  clients: [
    { clientId: 'a', name: 'A', secret: 'secret-of-a' },
    { clientId: 'b', name: 'B', secret: '${env.SECRET_OF_B}' },
  ],
  users: [
    administrator('boss', 'realm-admin'),
    { username: 'alice', credentials: [{ type: 'password', value: 'alice-password' }] },
  ],
};

test('realm files in the Admin API: files are listed with state, problems at their places and edits, page by page, and searched', async (t) => {
  const realms = ['blue', 'green', 'red'].map(named);
  const host = await startAdministered(t, { realms: [DEMO, ...realms], env: { SECRET_OF_B: 'value-of-b' } });
  const call = await adminCaller(host);
  const list = async (query = '') => {
    const { json } = await call('GET', `/realm-files${query}`);
    return json as unknown as { isFollowed: boolean; files: FileOf[] };
  };
  const all = await list();
  t.true(all.isFollowed);
  t.deepEqual(
    all.files.map(({ path, realm, state }) => [path, realm, state]),
    ['blue', 'demo', 'green', 'red'].map((realm) => [`${realm}.json`, realm, 'applied']),
  );
  t.deepEqual(
    (await list('?first=1&max=2')).files.map(({ realm }) => realm),
    ['demo', 'green'],
  );
  t.deepEqual(
    (await list('?search=RE')).files.map(({ realm }) => realm),
    ['green', 'red'],
  );

  await edit(host, 'red', (realm) => Object.assign(realm, { displayName: 'Edited' }));
  await edit(host, 'green', (realm) => Object.assign(realm, { displayName: 'Edited' }));
  t.deepEqual(
    (await list('?state=drifted')).files.map(({ realm, edits }) => [realm, edits]),
    [
      ['green', ['displayName is "Edited"']],
      ['red', ['displayName is "Edited"']],
    ],
  );
  t.deepEqual(
    (await list('?state=drifted&first=1&max=1')).files.map(({ realm }) => realm),
    ['red'],
  );
  t.is((await call('GET', '/realm-files?state=odd')).status, 400);

  await replaceFile(
    realmFile(host, 'blue.json'),
    '{\n  "realm": "blue",\n  "clients": [{ "clientId": "x", "naem": "X" }]\n}',
  );
  const broken = await eventually(async () => (await list('?state=invalid')).files[0]);
  t.like(broken, { path: 'blue.json', realm: 'blue', state: 'invalid', version: 1 });
  t.deepEqual(broken.problems[0], {
    file: 'blue.json',
    line: 3,
    column: 34,
    pointer: '/clients/0/naem',
    path: 'clients[0].naem',
    message: 'unknown key',
    suggestion: 'name',
  });
  await replaceFile(realmFile(host, 'new.json'), '{ "realm": ');
  const strange = await eventually(async () => {
    const { status, json } = await call('GET', '/realm-files/new');
    return status === 200 && (json as unknown as FileOf);
  });
  t.like(strange, { path: 'new.json', state: 'invalid', problems: [{ line: 1, column: 12 }] });
});

test('realm files in the Admin API: a file is shown as it is, with masked secrets and unresolved references', async (t) => {
  const host = await startAdministered(t, { realms: [DEMO], env: { SECRET_OF_B: 'value-of-b' } });
  const call = await adminCaller(host);
  const shown = (await call('GET', '/realm-files/demo')).json as unknown as FileOf;
  t.like(shown, { path: 'demo.json', realm: 'demo', state: 'applied', problems: [], edits: [] });
  const stands = await readFile(realmFile(host, 'demo.json'), 'utf8');
  const secrets = ['smtp-secret', 'secret-of-a', 'alice-password'];
  const masked = [...secrets, 'boss'].reduce(
    (text, secret) => text.replace(new RegExp(`("(?:password|secret|value)": )"${secret}"`), '$1"**********"'),
    stands,
  );
  t.deepEqual(shown.files, [{ path: 'demo.json', size: Buffer.byteLength(stands), text: masked }]);
  t.true(shown.files?.[0]?.text.includes('${env.SECRET_OF_B}'));

  const away = await call('GET', '/realm-files/master');
  t.deepEqual([away.status, away.text], [204, ''], 'a realm without a file is no error');

  // A text that is not JSON reveals no secret either, nor does a mistake in the value of a reference.
  await replaceFile(realmFile(host, 'demo.json'), stands.replace('"secret": "secret-of-a"', '"secret": "secret-of-a'));
  const broken = await eventually(async () => {
    const { json } = await call('GET', '/realm-files/demo');
    return (json as unknown as FileOf).state === 'invalid' && (json as unknown as FileOf);
  });
  for (const secret of secrets) t.false(JSON.stringify(broken).includes(secret), secret);
  await writeRealm(host, { ...DEMO, sslRequired: '${env.SECRET_OF_B}', defaultGroups: ['/value-of-b'] });
  const wrong = await eventually(async () => {
    const file = (await call('GET', '/realm-files/demo')).json as unknown as FileOf;
    return file.state === 'invalid' && file.problems[0]?.path === 'sslRequired' && file;
  });
  t.false(JSON.stringify(wrong.problems).includes('value-of-b'));
  t.like(wrong.problems[0], {
    path: 'sslRequired',
    message: 'is a mistake in the value of a reference: see the log',
  });
});

test('realm files in the Admin API: admins of a realm have no access', async (t) => {
  const host = await startAdministered(t, { realms: [DEMO], env: { SECRET_OF_B: 'value-of-b' } });
  const call = await adminCaller(host, { realm: 'demo', username: 'boss', password: 'boss' });
  for (const path of ['/realm-files', '/realm-files/demo']) t.is((await call('GET', path)).status, 403, path);
});
