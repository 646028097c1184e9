import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { parseOptions } from '../../core/config/options/options.js';
import { createHost } from '../../core/host/host.js';
import { type Answer, claimsOf, fetchAnswer, startHost } from '../helpers/host.js';
import { COMMAND, folder, run } from '../helpers/process.js';
import { ALICE, testRealm } from '../helpers/realms.js';

const TLS = fileURLToPath(new URL('../../../test/fixtures/tls/', import.meta.url));

const post = (url: string, form: Record<string, string>): Promise<Answer> =>
  fetchAnswer(url, { method: 'POST', body: new URLSearchParams(form) });

test('start: all invalid options are reported at once, with suggestions and the place for secrets', (t) => {
  const argv = [
    '--http-prot',
    '1',
    '--http-port',
    '99999',
    '--proxy-headers=all',
    '--master-key',
    'x',
    '--hostname',
    'ftp://x',
  ];
  const error = t.throws(() => parseOptions(argv, { KEYHOST_LOG_LEVEL: 'loud' }, 'start-dev')) as BootError;
  t.is(error.code, 'options_invalid');
  const report = error.report();
  for (const part of [
    '--http-prot: unknown option (did you mean "--http-port"?)',
    '--http-port: must be a port from 0 to 65535, not "99999"',
    '--proxy-headers: must be one of xforwarded, forwarded, not "all"',
    '--master-key: set KEYHOST_MASTER_KEY or --master-key-file',
    '--hostname: must be a URL such as',
    'KEYHOST_LOG_LEVEL: must be one of trace, debug',
  ]) {
    t.true(report.includes(part), part);
  }
  const options = parseOptions(
    ['--hostname', 'https://id.example.com/auth/'],
    { KEYHOST_HTTP_PORT: '1234', KEYHOST_HTTP_RELATIVE_PATH: 'auth' },
    'start',
  );
  t.like(options, { hostname: 'https://id.example.com/auth', httpPort: 1234, httpRelativePath: '/auth' });
});

test('start: production names what it lacks, accepts no default secret, and serves no unauthenticated provider by default', async (t) => {
  const realm = testRealm('demo');
  const dir = await folder(t, [{ ...realm, displayName: '${env.KEYHOST_TEST_UNSET:Demo}' }]);
  const bare = await run(t, dir, ['start']);
  t.is(await bare.ended, 1);
  t.regex(bare.output(), /\[production_unsafe]\n {2}--hostname: is required.*\n {2}--https-port: is required/);
  const production = ['start', '--hostname', 'https://id.example.test', '--http-enabled'];
  const unsafe = await run(t, dir, production);
  t.is(await unsafe.ended, 1);
  t.regex(
    unsafe.output(),
    /demo\.json:1:\d+ displayName: set KEYHOST_TEST_UNSET: production does not allow default values/,
  );
  t.regex(
    unsafe.output(),
    /demo\.json:1:\d+ providers\S+authentication: realm-restapi-extension\/newsletter answers without authentication/,
  );
  const named = [...production, '--allow-open-providers', 'demo/realm-restapi-extension/newsletter'];
  const started = await run(t, dir, named, { KEYHOST_TEST_UNSET: 'Real' });
  const { json } = await fetchAnswer(`${started.url}/realms/demo/.well-known/openid-configuration`);
  t.is(json.issuer, 'https://id.example.test/realms/demo');
});

