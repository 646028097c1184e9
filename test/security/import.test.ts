import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { readRealmFiles } from '../../core/config/realm-file/realm-files.js';
import { findRealmFiles } from '../../core/config/realm-file/realm-folder.js';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { openStore } from '../../core/store/sqlite/open-store.js';
import { claimsOf, startHost } from '../helpers/host.js';
import { logIn, userinfo } from '../helpers/login.js';
import { testRealm } from '../helpers/realms.js';

async function folder(t: ExecutionContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-import-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** The error report for a realm file with this text. */
async function refusal(t: ExecutionContext, text: string | Uint8Array): Promise<string> {
  const dir = await folder(t);
  await writeFile(join(dir, 'x.json'), text);
  const shown = String(text).slice(0, 100);
  const reading = async () => {
    const [group] = await findRealmFiles(dir);
    if (group === undefined) throw new Error('no realm file was found');
    for (const { error } of (await readRealmFiles(group, { env: {}, providers: [] })).refused) throw error;
  };
  const error = (await t.throwsAsync(reading, undefined, shown)) as BootError;
  t.is(error.code, 'realm_invalid', shown);
  t.true(error.report().includes(join(dir, 'x.json')), 'the file is named');
  return error.report();
}

const realm = (members: string) => `{ "realm": "x", ${members} }`;

test('T220 · import: a realm file cannot reach the prototype of anything', async (t) => {
  const proto = '"__proto__": { "enabled": true, "isAdmin": true }';
  const viaConstructor = '"constructor": { "prototype": { "isAdmin": true } }';
  for (const text of [
    realm(proto),
    realm(`"attributes": { ${proto} }`),
    realm(`"users": [ { "username": "a", ${proto} } ]`),
    realm(`"users": [ { "username": "a", "attributes": { "__proto__": [ "1" ] } } ]`),
    realm(`"clients": [ { "clientId": "a", "attributes": { "__proto__": "1" } } ]`),
    realm(`"roles": { "client": { "__proto__": [ { "name": "admin" } ] } }`),
    realm(`"providers": { "__proto__": { "newsletter": { "enabled": true } } }`),
    realm(viaConstructor),
    realm(`"clients": [ { "clientId": "a", ${viaConstructor} } ]`),
    realm(`"attributes": { "constructor": "x" }`),
  ])
    t.regex(await refusal(t, text), /x\.json:1:\d+ .*"(__proto__|constructor)" is not allowed/, text);
  for (const name of ['isAdmin', 'enabled', 'newsletter']) t.false(name in {}, name);
  const host = await startHost(t, {
    realms: [
      testRealm('odd', {
        attributes: { toString: 'y', hasOwnProperty: 'z' },
        roles: {
          realm: [{ name: 'constructor' }, { name: 'reader' }, { name: 'staff' }],
          client: { web: [{ name: 'toString' }, { name: 'editor' }], nl: [{ name: 'newsletter-token-issuer' }] },
        },
      }),
    ],
  });
  const { access_token: token } = await logIn(host, {}, 'odd');
  t.is((await userinfo(host, token, 'odd')).status, 200);
  t.notRegex(JSON.stringify(claimsOf(token)), /isAdmin|realm-admin|toString|constructor/);
});

test('T222 · import: an invalid realm file is refused at its place', async (t) => {
  const user = (more: string) => `{ "username": "a", ${more} }`;
  const cases: [string | Uint8Array, RegExp][] = [
    [realm('"enabled": "yes"'), /enabled: must be a boolean/],
    [realm('"accessTokenLifespan": "60 s"'), /accessTokenLifespan: must be/],
    [realm('"clients": {}'), /clients: must be/],
    [realm('"clients": [ "web" ]'), /clients\[0]: must be/],
    [realm('"users": [ null ]'), /users\[0]: must be/],
    [realm('"clients": [ { "clientId": "a", "redirectUris": { "0": "x" } } ]'), /redirectUris: must be/],
    [realm('"clients": [ { "clientId": "a", "id": "1" }, { "clientId": "b", "id": "1" } ]'), /clients\[1]\.id: /],
    [realm('"clients": [ { "clientId": "a" }, { "clientId": "a" } ]'), /clients\[1]\.clientId: .*twice/],
    [realm('"users": [ { "username": "a", "id": "1" }, { "username": "b", "id": "1" } ]'), /users\[1]\.id: /],
    [realm('"users": [ { "username": "a" }, { "username": "A" } ]'), /users\[1]\.username: /],
    [
      realm(`"users": [ ${user('"email": "a@x.test"')}, { "username": "b", "email": "A@x.test" } ]`),
      /users\[1]\.email: /,
    ],
    ['{}', /"realm" is missing/],
    ['{ "realm": "" }', /realm/],
    ['{ "realm": ".." }', /realm/],
    ['{ "realm": "a/b" }', /realm/],
    ['{ "realm": [1] }', /realm/],
    ['[]', /the list contains no realm/],
    ['[null]', /must be/],
    ['[[{ "realm": "x" }]]', /must be/],
    ['[{ "realm": "x" }, { "realm": "x" }]', /the realm "x" is also in .*x\.json:1:22/],
    ['null', /must be/],
    ['"x"', /must be/],
    ['', /not JSON/],
    ['{ "realm": "x" } trailing', /not JSON/],
    ['{ "realm": "x" }{ "realm": "y" }', /not JSON/],
    ['{ "realm": "x", "realm": "y" }', /is used twice/],
    [new Uint8Array([...Buffer.from('{ "realm": "x'), 0xff, 0xfe, ...Buffer.from('" }')]), /UTF-8/],
    [Buffer.from('{ "realm": "x" }', 'utf16le'), /./],
    [' '.repeat(50 * 1024 * 1024), /not JSON/],
    ['['.repeat(100_000) + ']'.repeat(100_000), /./],
    [realm(`"attributes": ${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`), /./],
  ];
  for (const [text, told] of cases) t.regex(await refusal(t, text), told, String(text).slice(0, 100));
});

test('T222 · import: of a folder with one bad file nothing is imported', async (t) => {
  const dataDir = join(await folder(t), 'data');
  const bad = { ...testRealm('zbad'), accessTokenLifespan: 'x' } as unknown as RealmRepresentation;
  const argv = ['--data-dir', dataDir];
  const error = (await t.throwsAsync(startHost(t, { realms: [testRealm('agood'), bad], argv }))) as BootError;
  t.is(error.code, 'realm_invalid');
  t.regex(error.report(), /zbad\.json:\d+:\d+ accessTokenLifespan/);
  const store = await openStore({ dataDir });
  t.deepEqual(
    (await store.realms.list()).map(({ name }) => name).filter((name) => name !== 'master'),
    [],
  );
  t.is(await store.users.count('agood'), 0);
  await store.close();
});
