import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered, startAdministered } from '../helpers/admin.js';
import { keyhost } from '../helpers/command.js';
import { eventually } from '../helpers/eventually.js';
import { startHost, type TestHost } from '../helpers/host.js';
import { edit, fileState, writeRealm } from '../helpers/realm-files.js';
import { shareHost } from '../helpers/shared-host.js';

const MASK = '**********';
const REFUSED = 'Invalid user credentials';
/** Each realm of these tests has its secrets masked, as in Keycloak's partial export. */
const CLIENT = { clientId: 'app', serviceAccountsEnabled: true, directAccessGrantsEnabled: true };
const realm = (name: string, members: object = {}) =>
  ({ realm: name, enabled: true, clients: [{ ...CLIENT, secret: MASK }], ...members }) as RealmRepresentation;
const withPassword = (credential: object) => [{ username: 'ann', enabled: true, credentials: [credential] }];

const shared = shareHost(test, administered({ realms: [realm('filed')] }), /plugged\.json was not applied/);

async function scene() {
  return callsOf(shared());
}

async function callsOf(host: TestHost) {
  const admin = await adminCaller(host);
  const call = (method: string, name: string, path: string, body?: object) =>
    admin(method, `/realms/${name}${path}`, body);
  return {
    host,
    call,
    create: (document: object) => admin('POST', '/realms', document),
    secretOf: async (name: string) => {
      const { json: clients } = await call('GET', name, '/clients?clientId=app');
      const [{ id }] = clients as unknown as [{ id: string }];
      const { json } = await call('GET', name, `/clients/${id}/client-secret`);
      return String(json.value);
    },
  };
}

const serviceLogin = (host: TestHost, name: string, secret: string) =>
  host.token(name, { client_id: 'app', client_secret: secret, grant_type: 'client_credentials' });
const told = (host: TestHost, name: string) =>
  host.log.filter(({ message }) => message.includes(`realm ${name}:`)).map(({ message }) => message);

test('T490 · masked secrets: a realm file with one makes a client with a new secret, and reports it at its place', async (t) => {
  const { host, secretOf } = await scene();
  t.is((await serviceLogin(host, 'filed', MASK)).status, 401);
  const secret = await secretOf('filed');
  t.regex(secret, /^[\w-]{32}$/);
  t.is((await serviceLogin(host, 'filed', secret)).status, 200);
  const lines = told(host, 'filed').join('\n');
  t.regex(lines, /filed\.json:\d+:\d+ clients\[0\]\.secret: is masked and ignored/);
  t.regex(lines, /client app had no secret; Keyhost created one: see Clients > app > Credentials/);
  t.false(lines.includes(secret));
});

test('T491 · masked secrets: a new realm over HTTP with one is reported, and the client has a new secret', async (t) => {
  const { host, create, secretOf } = await scene();
  const answer = await create(realm('sent', { smtpServer: { host: 'mail.example.test', password: MASK } }));
  t.is(answer.status, 201);
  t.is(answer.headers.get('keyhost-ignored'), 'clients[0].secret, smtpServer.password');
  t.is((await serviceLogin(host, 'sent', MASK)).status, 401);
  t.is((await serviceLogin(host, 'sent', await secretOf('sent'))).status, 200);
  t.regex(told(host, 'sent').join('\n'), /client app had no secret; Keyhost created one/);
});

test('T492 · masked secrets: one in a file keeps the existing secret', async (t) => {
  const authenticatorConfig = [{ alias: 'captcha', config: { secretKey: 'kept-one', 'api.key': 'kept-two' } }];
  const demo = realm('demo', { clients: [{ ...CLIENT, secret: 'first-one' }], authenticatorConfig });
  const host = await startAdministered(t, { realms: [demo] });
  t.is((await serviceLogin(host, 'demo', 'first-one')).status, 200);
  for (const [displayName, secret] of [
    ['masked', MASK],
    ['unsaid', undefined],
  ] as const) {
    const masked = [{ alias: 'captcha', config: { secretKey: MASK, 'api.key': MASK } }];
    const clients = [{ ...CLIENT, secret }];
    await writeRealm(host, realm('demo', { displayName, clients, authenticatorConfig: masked }));
    await eventually(async () => (await host.realms.get('demo'))?.representation.displayName === displayName);
    t.is((await serviceLogin(host, 'demo', 'first-one')).status, 200, displayName);
    t.is((await serviceLogin(host, 'demo', MASK)).status, 401, displayName);
    const [kept] = (await host.realms.get('demo'))?.representation.authenticatorConfig ?? [];
    t.deepEqual(kept?.config, { secretKey: 'kept-one', 'api.key': 'kept-two' });
  }
});

