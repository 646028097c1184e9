import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { Browser, CALLBACK, codeRequest, formAction, signIn } from '../helpers/form-browser.js';
import { claimsOf, startHost, type TestHost } from '../helpers/host.js';
import { ALICE_LOGIN, post, userinfo, WEB, WEB2 } from '../helpers/login.js';
import { ALICE, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const web2 = { redirectUris: ['http://127.0.0.1:9999/two'] };
const realm = testRealm('demo');
const clients = realm.clients?.map((client) => (client.clientId === 'web2' ? { ...client, ...web2 } : client)) ?? [];
const noCode = { clientId: 'no-code', secret: 'no-code-secret', standardFlowEnabled: false, redirectUris: [CALLBACK] };
const host = shareHost(test, { realms: [{ ...realm, clients: [...clients, noCode] }, testRealm('other')] });

const redeem = (
  server: TestHost,
  code: string | null | undefined,
  verifier: string,
  changes: Record<string, string> = {},
) =>
  post(server, 'token', {
    ...WEB,
    grant_type: 'authorization_code',
    code: code ?? '',
    redirect_uri: CALLBACK,
    code_verifier: verifier,
    ...changes,
  });

test('code flow: alice signs in by the form, and the code brings tokens for her, once', async (t) => {
  const { verifier, url } = codeRequest(host());
  const browser = new Browser();
  const back = await signIn(browser, url);
  t.is(back.status, 302);
  const parameters = back.location?.searchParams;
  t.is(`${back.location?.origin}${back.location?.pathname}`, CALLBACK);
  t.deepEqual([parameters?.get('state'), parameters?.get('iss')], ['the-state', host().realm('demo')]);
  const code = parameters?.get('code');
  const tokens = await redeem(host(), code, verifier, { session_state: 'wrong', state: 'wrong', iss: 'wrong' });
  t.is(tokens.status, 200, tokens.text);
  const id = claimsOf(String(tokens.json.id_token)) as Record<string, unknown>;
  t.like(id, { sub: ALICE, aud: 'web', nonce: 'the-nonce', typ: 'ID', sid: parameters?.get('session_state') });
  t.is(typeof id.auth_time, 'number');
  t.is((await userinfo(host(), String(tokens.json.access_token))).status, 200);
  const again = await redeem(host(), code, verifier);
  t.deepEqual([again.status, again.json.error], [400, 'invalid_grant']);
  t.is((await userinfo(host(), String(tokens.json.access_token))).status, 401);
  const refreshed = { ...WEB, grant_type: 'refresh_token', refresh_token: String(tokens.json.refresh_token) };
  t.is((await post(host(), 'token', refreshed)).status, 400);
  const silent = await browser.open(codeRequest(host(), { prompt: 'none' }).url);
  t.truthy(silent.location?.searchParams.get('code'), 'the browser is still logged in');
});

test('code flow: a second client gets a code without a password, and prompt and max_age require it again', async (t) => {
  const browser = new Browser();
  await signIn(browser, codeRequest(host()).url);
  const second = { client_id: 'web2', redirect_uri: 'http://127.0.0.1:9999/two' };
  const request = codeRequest(host(), second);
  const silent = await browser.open(request.url);
  t.is(silent.status, 302);
  const code = silent.location?.searchParams.get('code');
  const tokens = await redeem(host(), code, request.verifier, { ...WEB2, redirect_uri: second.redirect_uri });
  t.is(tokens.status, 200, tokens.text);
  const asked = await browser.open(codeRequest(host(), { prompt: 'login' }).url);
  t.is(asked.status, 200);
  t.regex(asked.text, /id="password"/);
  t.is((await browser.open(codeRequest(host(), { max_age: '0' }).url)).status, 200, 'as prompt=login');
  t.is((await browser.open(codeRequest(host(), { max_age: '10000' }).url)).status, 302);
});

test('code flow: wrong and unknown users see the same page, and may try again on it', async (t) => {
  const browser = new Browser();
  const { url } = codeRequest(host());
  const wrong = await signIn(browser, url, { username: 'alice', password: 'wrong' });
  const unknown = await signIn(new Browser(), url, { username: 'nobody', password: 'wrong' });
  for (const page of [wrong, unknown]) {
    t.is(page.status, 200);
    t.regex(page.text, /Invalid username or password\./);
    t.regex(page.headers.get('cache-control') ?? '', /no-store/);
  }
  const { username, password } = ALICE_LOGIN;
  t.is((await browser.submit(wrong, { username, password })).status, 302);
  const disabled = await signIn(new Browser(), url, { username: 'carol', password: 'Carol-pass-1!' });
  t.regex(disabled.text, /Your account is disabled/);
});

test('code flow: prompt=none answers login_required without a session, which is no failed login', async (t) => {
  const { location } = await new Browser().open(codeRequest(host(), { prompt: 'none' }).url);
  t.deepEqual(
    [location?.searchParams.get('error'), location?.searchParams.get('state')],
    ['login_required', 'the-state'],
  );
  t.is(location?.searchParams.get('code'), null);
  await new Browser().open(codeRequest(host(), { prompt: 'none login' }).url);
  const errors = (await host().stored('demo')).map((event) => event.error);
  t.true(errors.includes('invalid_request'), 'a request that is wrong has its event');
  t.false(errors.includes('login_required'));
});

test('code flow: a code belongs to its client, redirect URI, verifier and realm', async (t) => {
  const attempts: [string, (code: string, verifier: string) => ReturnType<typeof redeem>][] = [
    ['another client', (code, verifier) => redeem(host(), code, verifier, WEB2)],
    ['another address', (code, verifier) => redeem(host(), code, verifier, { redirect_uri: `${CALLBACK}/x` })],
    ['another verifier', (code) => redeem(host(), code, 'x'.repeat(43))],
    ['no verifier', (code) => redeem(host(), code, '')],
    [
      'another realm',
      (code, verifier) =>
        post(
          host(),
          'token',
          { ...WEB, grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier },
          {},
          'other',
        ),
    ],
    ['a changed code', (code, verifier) => redeem(host(), `${code}x`, verifier)],
  ];
  for (const [what, attempt] of attempts) {
    const { verifier, url } = codeRequest(host());
    const back = await signIn(new Browser(), url);
    const answer = await attempt(back.location?.searchParams.get('code') ?? '', verifier);
    t.deepEqual([answer.status, answer.json.error], [400, 'invalid_grant'], what);
  }
});

test('code flow: a client without the standard flow gets no tokens for a code, which stays valid for its owner', async (t) => {
  const { verifier, url } = codeRequest(host());
  const code = (await signIn(new Browser(), url)).location?.searchParams.get('code');
  const refused = await redeem(host(), code, verifier, { client_id: 'no-code', client_secret: 'no-code-secret' });
  t.is(refused.status, 400);
  t.deepEqual(refused.json as object, {
    error: 'invalid_grant',
    error_description: 'Client not allowed to exchange code',
  });
  const event = (await host().stored('demo')).find(({ clientId }) => clientId === 'no-code');
  t.like(event, { type: 'CODE_TO_TOKEN_ERROR', error: 'not_allowed' });
  t.is((await redeem(host(), code, verifier)).status, 200);
});

test('code flow: the response can be in the fragment, or a form that submits itself', async (t) => {
  const fragment = await signIn(new Browser(), codeRequest(host(), { response_mode: 'fragment' }).url);
  t.regex(fragment.location?.hash ?? '', /^#state=the-state&session_state=.+&code=.+&iss=/);
  const posted = await signIn(new Browser(), codeRequest(host(), { response_mode: 'form_post' }).url);
  t.is(posted.status, 200);
  t.regex(posted.text, /action="http:\/\/127\.0\.0\.1:9999\/cb"/);
  t.regex(posted.text, /name="code"/);
});

test('code flow: an unknown login begins again', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-restart-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const start = () =>
    startHost(t, { realms: [testRealm('demo')], argv: ['--data-dir', dir, '--hostname', 'http://id.example.test'] });
  const browser = new Browser();
  const first = await start();
  const page = await browser.open(codeRequest(first).url);
  await first.close();
  const second = await start();
  const action = new URL(formAction(page));
  const again = await browser.open(`${second.url}${action.pathname}${action.search}`, {
    method: 'POST',
    body: new URLSearchParams(ALICE_LOGIN),
  });
  t.is(again.status, 200);
  const moved = new URL(formAction(again));
  const back = await browser.open(`${second.url}${moved.pathname}${moved.search}`, {
    method: 'POST',
    body: new URLSearchParams(ALICE_LOGIN),
  });
  t.is(back.location?.searchParams.get('state'), 'the-state');
});