test('start: after kill -9 every promise holds: tokens verify, used codes stay used', async (t) => {
  const dir = await folder(t);
  const first = await run(t, dir, ['start-dev']);
  t.is((await stat(join(dir, 'data'))).mode & 0o777, 0o700);
  const port = new URL(first.url ?? '').port;
  const token = `${first.url}/realms/demo/protocol/openid-connect/token`;
  const web = { client_id: 'web', client_secret: 's3cret:+/%&é' };
  const login = (
    await post(token, { ...web, grant_type: 'password', username: 'alice', password: 'Alice-pass-1!', scope: 'openid' })
  ).json;
  const rotated = await post(token, { ...web, grant_type: 'refresh_token', refresh_token: login.refresh_token ?? '' });
  const revoked = (
    await post(token, { ...web, grant_type: 'password', username: 'alice', password: 'Alice-pass-1!', scope: 'openid' })
  ).json;
  await post(token.replace(/token$/, 'revoke'), { ...web, token: revoked.access_token ?? '' });
  first.child.kill('SIGKILL');
  t.is(await first.ended, 'SIGKILL');
  const second = await run(t, dir, ['start-dev'], {}, port);
  t.is(second.url, first.url);
  const userinfo = (access?: string) =>
    fetchAnswer(token.replace(/token$/, 'userinfo'), { headers: { authorization: `Bearer ${access}` } });
  t.is((await userinfo(rotated.json.access_token)).status, 200);
  t.is((await userinfo(revoked.access_token)).status, 401);
  const again = await post(token, {
    ...web,
    grant_type: 'refresh_token',
    refresh_token: rotated.json.refresh_token ?? '',
  });
  t.is(again.status, 200);
  t.is(
    (await post(token, { ...web, grant_type: 'refresh_token', refresh_token: login.refresh_token ?? '' })).status,
    400,
  );
  t.is((await userinfo(again.json.access_token)).status, 401);
  const other = await run(t, dir, ['start-dev']);
  t.is(await other.ended, 1);
  t.regex(other.output(), /\[store_locked]/);
  second.child.kill('SIGTERM');
  t.is(await second.ended, 0);
  t.notRegex(first.output() + second.output(), /eyJ[A-Za-z0-9_-]{10}|Alice-pass-1!|s3cret/);
});