test('T493 · masked secrets: those of email servers, identity providers, components and steps count as absent, and a masked key is refused', async (t) => {
  const { host, create } = await scene();
  const config = {
    clientId: 'us',
    clientSecret: MASK,
    authorizationUrl: 'https://p.example.test/a',
    tokenUrl: 'https://p.example.test/t',
  };
  const ldap = { name: 'ldap', providerId: 'ldap', config: { bindCredential: [MASK], vendor: ['other'] } };
  const answer = await create(
    realm('parts', {
      smtpServer: { host: 'mail.example.test', from: 'a@example.test', auth: 'true', user: 'u', password: MASK },
      identityProviders: [{ alias: 'partner', providerId: 'oidc', enabled: true, config }],
      components: {
        'org.keycloak.storage.UserStorageProvider': [ldap],
      },
      authenticatorConfig: [{ alias: 'captcha', config: { 'secret.key': MASK, 'site.key': 'open' } }],
    }),
  );
  t.is(answer.status, 201);
  const stored = JSON.stringify((await host.store.realms.get('parts'))?.representation);
  t.false(stored.includes(MASK));
  t.true(stored.includes('"site.key":"open"') && stored.includes('"vendor":["other"]'));
  // A masked secret in a member that is not known to be one could not be preserved: the change is refused, and nothing
  // is lost.
  const other = { name: 'other', providerId: 'ldap', config: { tokens: ['a', MASK] } };
  for (const more of [
    { authenticatorConfig: [{ alias: 'pin', config: { pin: MASK } }] },
    { components: { 'org.keycloak.storage.UserStorageProvider': [other] } },
  ]) {
    const refused = await create(realm('pinned', more));
    t.is(refused.status, 400);
    t.regex(refused.text, /config.*is masked: write the secret/);
  }
  for (const providerId of ['hmac-generated', 'aes-generated', 'rsa']) {
    const key = { name: 'masked', providerId, config: { secret: [MASK], privateKey: [MASK] } };
    const refused = await create(realm('keyed', { components: { 'org.keycloak.keys.KeyProvider': [key] } }));
    t.is(refused.status, 400, providerId);
    t.regex(refused.text, /the key is masked/);
  }
});

test('T494 · masked secrets: a masked credential signs nobody in, over HTTP or by a file', async (t) => {
  const { host, call, create } = await scene();
  const plain = { type: 'password', value: MASK };
  const hashed = { type: 'password', secretData: MASK, credentialData: '{"hashIterations":1,"algorithm":"pbkdf2"}' };
  const logIn = (name: string, username: string) =>
    host.token(name, { client_id: 'admin-cli', grant_type: 'password', username, password: MASK });
  for (const [name, credential] of Object.entries({ plainly: plain, hashedly: hashed })) {
    const answer = await create({ realm: name, enabled: true, users: withPassword(credential) });
    t.is(answer.status, 201, name);
    t.is(answer.headers.get('keyhost-ignored'), 'users[0].credentials[0]', name);
    t.is((await logIn(name, 'ann')).json.error_description, REFUSED, name);
    const imported = { users: withPassword(credential).map((user) => ({ ...user, username: 'ben' })) };
    const partial = await call('POST', name, '/partialImport', imported);
    t.is(partial.status, 200, name);
    t.is(partial.headers.get('keyhost-ignored'), 'users[0].credentials[0]', name);
    t.is((await logIn(name, 'ben')).json.error_description, REFUSED, name);
    const refused = await call('POST', name, '/users', { username: 'cat', credentials: [credential] });
    t.is(refused.status, 400, name);
  }
  const { json: users } = await call('GET', 'plainly', '/users?username=ann');
  const [{ id }] = users as unknown as [{ id: string }];
  const reset = await call('PUT', 'plainly', `/users/${id}/reset-password`, plain);
  t.deepEqual([reset.status, reset.json.error], [400, 'invalidPasswordBlacklistedMessage']);
  t.is((await logIn('plainly', 'ann')).json.error_description, REFUSED);
  const credentialData = '{"subType":"totp","digits":6,"period":30,"algorithm":"HmacSHA1"}';
  const otp = { type: 'otp', secretData: JSON.stringify({ value: MASK }), credentialData };
  const named = { type: 'password', value: 'her-password', userLabel: MASK };
  const attributes = { note: [MASK, 'y'] };
  const dan = { username: 'dan', enabled: true, credentials: [otp, named], attributes };
  t.is(
    (await create({ realm: 'told', enabled: true, users: [dan] })).headers.get('keyhost-ignored'),
    'users[0].credentials[0]',
  );
  t.is((await call('POST', 'told', '/users', { username: 'eve', credentials: [otp] })).status, 400);
  const form = { client_id: 'admin-cli', grant_type: 'password', username: 'dan', password: 'her-password' };
  t.is((await host.token('told', form)).status, 200, 'a label is no secret');
  const { json: found } = await call('GET', 'told', '/users?username=dan');
  t.deepEqual((found as unknown as [object])[0], { ...(found as unknown as [object])[0], attributes });
});

