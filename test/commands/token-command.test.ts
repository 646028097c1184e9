import { spawn } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { token } from '../../core/commands/token/token-command.js';
import type { Ran } from '../helpers/command.js';
import { Browser, follow } from '../helpers/form-browser.js';
import { fetchAnswer } from '../helpers/host.js';
import { COMMAND, folder, run } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

interface Started {
  /** The address that the user must open; undefined if the command has ended. */
  readonly address: Promise<string | undefined>;
  readonly ended: Promise<Ran>;
}

/** Begins `keyhost token`, which waits for a person. */
function begun(t: ExecutionContext, words: readonly string[], env: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, [COMMAND, 'token', ...words], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill());
  const output = { stdout: '', stderr: '' };
  const ended = new Promise<Ran>((resolve) => child.once('close', (code) => resolve({ code, ...output })));
  const address = new Promise<string | undefined>((resolve) => {
    child.stdout.on('data', (chunk) => {
      output.stdout += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      output.stderr += String(chunk);
      const asked = /^Sign in at (\S+)\n/m.exec(output.stderr)?.[1];
      if (asked !== undefined) resolve(asked);
    });
    void ended.then(() => resolve(undefined));
  });
  return { address, ended };
}

test('keyhost token: a user signs in by the code flow and a loopback redirect, and sees the claims', async (t) => {
  const native = {
    clientId: 'tool',
    publicClient: true,
    redirectUris: ['http://127.0.0.1/callback'],
    attributes: { 'pkce.code.challenge.method': 'S256', 'oauth2.device.authorization.grant.enabled': 'true' },
  };
  const job = { clientId: 'job', secret: 's3cret:+/%&é', serviceAccountsEnabled: true };
  const realm = testRealm('demo');
  const dir = await folder(t, [{ ...realm, clients: [...(realm.clients ?? []), native, job] }]);
  const host = await run(t, dir, ['start-dev']);
  t.truthy(host.url, host.output());
  const places = ['--realms-dir', join(dir, 'realms'), '--data-dir', join(dir, 'data')];
  const command = (words: readonly string[], env?: Record<string, string>) => begun(t, [...words, ...places], env);

  const { address, ended } = command(['--client-id', 'tool', '--scope', 'openid email']);
  const url = new URL((await address) ?? '');
  const redirect = url.searchParams.get('redirect_uri') ?? '';
  t.regex(redirect, /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  t.is(url.searchParams.get('code_challenge_method'), 'S256');
  // Foreign requests to that port do not end the sign-in, and cannot inject a code.
  const state = url.searchParams.get('state') ?? '';
  const sent = async (query: string, init?: RequestInit) => (await fetchAnswer(`${redirect}${query}`, init)).status;
  t.is(await sent('?code=stolen&state=other'), 400);
  t.is(await sent(`?code=stolen&state=${state}&iss=http://evil.example`), 400);
  t.is(await sent(`?code=stolen&state=${state}`, { method: 'POST' }), 404);
  t.is(await sent(`/other?code=stolen&state=${state}`), 404);
  const browser = new Browser();
  const page = await follow(browser, await browser.open(url.href));
  const done = await follow(browser, await browser.submit(page, { username: 'alice', password: 'Alice-pass-1!' }));
  t.regex(done.text, /<h1>You are signed in<\/h1>\n<p>Close this page/);
  // Readable on a phone and in the dark, and it loads nothing.
  t.regex(done.text, /name="viewport".*\n.*name="color-scheme" content="light dark"/);
  t.regex(done.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
  const { code, stdout, stderr } = await ended;
  t.is(code, 0, stderr);
  const told = JSON.parse(stdout);
  const { exp, iat } = told.access_token.claims;
  const times = { exp: new Date(exp * 1000).toISOString(), iat: new Date(iat * 1000).toISOString() };
  t.like(told.access_token, { times });
  t.is(typeof told.id_token.times.auth_time, 'string');
  t.like(told.access_token, { signature: 'valid', claims: { azp: 'tool', scope: 'openid profile email' } });
  t.like(told.id_token, { signature: 'valid', claims: { aud: 'tool', email: 'alice@example.test' } });
  t.is(told.refresh_token.header.alg, 'HS512');
  t.notRegex(stdout + stderr, /eyJ/);

  // A user who denies the request, and other grants.
  const denied = command(['--client-id', 'tool']);
  const other = new URL((await denied.address) ?? '').searchParams;
  await fetchAnswer(`${other.get('redirect_uri')}?error=access_denied&state=${other.get('state')}`);
  t.like(await denied.ended, { code: 1, stdout: '' });
  t.regex((await denied.ended).stderr, /the sign-in failed: access_denied \[sign_in_failed]/);
  const device = command(['--client-id', 'tool', '--grant', 'device_code']);
  t.regex((await device.address) ?? '', /\/realms\/demo\/device\?user_code=/);
  const env = { SECRET: 's3cret:+/%&é', PASSWORD: 'alice', WRONG: 'wr0ng' };
  const raw = command(
    ['--client-id', 'job', '--client-secret:env', 'SECRET', '--grant', 'client_credentials', '--raw'],
    env,
  );
  t.regex((await raw.ended).stdout, /^eyJ[\w-]+\.[\w-]+\.[\w-]+\n$/, (await raw.ended).stderr);
  for (const [words, said] of [
    [
      ['--client-id', 'cli', '--grant', 'password', '--username', 'alice'],
      /the password is missing.*\n.*--password:env/,
    ],
    [['--client-id', 'web', '--grant', 'client_credentials'], /the client secret is missing.*\n.*--client-secret:env/],
    [
      ['--client-id', 'web', '--client-secret:env', 'WRONG', '--grant', 'client_credentials'],
      /no token: unauthorized_.*\[server_refused]/,
    ],
    [['--client-id', 'cli', '--grant', 'implicit'], /--grant: unknown value "implicit"/],
    [['--client-id', 'cli', '--redirect-uri', 'https://app.example.com'], /is not an http address of this machine/],
    [
      ['--client-id', 'job'],
      /the server refuses a sign-in to job \(status 400\).*\n.*add the redirect URI http:\/\/127\.0\.0\.1\/callback; or/,
    ],
    [['--client-id', 'nobody'], /a sign-in to nobody \(status 400\) \[server_refused]\n.*check --client-id/],
    [
      ['--client-id', 'cli', '--grant', 'password', '--username', 'alice', '--password:env', 'WRONG'],
      /no token: .*\[server_refused]/,
    ],
    [
      ['--client-id', 'cli', '--realm', 'demo', '--server', 'http://127.0.0.1:9'],
      /cannot reach http:\/\/127\.0\.0\.1:9 \[server_unreachable]/,
    ],
    [['--grant', 'password'], /--client-id is required/],
    [['--grant-type', 'password'], /unknown option --grant-type \(did you mean "--grant"\?\)/],
    [['--password', 's3cret'], /unknown option --password \(did you mean "--password:env"\?\)/],
    [
      ['--client-id', 'cli', '--realm', 'none'],
      /no issuer \S+\/realms\/none: status 404 \[options_invalid]\n.*correct --realm or --server/,
    ],
    [['--client-id', 'cli', '--server', 'http://id.example.com', '--realm', 'x'], /credentials require https/],
  ] as const) {
    const refused = await command(words, env).ended;
    t.like(refused, { code: 1, stdout: '' }, words.join(' '));
    t.regex(refused.stderr, said);
    t.notRegex(refused.stderr, /wr0ng|s3cret/);
  }
});

test('keyhost token: the examples of the help run in the demo, and without --realm its realms are listed', async (t) => {
  const dir = await folder(t, []);
  for (const file of ['demo.json', 'partner.json'])
    await copyFile(join(ROOT, 'realms', file), join(dir, 'realms', file));
  await copyFile(join(ROOT, 'plugins.json'), join(dir, 'plugins.json'));
  const host = await run(t, dir, ['start-dev']);
  t.truthy(host.url, host.output());
  const places = ['--realms-dir', join(dir, 'realms'), '--data-dir', join(dir, 'data')];
  const env = { PASSWORD: 'alice', SECRET: 'newsletter-backend-secret' };
  for (const example of token.examples) {
    const { address, ended } = begun(t, [...example.split(' ').slice(1), ...places], env);
    const url = await address;
    if (url !== undefined) {
      const browser = new Browser();
      const page = await follow(browser, await browser.open(url));
      await follow(browser, await browser.submit(page, { username: 'alice', password: 'alice' }));
    }
    t.is((await ended).code, 0, (await ended).stderr);
  }
  const { stderr } = await begun(t, ['--client-id', 'cli', ...places]).ended;
  t.regex(stderr, /--realm is required \[options_invalid]\n.*the realms folder has demo, partner$/m);
});
