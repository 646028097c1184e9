import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { maskSecrets } from '../../core/model/mask-secrets.js';
import { ROOT, startAdministered } from '../helpers/admin.js';
import { fetchAnswer, startHost, TestClock, type TestHost } from '../helpers/host.js';
import { bearer } from '../helpers/login.js';
import { startMailServer } from '../helpers/mail-server.js';
import { testRealm } from '../helpers/realms.js';

/** A vault over HTTP: the secret is the server's answer, until the expiry in it. */
const PLUGIN = (url: string) => `import { provide, Vault } from '@keyhost/spi';
export default { name: 'far', api: 1, providers: [provide(Vault, { id: 'far', open: () => ({ create: (session) => ({
  async read({ key }) {
    const { status, body } = await session.outbound.request({ url: '${url}' + session.realm.name + '/' + key });
    if (status === 404) return undefined;
    if (status !== 200) throw new Error('the vault answered ' + status);
    return JSON.parse(new TextDecoder().decode(body));
  } }) }) })] };`;

const job = (secret: string, clientId = 'job', more: object = {}) => ({
  clientId,
  secret,
  serviceAccountsEnabled: true,
  standardFlowEnabled: false,
  ...more,
});
const realm = (name: string, providers: object, ...clients: object[]) => {
  const { clients: own = [], ...rest } = testRealm(name, { providers: providers as never });
  return { ...rest, clients: [...own, ...(clients as typeof own)] };
};
const ask = async (host: TestHost, secret: string, name = 'demo', client = 'job') => {
  const form = { grant_type: 'client_credentials', client_id: client, client_secret: secret };
  const { status, json } = await host.token(name, form);
  return [status, json.error] as unknown[];
};
const IN = [200, undefined];
const OUT = [401, 'unauthorized_client'];
const LATER = [503, 'temporarily_unavailable'];

async function farVault(t: ExecutionContext) {
  const asked: (string | undefined)[] = [];
  let answer: { status: number; body?: object } = { status: 404 };
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(answer.status).end(JSON.stringify(answer.body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const says = (status: number, body?: object) => {
    answer = { status, ...(body && { body }) };
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked, says };
}

for (const isolation of ['none', 'worker']) {
  test(`vault: a client’s secret is in a vault, which may be unavailable at the start and later (isolation ${isolation})`, async (t) => {
    const vault = await farVault(t);
    const clock = new TestClock();
    vault.says(500);
    const host = await startHost(t, {
      realms: [realm('demo', { vault: { far: { enabled: true } } }, job('${vault.job_secret}')), realm('other', {})],
      plugins: [{ module: 'far', isolation }],
      packages: { far: PLUGIN(vault.url) },
      argv: ['--outbound-private-networks', '127.0.0.0/8'],
      clock,
    });
    t.deepEqual(await ask(host, 'sesame'), LATER);
    t.deepEqual(await ask(host, '${vault.job_secret}'), LATER);
    // After a failure, a vault is not asked for a while; other vaults are not affected.
    const before = vault.asked.length;
    vault.says(200, { value: 'sesame' });
    t.deepEqual(await ask(host, 'sesame'), LATER);
    t.is(vault.asked.length, before);
    t.deepEqual(await ask(host, 'svc-secret', 'other', 'svc'), IN);
    clock.forward(6);
    t.deepEqual(await ask(host, 'sesame'), IN);
    t.is(vault.asked.at(-1), '/demo/job_secret');
    // If there is no secret, neither its former value nor the reference is accepted.
    t.deepEqual(await ask(host, 'barley'), OUT);
    t.deepEqual(await ask(host, '${vault.job_secret}'), OUT);
    t.is(vault.asked.length, before + 1);
    // After a minute it is read again; while the vault is unreachable, the last answer is used for ten minutes.
    clock.forward(61);
    vault.says(500);
    const failedReads = vault.asked.length + 1;
    t.deepEqual(await ask(host, 'sesame'), IN);
    t.deepEqual(await ask(host, 'sesame'), IN);
    t.is(vault.asked.length, failedReads);
    clock.forward(9 * 60);
    t.deepEqual(await ask(host, 'sesame'), LATER);
    clock.forward(6);
    // An answer with an expiry is not used beyond it, and a new one replaces it.
    vault.says(200, { value: 'barley', expiresAt: clock.now() / 1000 + 20 });
    t.deepEqual(await ask(host, 'sesame'), OUT);
    t.deepEqual(await ask(host, 'barley'), IN);
    vault.says(500);
    clock.forward(21);
    t.deepEqual(await ask(host, 'barley'), LATER);
    clock.forward(6);
    vault.says(404);
    t.deepEqual(await ask(host, 'barley'), OUT);
    // The logged messages: a log masks the names of secrets, too.
    const written = (message: string) =>
      host.log.filter((line) => line.message === message).map(({ fields }) => maskSecrets(fields));
    t.deepEqual(written('no vault of the realm has a secret'), [{ realm: 'demo', reference: '${vault.job_secret}' }]);
    t.like(written('a call of a provider failed')[0], { provider: 'vault/far', reason: 'the vault answered 500' });
    t.deepEqual(
      written('a secret cannot be read from its vault').map(
        (fields) => (fields as { usesLastValue: boolean }).usesLastValue,
      ),
      [false, true, false, false],
    );
    t.true(host.log.every((line) => !JSON.stringify(line).includes('barley')));
  });
}

test('vault: a file for each secret, named as in Keycloak, and nothing outside of the folder', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-vault-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, 'demo_job__secret'), 'sesame\n');
  await writeFile(join(dir, 'a__b_c'), 'of a_b');
  await writeFile(join(dir, 'outside'), 'outside');
  const host = await startHost(t, {
    realms: [
      realm('demo', {}, job('${vault.job_secret}'), job('${vault.../outside}', 'reader'), job('${vault.none}', 'none')),
      realm('a_b', {}, job('${vault.c}')),
      realm('a', {}, job('${vault.b_c}')),
    ],
    plugins: [],
    argv: ['--vault-dir', dir],
  });
  t.deepEqual(await ask(host, 'sesame'), IN);
  t.deepEqual(await ask(host, 'of a_b', 'a_b'), IN);
  t.deepEqual(await ask(host, 'of a_b', 'a'), OUT);
  t.deepEqual(await ask(host, 'outside', 'demo', 'reader'), OUT);
  t.deepEqual(await ask(host, '${vault.none}', 'demo', 'none'), OUT);
});

