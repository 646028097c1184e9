import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import * as jose from 'jose';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { asImported } from '../helpers/as-imported.js';
import { realHashes } from '../helpers/cheap-hashes.js';
import { fetchAnswer, startHost, type TestHost } from '../helpers/host.js';

const EXPORT = fileURLToPath(new URL('../../../test/fixtures/keycloak-26-realm-export.json', import.meta.url));
const KEYS = 'org.keycloak.keys.KeyProvider';
const PASSWORDS = { ada: 'Ada-old-pass-1!', brian: 'Brïan-old-pass-2!', clara: 'Clara-old-pass-3!' };

const exported = JSON.parse(readFileSync(EXPORT, 'utf8')) as RealmRepresentation;

function named<T>(items: readonly T[] | undefined, is: (item: T) => boolean): T {
  const found = items?.find(is);
  if (found === undefined) throw new Error('the export lacks it');
  return found;
}

/** A value of the export's key component. */
function keyConfig(name: string, key: string): string {
  const component = named(exported.components?.[KEYS], (candidate) => candidate.name === name);
  return named(component.config?.[key], () => true);
}

/** The kid that Keycloak gives to a key pair: the hash of the public key's encoding. */
function kidOfCertificate(name: string): string {
  const { publicKey } = new X509Certificate(Buffer.from(keyConfig(name, 'certificate'), 'base64'));
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
}

async function realmsFolder(t: ExecutionContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-export-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  await mkdir(join(dir, 'realms'));
  await copyFile(EXPORT, join(dir, 'realms', 'moved-realm.json'));
  return dir;
}

async function startWithExport(t: ExecutionContext): Promise<TestHost> {
  return startHost(t, { argv: ['--realms-dir', join(await realmsFolder(t), 'realms')], replace: [realHashes] });
}

function login(host: TestHost, username: keyof typeof PASSWORDS, password: string = PASSWORDS[username]) {
  const { secret = '' } = named(exported.clients, ({ clientId }) => clientId === 'shop');
  const form = { grant_type: 'password', client_id: 'shop', client_secret: secret, scope: 'openid' };
  return host.token('moved', { ...form, username, password });
}

test('export of Keycloak: one of Keycloak 26 is accepted unchanged; members without effect are reported at their places', async (t) => {
  const host = await startWithExport(t);
  t.deepEqual(
    host.log
      .filter(({ level }) => level === 'warn' || level === 'error')
      .map(({ message }) => message.replace(/^realm moved: .*moved-realm\.json:/, '')),
    [
      '5:3 displayNameHtml: has no effect on the realm: pages show displayName',
      '883:5 clients[7].authorizationServicesEnabled: has no effect on client worker: Keyhost has no authorization services: the UMA grant is refused',
      '884:5 clients[7].authorizationSettings: has no effect on client worker: Keyhost has no authorization services',
    ],
  );
  const { status, json } = await fetchAnswer(`${host.realm('moved')}/.well-known/openid-configuration`);
  t.is(status, 200);
  t.is(json.issuer, host.realm('moved'));
});

for (const username of Object.keys(PASSWORDS) as (keyof typeof PASSWORDS)[]) {
  test(`export of Keycloak: ${username} signs in with the password that Keycloak hashed, before and after it is rehashed`, async (t) => {
    const host = await startWithExport(t);
    t.is((await login(host, username, 'another password')).status, 400);
    const { status, json } = await login(host, username);
    t.is(status, 200);
    t.is(jose.decodeJwt(json.access_token ?? '').sub, named(exported.users, (user) => user.username === username).id);
    t.is((await login(host, username)).status, 200);
    t.is((await login(host, username, 'another password')).status, 400);
    const { credentials } = (await host.store.users.byUsername('moved', username))?.representation ?? {};
    t.is(credentials?.length, 1);
    t.like(JSON.parse(credentials?.[0]?.credentialData ?? '{}'), { algorithm: 'argon2', hashIterations: 5 });
  });
}

test('export of Keycloak: tokens are signed by the keys of the export with their kids, and only those are published', async (t) => {
  const host = await startWithExport(t);
  const { json } = await login(host, 'ada');
  const access = String(json.access_token);
  const { publicKey } = new X509Certificate(Buffer.from(keyConfig('rsa-generated', 'certificate'), 'base64'));
  await t.notThrowsAsync(jose.jwtVerify(access, publicKey, { issuer: host.realm('moved') }));
  t.is(jose.decodeProtectedHeader(access).kid, kidOfCertificate('rsa-generated'));
  t.is(jose.decodeProtectedHeader(String(json.id_token)).kid, kidOfCertificate('rsa-generated'));
  t.is(jose.decodeProtectedHeader(String(json.refresh_token)).kid, keyConfig('hmac-generated-hs512', 'kid'));
  const certs = await fetchAnswer(`${host.oidc('moved')}/certs`);
  const keys = certs.json.keys as unknown as { kid: string; use: string; x5c: string[] }[];
  t.deepEqual(
    keys.map(({ kid, use, x5c }) => ({ kid, use, x5c })).sort((a, b) => (a.use < b.use ? -1 : 1)),
    ['rsa-enc-generated', 'rsa-generated'].map((name) => ({
      kid: kidOfCertificate(name),
      use: name === 'rsa-generated' ? 'sig' : 'enc',
      x5c: [keyConfig(name, 'certificate')],
    })),
  );
});