test('start: a stop during the start ends the first process of a container, too', async (t) => {
  // The host is the first process of a namespace: Linux alone has them, and not every user may make one.
  const inside = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child'];
  if (spawnSync('unshare', [...inside, 'true']).status !== 0) {
    t.log('not run: unshare is not there, or makes no namespace for this user');
    return t.pass();
  }
  const dir = await folder(t);
  const words = [
    'start-dev',
    '--http-port',
    '0',
    '--management-port',
    '0',
    '--plugins-file',
    join(dir, 'plugins.json'),
  ];
  const places = ['--data-dir', join(dir, 'data'), '--realms-dir', join(dir, 'realms')];
  const child = spawn('unshare', [...inside, process.execPath, COMMAND, ...words, ...places]);
  t.teardown(() => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const ended = new Promise<unknown>((resolve) => child.once('close', (code, signal) => resolve(signal ?? code)));
  // Signals come from the beginning on: those before the program runs are lost, one after it is ready would drain it.
  // biome-ignore lint/plugin: as often as it may, until the process has ended
  const timer = setInterval(() => {
    const children = `/proc/${child.pid}/task/${child.pid}/children`;
    const host = existsSync(children) ? Number(readFileSync(children, 'utf8')) : 0;
    try {
      if (host > 0) process.kill(host, 'SIGTERM');
    } catch {
      // It ended after it was looked for.
    }
  }, 20);
  t.teardown(() => clearInterval(timer));
  // Two signals in the first moments of Node, before its own handlers are set, may end it as any process.
  t.true([128 + constants.signals.SIGTERM, 'SIGTERM'].includes((await ended) as never));
  t.notRegex(output, /Keyhost ready|draining/);
});

test('start: production without an admin reports it; a later start creates the named one, and none that was removed', async (t) => {
  const dir = await folder(t, [testRealm('demo', { providers: {} })]);
  const production = ['start', '--hostname', 'http://id.example', '--http-enabled'];
  const bootstrap = (password: string) => [
    '--bootstrap-admin-username',
    'root',
    '--bootstrap-admin-password',
    password,
  ];
  const start = async (...words: string[]) => {
    const host = await run(t, dir, [...production, ...words]);
    const token = async (password: string) => {
      const form = { grant_type: 'password', client_id: 'admin-cli', username: 'root', password };
      const body = new URLSearchParams(form);
      return (await fetch(`${host.url}/realms/master/protocol/openid-connect/token`, { method: 'POST', body })).status;
    };
    const stop = async () => {
      host.child.kill();
      await host.ended;
    };
    return { ...host, token, stop };
  };
  const first = await start();
  t.regex(first.output(), /the realm master has no admin: start with --bootstrap-admin-username/);
  await first.stop();
  const second = await start(...bootstrap('root-password'));
  t.is(await second.token('root-password'), 200);
  t.notRegex(second.output(), /nobody administers|root-password/);
  await second.stop();
  const third = await start(...bootstrap('another'));
  t.deepEqual([await third.token('another'), await third.token('root-password')], [400, 200]);
  await third.stop();
});

test('start: the bootstrap admin is printed once, and keys are rotated by a command while the host is stopped', async (t) => {
  const dir = await folder(t);
  const key = { KEYHOST_MASTER_KEY: 'a master key of some length' };
  const first = await run(t, dir, ['start-dev'], key);
  const password = /shown only once\): admin \/ (\S+)/.exec(first.output())?.[1] ?? '';
  const form = { grant_type: 'password', client_id: 'admin-cli', username: 'admin' };
  const token = `${first.url}/realms/master/protocol/openid-connect/token`;
  t.is((await post(token, { ...form, password })).status, 200);
  t.is((await post(token, { ...form, password: 'admin' })).status, 400);
  first.child.kill('SIGTERM');
  await first.ended;
  const rotate = (env: Record<string, string>) =>
    new Promise<[number | null, string]>((resolve) => {
      const child = spawn(
        process.execPath,
        [COMMAND, 'keys', 'rotate', '--realm', 'master', '--data-dir', join(dir, 'data')],
        { env: { ...process.env, ...env } },
      );
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
      child.once('close', (code) => resolve([code, output]));
    });
  const [refused, why] = await rotate({});
  t.deepEqual([refused, /\[master_key]/.test(why)], [1, true]);
  const [done, what] = await rotate(key);
  t.deepEqual([done, /Realm master now signs RS256 with/.test(what)], [0, true]);
  const second = await run(t, dir, ['start-dev'], key);
  t.notRegex(second.output(), /shown only once/);
  const jwks = await fetchAnswer(`${second.url}/realms/master/protocol/openid-connect/certs`);
  const { keys } = jwks.json as unknown as { keys: { use: string }[] };
  t.deepEqual(
    keys.map(({ use }) => use),
    ['sig', 'sig', 'enc'],
  );
  t.false((await readFile(join(dir, 'data/keyhost.db'))).includes('"kty":"RSA"'));
});

test('start: https serves with its certificate, and sslRequired refuses plain http', async (t) => {
  const files = [
    '--https-certificate-file',
    join(TLS, 'cert.pem'),
    '--https-certificate-key-file',
    join(TLS, 'key.pem'),
  ];
  const host = await startHost(t, {
    realms: [testRealm('demo', { sslRequired: 'all' })],
    argv: ['--https-port', '0', ...files],
  });
  t.regex(host.url, /^https:/);
  const ca = await readFile(join(TLS, 'cert.pem'));
  const status = await new Promise<[number | undefined, string | undefined]>((resolve, reject) => {
    const url = `${host.realm('demo')}/.well-known/openid-configuration`;
    request(url, { ca }, (response) => resolve([response.statusCode, response.headers['content-type']]))
      .on('error', reject)
      .end();
  });
  t.deepEqual(status, [200, 'application/json']);
  const plain = await startHost(t, { realms: [testRealm('demo', { sslRequired: 'all' })] });
  const refused = await plain.token('demo', {
    grant_type: 'client_credentials',
    client_id: 'svc',
    client_secret: 'svc-secret',
  });
  t.deepEqual([refused.status, refused.json], [403, { error: 'invalid_request', error_description: 'HTTPS required' }]);
  const proxied = await startHost(t, {
    realms: [testRealm('demo', { sslRequired: 'all' })],
    argv: ['--proxy-headers', 'xforwarded'],
  });
  const form = { grant_type: 'client_credentials', client_id: 'svc', client_secret: 'svc-secret' };
  t.is((await proxied.token('demo', form, { 'x-forwarded-proto': 'https' })).status, 200);
  t.is((await proxied.token('demo', form)).status, 403);
  t.is((await plain.token('demo', form, { 'x-forwarded-proto': 'https' })).status, 403);
});

