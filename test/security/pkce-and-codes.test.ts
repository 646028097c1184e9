import test from 'ava';
import { codeRealm, TWO } from '../helpers/code-realm.js';
import { freshCode, redeem } from '../helpers/codes.js';
import { Browser, CALLBACK, codeRequest, signIn } from '../helpers/form-browser.js';
import { claimsOf, startHost, TestClock } from '../helpers/host.js';
import { logIn, post, userinfo, WEB, WEB2 } from '../helpers/login.js';
import { shareHost } from '../helpers/shared-host.js';

const host = shareHost(test, { realms: [codeRealm('demo'), codeRealm('other')] });

test('T050 · PKCE and codes: a public client cannot leave the challenge out', async (t) => {
  const spa = { client_id: 'spa', redirect_uri: 'http://127.0.0.1:9998/' };
  for (const missing of ['code_challenge', 'code_challenge_method'] as const) {
    const { location } = await new Browser().open(codeRequest(host(), { ...spa, [missing]: undefined }).url);
    t.is(location?.searchParams.get('error'), 'invalid_request', missing);
  }
  const neither = { code_challenge: undefined, code_challenge_method: undefined };
  const { location } = await new Browser().open(codeRequest(host(), { ...spa, ...neither }).url);
  t.is(location?.searchParams.get('error'), 'invalid_request');
});

test('T051 T054 · PKCE and codes: the challenge is S256 and has the shape of one', async (t) => {
  const challenges = ['x'.repeat(42), 'x'.repeat(44), 'x'.repeat(200), `${'x'.repeat(42)}=`, `${'x'.repeat(42)}+`, '!'];
  const refused: Record<string, string | undefined>[] = [
    ...['plain', 'S512', 's256', 'S256 plain'].map((method) => ({ code_challenge_method: method })),
    { code_challenge_method: undefined },
    ...challenges.map((challenge) => ({ code_challenge: challenge })),
  ];
  for (const client of [{}, { client_id: 'one' }]) {
    for (const changes of refused) {
      const { location } = await new Browser().open(codeRequest(host(), { ...client, ...changes }).url);
      t.is(location?.searchParams.get('error'), 'invalid_request', JSON.stringify(changes));
      t.is(location?.searchParams.get('code'), null);
    }
  }
});

test('T052 T055 · PKCE and codes: a code is for the verifier of its challenge, and is burnt by any other', async (t) => {
  for (const client of [{}, { client_id: 'one' }] as Record<string, string>[]) {
    const as = 'client_id' in client ? { ...client, client_secret: undefined } : {};
    t.is((await redeem(host(), await freshCode(host(), client), as)).status, 200, 'the right one');
    const others = [
      'x'.repeat(43),
      undefined,
      '',
      'x'.repeat(42),
      'x'.repeat(129),
      `${'x'.repeat(42)}!`,
      '日'.repeat(43),
    ];
    for (const code_verifier of others) {
      const fresh = await freshCode(host(), client);
      const wrong = await redeem(host(), fresh, { ...as, code_verifier });
      t.is(wrong.status, 400, `${code_verifier} ${wrong.text}`);
      t.regex(String(wrong.json.error), /^invalid_(grant|request)$/);
      t.is((await redeem(host(), fresh, as)).status, 400, 'burnt');
    }
    const fresh = await freshCode(host(), client);
    const { searchParams } = new URL(codeRequest(host()).url);
    const challenge = searchParams.get('code_challenge') ?? '';
    t.is(
      (await redeem(host(), fresh, { ...as, code_verifier: challenge })).status,
      400,
      'the challenge is no verifier',
    );
  }
  const bare = await freshCode(host(), { code_challenge: '', code_challenge_method: '' });
  t.is((await redeem(host(), bare)).status, 400, 'a verifier where the challenge was stripped');
});

