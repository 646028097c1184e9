import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { fetchAnswer } from '../helpers/host.js';
import { ALICE_LOGIN, follow, issueKey, logIn, post, press, userinfo, WEB } from '../helpers/login.js';
import { enabledResources, providersFolder, resourcePlugin } from '../helpers/plugins.js';
import { folder, remote, run } from '../helpers/process.js';
import { guardedRealm, testRealm } from '../helpers/realms.js';

test('T154 T294 · secrets: no log, no event and no address shows a secret, at any log level', async (t) => {
  const dir = await folder(t, [guardedRealm('demo', { confirm: true })]);
  const child = await run(t, dir, ['start-dev', '--log-level', 'trace'], {
    KEYHOST_MASTER_KEY: 'the master key of this test',
  });
  const host = remote(child);
  const tokens = await logIn(host);
  const key = await issueKey(host);
  const refresh = () =>
    host.token('demo', { ...WEB, grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
  const answers = [
    await follow(host, key, { accept: 'text/html', cookie: 'SESSION=cookie-value-of-a-browser' }),
    await press(host, key),
    await refresh(),
    await refresh(),
    await userinfo(host, tokens.access_token),
    await host.token('demo', { ...WEB, ...ALICE_LOGIN, password: 'Not-her-pass-9!' }),
    await host.token('demo', { ...WEB, client_secret: 'not-the-secret-9', grant_type: 'client_credentials' }),
    await follow(host, `${key}x`),
    await follow(host, key.replace('.', '.x')),
    await post(host, 'token/introspect', { ...WEB, token: tokens.access_token }),
    await fetchAnswer(`${host.realm('demo')}/xyz?key=${key}&code=a-code-that-is-secret&password=Alice-pass-1!`),
  ];
  for (const { headers } of answers) {
    t.is(headers.get('location'), null);
    t.is(headers.get('referrer-policy'), 'no-referrer');
  }
  child.child.kill('SIGTERM');
  t.is(await child.ended, 0);
  const secrets = [
    ...[tokens.access_token, tokens.refresh_token, tokens.id_token, key].flatMap((token) => token.split('.').slice(1)),
    'Alice-pass-1!',
    'Not-her-pass-9!',
    's3cret',
    'not-the-secret-9',
    'nl-secret',
    'a-code-that-is-secret',
    'cookie-value-of-a-browser',
    'the master key of this test',
    ...(answers[1]?.text.match(/eyJ[\w.-]+/g) ?? []),
  ];
  t.true(secrets.length > 15);
  t.regex(child.output(), /event LOGIN/, 'the log was on');
  const data = join(dir, 'data');
  const files = await Promise.all((await readdir(data)).map((name) => readFile(join(data, name), 'latin1')));
  const events = files.join('').match(/\{"id":"[0-9a-f-]{36}","time":\d+.*?"details":\{.*?\}\}/gs) ?? [];
  t.true(events.length > 5, 'events were stored');
  for (const secret of secrets) {
    t.false(child.output().includes(secret), `the log shows ${secret}`);
    t.false(
      events.some((event) => event.includes(secret)),
      `an event shows ${secret}`,
    );
  }
});

test('T294 · secrets: a token that a plugin writes to the log, or fails with, is masked there', async (t) => {
  const dir = await folder(t, [testRealm('demo', { providers: enabledResources(['teller']) })]);
  const body = `
    const token = request.query.token[0];
    session.logger.info('the link is /action-token?key=' + token, { token, nested: { list: ['Bearer ' + token], a: { b: { c: { d: { e: { token, text: token } } } } }, password: 'pass-of-alice' } });
    session.logger.warn('client_secret=secret-of-nl&device_code=code-of-a-tv and Basic dXNlcjpzZWNyZXQ=', { userCode: 'code-of-a-tv' });
    throw new Error('no answer to code=code-of-alice and ' + token);`;
  const providers = await providersFolder(t, { teller: resourcePlugin('teller', body) });
  await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins: [{ module: 'teller' }] }));
  const child = await run(t, dir, ['start-dev', '--log-level', 'debug', '--providers-dir', providers]);
  const host = remote(child);
  const { access_token: token } = await logIn(host);
  const answer = await fetchAnswer(`${host.realm('demo')}/teller?token=${token}`);
  t.deepEqual([answer.status, answer.json.error], [500, 'unknown_error']);
  const inPath = await fetchAnswer(`${host.realm('demo')}/teller/${token}/${token}`);
  t.is(inPath.status, 404);
  child.child.kill('SIGTERM');
  t.is(await child.ended, 0);
  for (const told of ['the link is', 'client_secret=***', 'no answer to code=***', 'request failed'])
    t.true(child.output().includes(told), told);
  const secrets = [
    ...token.split('.').slice(1),
    'pass-of-alice',
    'secret-of-nl',
    'dXNlcjpzZWNyZXQ',
    'code-of-alice',
    'code-of-a-tv',
  ];
  for (const secret of secrets) t.false(child.output().includes(secret), secret);
});