test('vault: a reference that cannot be resolved is refused or reported at its place', async (t) => {
  const error = await t.throwsAsync(startHost(t, { realms: [realm('demo', {}, job('${vault.job}'))], plugins: [] }));
  const { problems } = error as unknown as { problems: { path: string; message: string }[] };
  t.is(problems[0]?.path, 'clients[7].secret');
  t.regex(problems[0]?.message ?? '', /no vault: start it with --vault-dir, or add a plugin/);
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-vault-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const off = { vault: { 'files-plaintext': { enabled: false } } };
  const host = await startAdministered(t, {
    realms: [realm('demo', { vault: {} }), realm('off', off)],
    plugins: [],
    argv: ['--vault-dir', dir],
  });
  const { json } = await host.token('master', { grant_type: 'password', client_id: 'admin-cli', ...ROOT });
  const headers = { ...bearer(json.access_token ?? ''), 'content-type': 'application/json' };
  const make = (name: string, body: object) =>
    fetchAnswer(`${host.url}/admin/realms/${name}/clients`, { method: 'POST', headers, body: JSON.stringify(body) });
  t.is((await make('demo', job('${vault.job}'))).status, 201);
  const refused = await make('off', job('${vault.job}'));
  t.is(refused.status, 400);
  t.regex(refused.text, /enable files-plaintext in providers\.vault/);
  // An admin reads the reference, which is no secret.
  const [made] = (await fetchAnswer(`${host.url}/admin/realms/demo/clients?clientId=job`, { headers }))
    .json as unknown as { id: string; secret: string }[];
  const secret = await fetchAnswer(`${host.url}/admin/realms/demo/clients/${made?.id}/client-secret`, { headers });
  t.is(secret.json.value, '${vault.job}');
});

test('vault: an email server gets the password from the vault', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-vault-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, 'demo_smtp'), 'mail password');
  const server = await startMailServer(t, {
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) =>
      username === 'shop' && password === 'mail password'
        ? done(null, { user: username })
        : done(new Error('another password')),
  });
  const smtpServer = { ...server.settings, auth: 'true', user: 'shop', password: '${vault.smtp}' };
  const host = await startAdministered(t, {
    realms: [{ ...realm('demo', {}), smtpServer }],
    plugins: [],
    argv: ['--vault-dir', dir],
  });
  const { json } = await host.token('master', { grant_type: 'password', client_id: 'admin-cli', ...ROOT });
  const headers = { ...bearer(json.access_token ?? ''), 'content-type': 'application/json' };
  const users = `${host.url}/admin/realms/demo/users`;
  const [alice] = (await fetchAnswer(`${users}?username=alice`, { headers })).json as unknown as { id: string }[];
  const mailed = () =>
    fetchAnswer(`${users}/${alice?.id}/execute-actions-email`, { method: 'PUT', headers, body: '["UPDATE_PASSWORD"]' });
  const sent = await mailed();
  t.is(sent.status, 204, sent.text);
  t.truthy(await server.mail(0));
});