test('export of Keycloak: roles, groups, mappers and the service account give the same claims as in Keycloak', async (t) => {
  const host = await startWithExport(t);
  const ada = jose.decodeJwt((await login(host, 'ada')).json.access_token ?? '');
  t.like(ada, {
    aud: ['worker', 'account'],
    azp: 'shop',
    scope: 'openid profile email',
    preferred_username: 'ada',
    name: 'Ada Lovelace',
    locale: 'en',
    email: 'ada@example.test',
    email_verified: true,
    groups: ['/team/press'],
    'allowed-origins': ['https://shop.example.test'],
  });
  const rolesOf = (claims: jose.JWTPayload) => ({
    realm: [...(claims.realm_access as { roles: string[] }).roles].sort(),
    clients: Object.fromEntries(
      Object.entries((claims.resource_access ?? {}) as Record<string, { roles: string[] }>)
        .map(([clientId, { roles }]): [string, string[]] => [clientId, [...roles].sort()])
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  });
  const everybody = ['default-roles-moved', 'offline_access', 'uma_authorization'];
  const account = ['manage-account', 'manage-account-links', 'view-profile'];
  t.deepEqual(rolesOf(ada), {
    realm: [...everybody, 'editor', 'reader'].sort(),
    clients: { account, shop: ['order-read', 'order-write'] },
  });
  t.deepEqual(rolesOf(jose.decodeJwt((await login(host, 'clara')).json.access_token ?? '')), {
    realm: everybody,
    clients: {
      account,
      'realm-management': ['query-groups', 'query-users', 'view-users'],
      shop: ['order-read', 'order-write'],
    },
  });
  const { secret = '' } = named(exported.clients, ({ clientId }) => clientId === 'worker');
  const form = { grant_type: 'client_credentials', client_id: 'worker', client_secret: secret };
  const worker = jose.decodeJwt((await host.token('moved', form)).json.access_token ?? '');
  t.is(worker.sub, named(exported.users, ({ username }) => username === 'service-account-worker').id);
  t.like(worker, {
    azp: 'worker',
    client_id: 'worker',
    clientAddress: '127.0.0.1',
    preferred_username: 'service-account-worker',
  });
  t.deepEqual(rolesOf(worker), {
    realm: [...everybody, 'reader'].sort(),
    clients: { account, worker: ['uma_protection'] },
  });
});

test('export of Keycloak: the stored realm has everything but users, which are stored by themselves, and secrets of keys', async (t) => {
  const host = await startWithExport(t);
  const stored = (await host.store.realms.get('moved'))?.representation;
  const { users, ...expected } = asImported(exported);
  for (const { config } of expected.components?.[KEYS] ?? []) {
    for (const key of ['privateKey', 'secret']) delete config?.[key];
  }
  // The file is of Keycloak 26.4: what 26.7 did to required actions is done to it.
  for (const action of expected.requiredActions ?? []) {
    const moved = { CONFIGURE_TOTP: 54, UPDATE_PASSWORD: 57 }[action.alias];
    if (moved !== undefined) action.priority = moved;
  }
  t.deepEqual(stored, { ...expected, keycloakVersion: '26.7.0' });
  for (const user of users ?? []) {
    t.deepEqual((await host.store.users.byUsername('moved', user.username))?.representation, user);
  }
});

test('export of Keycloak: an export with its users in files of their own is the same realm', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-export-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const { users = [], ...realm } = exported;
  await writeFile(join(dir, 'moved-realm.json'), JSON.stringify(realm));
  for (const [index, user] of users.entries()) {
    await writeFile(join(dir, `moved-users-${index}.json`), JSON.stringify({ realm: 'moved', users: [user] }));
  }
  const split = await startHost(t, { argv: ['--realms-dir', dir], replace: [realHashes] });
  const whole = await startWithExport(t);
  const { realm: ofSplit, ...restOfSplit } = await state(split);
  const { realm: ofWhole, ...restOfWhole } = await state(whole);
  t.deepEqual(ofSplit?.representation, ofWhole?.representation);
  const withoutTimes = (text: string) => JSON.parse(text.replace(/"createdAt":\d+/g, '"createdAt":0')) as object;
  t.deepEqual(withoutTimes(JSON.stringify(restOfSplit)), withoutTimes(JSON.stringify(restOfWhole)));
  t.is((await login(split, 'brian')).status, 200);
});

test('export of Keycloak: a second start with the same file changes nothing, even if the file was touched', async (t) => {
  const dir = await realmsFolder(t);
  const argv = ['--realms-dir', join(dir, 'realms'), '--data-dir', join(dir, 'data')];
  const first = await startHost(t, { argv, replace: [realHashes] });
  t.is((await login(first, 'ada')).status, 200);
  const before = await state(first);
  t.is(before.realm?.version, 1);
  await first.close();
  for (const touched of [false, true]) {
    if (touched) await utimes(join(dir, 'realms', 'moved-realm.json'), 1_700_000_000, 1_700_000_000);
    const again = await startHost(t, { argv, replace: [realHashes] });
    t.deepEqual(await state(again), before);
    t.is((await login(again, 'ada')).status, 200);
    await again.close();
  }
});

/** The realm in the store. The path and the time of its file are left out. */
async function state({ store }: TestHost) {
  const record = await store.realms.get('moved');
  const users = (exported.users ?? []).map(({ username }) => store.users.byUsername('moved', username));
  return {
    realm: record && { ...record, source: record.source?.hash },
    keys: await store.keys.list('moved'),
    users: await Promise.all(users),
  };
}
