import { generateKeyPairSync, pbkdf2Sync, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import * as jose from 'jose';
import type { BootError } from '../../core/config/boot-error.js';
import { readRealmFiles } from '../../core/config/realm-file/realm-files.js';
import { findRealmFiles } from '../../core/config/realm-file/realm-folder.js';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { realHashes } from '../helpers/cheap-hashes.js';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';

const providers = [
  {
    spi: 'realm-restapi-extension',
    id: 'newsletter',
    enabledBy: 'providers' as const,
    realmConfig: {
      type: 'object' as const,
      properties: { authentication: { enum: ['client', 'none'] } },
      additionalProperties: false,
    },
  },
];

async function read(t: ExecutionContext, files: Record<string, string>, env: Record<string, string> = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-realms-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text);
  const [group] = await findRealmFiles(dir);
  if (group === undefined) throw new Error('no realm file was found');
  const { valid, refused } = await readRealmFiles(group, { env, providers });
  for (const { error } of refused) throw error;
  const [file] = valid;
  if (file === undefined) throw new Error('it holds no realm');
  return file;
}

async function problems(t: ExecutionContext, text: string, env: Record<string, string> = {}): Promise<string[]> {
  const error = (await t.throwsAsync(read(t, { 'x.json': text }, env))) as BootError;
  t.is(error.code, 'realm_invalid');
  return error
    .report()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().replace(/^.*\/x\.json/, 'x.json'));
}

test('realm files: all problems are reported at once, at line and column, with suggestions', async (t) => {
  const text = `{
  "realm": "demo",
  "enabled": "yes",
  "acessTokenLifespan": 60,
  "sslRequired": "extern",
  "clients": [
    { "clientId": "a", "publicCliend": true, "redirectUris": ["javascript:alert(1)"] },
    { "clientId": "a", "defaultClientScopes": ["profil"] }
  ],
  "users": [ { "username": "bob", "groups": ["/readers"] } ],
  "groups": [ { "name": "reader" } ]
}`;
  t.deepEqual(await problems(t, text), [
    'x.json:3:3 enabled: must be a boolean',
    'x.json:4:3 acessTokenLifespan: unknown key (did you mean "accessTokenLifespan"?)',
    'x.json:5:3 sslRequired: must be one of none, external, all (did you mean "external"?)',
    'x.json:7:24 clients[0].publicCliend: unknown key (did you mean "publicClient"?)',
    'x.json:7:63 clients[0].redirectUris[0]: must not have this scheme',
    'x.json:8:7 clients[1].clientId: the client "a" is used twice',
    'x.json:10:46 users[0].groups[0]: group "/readers" not found (did you mean "/reader"?)',
  ]);
});

test('realm files: syntax, encoding, repeated and dangerous keys are errors of the file', async (t) => {
  t.deepEqual(await problems(t, '{ "realm": "x", }'), ['x.json:1:17: not JSON: remove the comma before "}"']);
  t.regex(
    (await problems(t, '{ "realm": "x", "clients": [ { "clientId": "a", "clientId": "b" } ] }'))[0] ?? '',
    /1:49 .*is used twice/,
  );
  t.regex(
    (await problems(t, '{ "realm": "x", "attributes": { "__proto__": "y" } }'))[0] ?? '',
    /"__proto__" is not allowed/,
  );
  t.regex((await problems(t, '{ "realm": ".." }'))[0] ?? '', /x\.json:1:3 realm/);
  t.regex((await problems(t, '{}'))[0] ?? '', /"realm" is missing/);
  t.regex((await problems(t, ''))[0] ?? '', /not JSON/);
});

test('realm files: references are resolved, a missing one is an error at its line, and other placeholders stay', async (t) => {
  const text = JSON.stringify({
    realm: 'x',
    displayName: '${env.TITLE}',
    attributes: { a: '${role_admin}', b: '${env.B:standard}' },
    clients: [{ clientId: 'a', secret: '${file.secret.txt}' }],
  });
  const file = await read(t, { 'x.json': text, 'secret.txt': 's3cret\n' }, { TITLE: '${env.B:nested}' });
  t.is(file.representation.displayName, '${env.B:nested}');
  t.deepEqual(file.representation.attributes, { a: '${role_admin}', b: 'standard' });
  t.is(file.representation.clients?.[0]?.secret, 's3cret');
  t.deepEqual(
    file.defaultedReferences.map(({ name }) => name),
    ['B'],
  );
  const missing = await problems(t, '{\n  "realm": "x",\n  "displayName": "${env.NOPE}"\n}');
  t.deepEqual(missing, ['x.json:3:3 displayName: the environment variable NOPE is not set']);
});