test('start: a listener of a plugin gets events, and a grant type of a plugin is served by the same phases', async (t) => {
  const dist = fileURLToPath(new URL('../../', import.meta.url));
  const dir = await mkdtemp(join(dist, 'plugins-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  await mkdir(join(dir, 'extra'));
  await writeFile(
    join(dir, 'extra/package.json'),
    JSON.stringify({ name: 'extra', version: '1.0.0', type: 'module', exports: './index.js' }),
  );
  await writeFile(
    join(dir, 'extra/index.js'),
    `import { EventListener, GrantType, OAuthError, provide } from '@keyhost/spi';
     globalThis.keyhostHeard = [];
     export default { name: 'extra', api: 1, providers: [
       provide(EventListener, { id: 'ears', open: () => ({ create: () => ({ async onEvent(event) { globalThis.keyhostHeard.push(event); } }) }) }),
       provide(GrantType, { id: 'urn:test:voucher', eventType: 'OAUTH2_EXTENSION_GRANT', open: () => ({ create: () => ({
         async authorize({ form }) {
           if (form.voucher !== 'good') throw new OAuthError('invalid_grant', 'Bad voucher');
           return { userId: '${ALICE}', login: 'transient', claims: { voucher: true, iss: 'evil' } };
         } }) }) }),
     ] };`,
  );
  const realm = testRealm('demo', { eventsListeners: ['ears'] });
  realm.providers = { 'oauth2-grant-type': { 'urn:test:voucher': { enabled: true } } };
  const plain = testRealm('plain');
  delete plain.providers;
  const host = await startHost(t, {
    realms: [realm, plain],
    plugins: [{ module: 'extra' }],
    argv: ['--providers-dir', dir],
  }).catch((error: BootError) => error);
  if (host instanceof Error) return t.fail(host.report());
  const form = { grant_type: 'urn:test:voucher', client_id: 'spa', voucher: 'good' };
  const good = await host.token('demo', form);
  t.is(good.status, 200, good.text);
  t.like(claimsOf(good.json.access_token ?? ''), { voucher: true, iss: host.realm('demo'), sub: ALICE } as object);
  t.deepEqual((await host.token('demo', { ...form, voucher: 'bad' })).json, {
    error: 'invalid_grant',
    error_description: 'Bad voucher',
  });
  t.is((await host.token('plain', form)).json.error, 'unsupported_grant_type');
  await host.events.flush();
  const heard = (globalThis as unknown as { keyhostHeard: { type: string }[] }).keyhostHeard.map(({ type }) => type);
  t.deepEqual(heard, ['OAUTH2_EXTENSION_GRANT', 'OAUTH2_EXTENSION_GRANT_ERROR']);
});

test('start: a first start that fails has printed no password, and the next one prints one', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-first-start-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const realms = join(dir, 'realms');
  await mkdir(realms);
  await writeFile(join(realms, 'x.json'), '{"realm": "x",');
  await writeFile(join(dir, 'plugins.json'), '{"plugins": []}');
  const ports = ['--http-port', '0', '--grpc-port', '0', '--management-port', '0', '--log-level', 'silent'];
  const places = ['--data-dir', join(dir, 'data'), '--realms-dir', realms, '--plugins-file', join(dir, 'plugins.json')];
  const options = parseOptions([...ports, ...places], {}, 'start-dev');
  await t.throwsAsync(createHost(options), { code: 'realm_invalid' });
  await writeFile(join(realms, 'x.json'), '{"realm": "x", "enabled": true}');
  const host = await createHost(options);
  t.teardown(() => host.close());
  const form = { grant_type: 'password', client_id: 'admin-cli', ...host.newAdmin };
  const address = `${host.url}/realms/master/protocol/openid-connect/token`;
  const token = await post(address, form as Record<string, string>);
  t.is(token.status, 200, token.text);
});