test('T495 · masked secrets: one of a plugin is a problem at its place', async (t) => {
  const { host, create } = await scene();
  const providers = {
    'action-token-handler': {
      'external-app-notification': {
        enabled: true,
        config: { clientId: 'app', clientSecret: MASK, audience: 'app' },
      },
    },
  };
  const answer = await create(realm('plugged', { providers }));
  t.is(answer.status, 400);
  t.regex(answer.text, /providers.*clientSecret.*is masked: write the secret, or a reference/);
  await writeRealm(host, realm('plugged', { providers }));
  const { problems } = await fileState(host, 'plugged.json', ({ state }) => state === 'invalid');
  t.true(problems.some(({ line, message }) => line > 0 && message.startsWith('is masked')));
  t.is(await host.realms.get('plugged'), undefined);
});

test('T496 · masked secrets: a confidential client without a secret gets one, from a file and over HTTP', async (t) => {
  const { host, create, secretOf } = await scene();
  await writeRealm(host, realm('unsaid-file', { clients: [CLIENT] }));
  await fileState(host, 'unsaid-file.json', ({ state }) => state === 'applied');
  t.is((await create(realm('unsaid-http', { clients: [CLIENT] }))).status, 201);
  for (const name of ['unsaid-file', 'unsaid-http']) {
    t.is((await serviceLogin(host, name, await secretOf(name))).status, 200, name);
    t.is((await serviceLogin(host, name, '')).status, 401, name);
  }
});

test('T497 · masked secrets: a mask that an older Keyhost stored authenticates nobody, and is replaced when the client is saved', async (t) => {
  const host = await startAdministered(t, {
    realms: [realm('demo', { clients: [{ ...CLIENT, secret: 'first-one' }] })],
  });
  await edit(host, 'demo', ({ clients = [] }) => {
    for (const client of clients) if (client.clientId === 'app') client.secret = MASK;
  });
  t.is((await serviceLogin(host, 'demo', MASK)).status, 401);
  const { call, secretOf } = await callsOf(host);
  const { json: clients } = await call('GET', 'demo', '/clients?clientId=app');
  const [{ id }] = clients as unknown as [{ id: string }];
  t.is((await call('PUT', 'demo', `/clients/${id}`, { clientId: 'app', secret: MASK })).status, 204);
  const secret = await secretOf('demo');
  t.regex(secret, /^[\w-]{32}$/);
  t.is((await serviceLogin(host, 'demo', secret)).status, 200);
});

test('T498 · masked secrets: realm check names them, in production too', async (t) => {
  const host = await startHost(t);
  const path = join(host.dir, 'masked.json');
  const plugins = join(host.dir, 'none.json');
  await writeFile(plugins, '{"plugins": []}');
  await writeFile(
    path,
    JSON.stringify(realm('masked', { users: withPassword({ type: 'password', value: MASK }) }), null, 2),
  );
  for (const mode of [[], ['--production']]) {
    const words = ['realm', 'check', path, '--plugins-file', plugins, ...mode];
    const { stdout } = await keyhost(words, { cwd: host.dir });
    t.regex(stdout, /masked\.json:\d+:\d+ clients\[0\]\.secret: is masked.* \[warning\]/);
    t.regex(stdout, /masked\.json:\d+:\d+ users\[0\]\.credentials\[0\]: is masked.* \[warning\]/);
  }
});

test('T499 · masked secrets: a reference whose value is a mask counts as one', async (t) => {
  const clients = [{ ...CLIENT, secret: '${env.APP_SECRET:**********}' }];
  const host = await startAdministered(t, { realms: [realm('demo', { clients })], env: {} });
  t.is((await serviceLogin(host, 'demo', MASK)).status, 401);
  t.true((await host.realms.get('demo'))?.clients.get('app')?.hasSecret);
});