test('T058 · PKCE and codes: a code belongs to client, address and realm, and is burnt by another', async (t) => {
  const attempts: [Record<string, string | undefined>, string?][] = [
    [WEB2],
    [{ ...WEB2, redirect_uri: TWO }],
    [{ client_id: 'one', client_secret: undefined }],
    [{ redirect_uri: `${CALLBACK}2?x=1` }],
    [{ redirect_uri: `${CALLBACK}/` }],
    [{ redirect_uri: undefined }],
    [{ redirect_uri: '' }],
    [{}, 'other'],
  ];
  for (const [changes, realm] of attempts) {
    const fresh = await freshCode(host());
    const { status, json } = await redeem(host(), fresh, changes, realm);
    t.deepEqual([status, json.error], [400, 'invalid_grant'], JSON.stringify(changes));
    t.is(
      (await redeem(host(), fresh)).status,
      realm === undefined ? 400 : 200,
      'another realm does not know it at all',
    );
  }
  const { code, verifier, session } = await freshCode(host());
  for (const changed of [
    `${code}x`,
    code.toUpperCase(),
    code.split('.')[0],
    `x.${session}.x`,
    '',
    ' ',
    '.',
    '..',
    'x'.repeat(9000),
  ]) {
    const { status, json } = await redeem(host(), { code: changed ?? '', verifier, session });
    t.is(status, 400);
    t.regex(String(json.error), /^invalid_(grant|request)$/);
  }
});

test('T059 · PKCE and codes: a code is worth nothing when its session has ended, or its user is disabled', async (t) => {
  const fresh = await freshCode(host());
  t.true(await host().store.sessions.end({ realm: 'demo', id: fresh.session, offline: false }));
  const { status, json } = await redeem(host(), fresh);
  t.deepEqual([status, json.error], [400, 'invalid_grant']);
  t.is(json.access_token, undefined);
});

test('T060 · PKCE and codes: a code is good for its lifespan only', async (t) => {
  const clock = new TestClock();
  const own = await startHost(t, { realms: [codeRealm('demo', { accessCodeLifespan: 30 })], clock });
  const late = await freshCode(own);
  const timely = await freshCode(own);
  clock.forward(29);
  t.is((await redeem(own, timely)).status, 200);
  clock.forward(2);
  const { status, json } = await redeem(own, late);
  t.deepEqual([status, json.error], [400, 'invalid_grant']);
});

test('T060 · PKCE and codes: two hundred codes of one session have nothing in common that is secret', async (t) => {
  const browser = new Browser();
  const codes = new Set<string>();
  for (let i = 0; i < 200; i++) codes.add((await freshCode(host(), {}, browser)).code);
  t.is(codes.size, 200);
  const secrets = [...codes].map((code) => code.split('.')[0] ?? '');
  for (const start of [0, 8, 14]) t.is(new Set(secrets.map((secret) => secret.slice(start, start + 8))).size, 200);
  for (const secret of secrets) t.regex(secret, /^[\w-]{22,}$/);
  t.true(new Set(secrets.join('')).size > 60, 'all characters of base64url');
});

test('T127 · PKCE and codes: a code is no refresh token, and no token is a code', async (t) => {
  const tokens = await logIn(host());
  const fresh = await freshCode(host());
  const refused = [
    { ...WEB, grant_type: 'refresh_token', refresh_token: fresh.code },
    ...[tokens.refresh_token, tokens.access_token, tokens.id_token].map((code) => ({
      ...WEB,
      grant_type: 'authorization_code',
      redirect_uri: CALLBACK,
      code_verifier: fresh.verifier,
      code,
    })),
  ];
  for (const form of refused) {
    const { status, json } = await post(host(), 'token', form);
    t.deepEqual([status, json.error], [400, 'invalid_grant']);
  }
  t.is((await userinfo(host(), fresh.code)).status, 401);
  t.is((await redeem(host(), fresh)).status, 200, 'it is still good');
  const login = (await signIn(new Browser(), codeRequest(host()).url)).location?.searchParams.get('code') ?? '';
  t.throws(() => claimsOf(login), undefined, 'it says nothing about the user');
});