test('realm files: a realm’s providers are checked by each provider’s schema', async (t) => {
  const text = `{ "realm": "x", "providers": {
  "realm-restapi-extensio": {},
  "realm-restapi-extension": { "newsleter": {}, "newsletter": { "enabled": true, "config": { "authentication": "nome" } } }
} }`;
  t.deepEqual(await problems(t, text), [
    'x.json:2:3 providers.realm-restapi-extensio: SPI "realm-restapi-extensio" not found, or it has no providers (did you mean "realm-restapi-extension"?)',
    'x.json:3:32 providers.realm-restapi-extension.newsleter: realm-restapi-extension "newsleter" not found (did you mean "newsletter"?)',
    'x.json:3:94 providers.realm-restapi-extension.newsletter.config.authentication: must be one of client, none (did you mean "none"?)',
  ]);
});

/** A realm as Keycloak 26 exports it, with real keys and hashes. */
function keycloakExport() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const body = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const salt = randomBytes(16);
  const password = (algorithm: string, hash: string, iterations: number) => ({
    id: `c-${algorithm}`,
    type: 'password',
    createdDate: 1700000000000,
    secretData: JSON.stringify({
      value: pbkdf2Sync('Old-pass-1!', salt, iterations, 64, hash).toString('base64'),
      salt: salt.toString('base64'),
      additionalParameters: {},
    }),
    credentialData: JSON.stringify({ hashIterations: iterations, algorithm, additionalParameters: {} }),
  });
  const realm: RealmRepresentation = {
    id: 'e5b9c9c0-0000-4000-8000-00000000000a',
    realm: 'moved',
    displayName: 'Moved',
    enabled: true,
    keycloakVersion: '26.4.0',
    userManagedAccessAllowed: false,
    organizationsEnabled: false,
    webAuthnPolicyRpEntityName: 'keycloak',
    localizationTexts: {},
    clientProfiles: { profiles: [] },
    authenticationFlows: [
      { alias: 'browser', providerId: 'basic-flow', topLevel: true, builtIn: true, authenticationExecutions: [] },
    ],
    requiredActions: [
      { alias: 'UPDATE_PASSWORD', name: 'Update Password', providerId: 'UPDATE_PASSWORD', enabled: true },
    ],
    roles: { realm: [{ name: 'offline_access', description: '${role_offline-access}' }] },
    clients: [{ clientId: 'cli', publicClient: true, directAccessGrantsEnabled: true }],
    components: {
      'org.keycloak.keys.KeyProvider': [
        {
          name: 'rsa-generated',
          providerId: 'rsa-generated',
          subComponents: {},
          config: { privateKey: [body], priority: ['100'] },
        },
        {
          name: 'hmac-generated-hs512',
          providerId: 'hmac-generated',
          config: {
            kid: ['hmac-1'],
            secret: [randomBytes(64).toString('base64url')],
            priority: ['100'],
            algorithm: ['HS512'],
          },
        },
        { name: 'aes-generated', providerId: 'aes-generated', config: { priority: ['100'] } },
      ],
    },
    users: [
      { id: 'u-1', username: 'old256', enabled: true, credentials: [password('pbkdf2-sha256', 'sha256', 27500)] },
      { id: 'u-2', username: 'old512', enabled: true, credentials: [password('pbkdf2-sha512', 'sha512', 21000)] },
    ],
  };
  return { realm, publicKey };
}

test('realm files: a Keycloak export is read whole: its keys keep their kids, its users their passwords, unknown keys stay', async (t) => {
  const { realm, publicKey } = keycloakExport();
  const host = await startHost(t, { realms: [realm], replace: [realHashes] });
  for (const username of ['old256', 'old512']) {
    const form = { grant_type: 'password', client_id: 'cli', username, password: 'Old-pass-1!' };
    const { status, json } = await host.token('moved', form);
    t.is(status, 200, username);
    await t.notThrowsAsync(jose.jwtVerify(json.access_token ?? '', publicKey));
    t.is(jose.decodeProtectedHeader(json.refresh_token ?? '').kid, 'hmac-1');
    t.is((await host.token('moved', form)).status, 200, 'again, with the new hash');
  }
  const record = await host.store.users.byId('moved', 'u-1');
  t.regex(record?.representation.credentials?.[0]?.credentialData ?? '', /argon2/);
  const stored = (await host.store.realms.get('moved'))?.representation;
  t.like(stored, { keycloakVersion: '26.7.0', webAuthnPolicyRpEntityName: 'keycloak' });
  t.false(JSON.stringify(stored).includes('privateKey'));
  const { json } = await fetchAnswer(`${host.oidc('moved')}/certs`);
  t.is((json as unknown as { keys: object[] }).keys.length, 1);
});

test('realm files: users in files of their own belong to the realm; an unchanged file is not applied again; users are not overwritten', async (t) => {
  const file = await read(t, {
    'big-realm.json': JSON.stringify({ realm: 'big', enabled: true }),
    'big-users-0.json': JSON.stringify({ realm: 'big', users: [{ username: 'a' }] }),
    'big-users-1.json': JSON.stringify({ realm: 'big', users: [{ username: 'b' }] }),
  });
  t.deepEqual(
    file.users.map(({ username }) => username),
    ['a', 'b'],
  );
  const host = await startHost(t, { realms: [testRealm('demo')] });
  t.is((await host.store.realms.get('demo'))?.version, 1);
});
