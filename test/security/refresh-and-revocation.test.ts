import test from 'ava';
import { claimsOf, fetchAnswer, TestClock } from '../helpers/host.js';
import { follow, introspect, issueKey, logIn, post, userinfo, WEB, WEB2 } from '../helpers/login.js';
import { ALICE, guardedRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const clock = new TestClock();
const short = guardedRealm(
  'short',
  {},
  { ssoSessionIdleTimeout: 20, ssoSessionMaxLifespan: 50, accessTokenLifespan: 5 },
);
const host = shareHost(test, { realms: [guardedRealm('demo'), guardedRealm('other'), short], clock });

const refresh = (token: string, client: Record<string, string> = WEB, realm = 'demo') =>
  host().token(realm, { ...client, grant_type: 'refresh_token', refresh_token: token });

test.serial('T100 · refresh and revocation: a refresh brings three new tokens for the same subject', async (t) => {
  const first = await logIn(host());
  const answer = await refresh(first.refresh_token);
  t.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'no-store']);
  const second = answer.json as unknown as typeof first;
  for (const name of ['access_token', 'refresh_token', 'id_token'] as const) {
    t.not(second[name], first[name], name);
    t.is(claimsOf(second[name]).sub, ALICE, name);
  }
  t.is(claimsOf(second.id_token).auth_time, claimsOf(first.id_token).auth_time);
  t.is((await userinfo(host(), second.access_token)).status, 200);
});

test.serial(
  'T101 · refresh and revocation: a refresh token is worth nothing to another client or realm, and stays good for its own',
  async (t) => {
    const { refresh_token: token } = await logIn(host());
    for (const [client, realm] of [
      [WEB2, 'demo'],
      [{ client_id: 'spa' }, 'demo'],
      [WEB, 'other'],
    ] as const) {
      const answer = await refresh(token, client, realm);
      t.deepEqual([answer.status, answer.json.error], [400, 'invalid_grant'], `${client.client_id} ${realm}`);
      t.falsy(answer.json.access_token);
    }
    t.is((await refresh(token)).status, 200);
  },
);

test.serial(
  'T104 · refresh and revocation: of twenty that use one refresh token at once, at most one has a login afterwards',
  async (t) => {
    const { refresh_token: token } = await logIn(host());
    const race = await Promise.all(Array.from({ length: 20 }, () => refresh(token)));
    const won = race.filter(({ status }) => status === 200);
    t.true(won.length <= 1);
    t.is(race.filter(({ status, json }) => status === 400 && json.error === 'invalid_grant').length, 20 - won.length);
    t.is((await refresh(token)).status, 400);
  },
);

test.serial(
  'T107 · refresh and revocation: an access token does not refresh, and a refresh token opens nothing as a bearer',
  async (t) => {
    const tokens = await logIn(host());
    for (const token of [tokens.access_token, tokens.id_token]) {
      const answer = await refresh(token);
      t.deepEqual([answer.status, answer.json.error], [400, 'invalid_grant']);
    }
    const answer = await userinfo(host(), tokens.refresh_token);
    t.is(answer.status, 401);
    t.regex(answer.headers.get('www-authenticate') ?? '', /error="invalid_token"/);
    t.is((await userinfo(host(), tokens.access_token)).status, 200, 'and neither attempt ended the login');
    t.is((await refresh(tokens.refresh_token)).status, 200);
  },
);

test.serial(
  'T108 · refresh and revocation: revoking a refresh token twice, or an invalid one, is 200, and its access token is invalid too',
  async (t) => {
    const tokens = await logIn(host());
    for (const token of [tokens.refresh_token, tokens.refresh_token, 'rubbish', `${tokens.refresh_token}x`])
      t.is((await post(host(), 'revoke', { ...WEB, token })).status, 200);
    t.is((await introspect(host(), tokens.access_token)).text, '{"active":false}');
    t.is((await refresh(tokens.refresh_token)).status, 400);
    t.is((await post(host(), 'revoke', { token: tokens.refresh_token })).status, 401);
    t.is((await post(host(), 'revoke', WEB)).status, 400);
    t.is((await fetchAnswer(`${host().oidc('demo')}/revoke?token=x`)).status, 405);
  },
);

test.serial('T109 · refresh and revocation: a client cannot revoke another client’s tokens', async (t) => {
  const tokens = await logIn(host());
  for (const client of [WEB2, { client_id: 'spa' }]) {
    for (const token of [tokens.refresh_token, tokens.access_token])
      t.true([200, 400].includes((await post(host(), 'revoke', { ...client, token })).status));
  }
  t.is((await userinfo(host(), tokens.access_token)).status, 200);
  t.is((await refresh(tokens.refresh_token)).status, 200);
});

test.serial(
  'T290 · refresh and revocation: a login ends when it is idle, and refreshing does not carry it over its maximum',
  async (t) => {
    const start = await logIn(host(), {}, 'short');
    clock.forward(21);
    const idle = await refresh(start.refresh_token, WEB, 'short');
    t.deepEqual([idle.status, idle.json.error], [400, 'invalid_grant']);
    let { refresh_token: token, access_token: access } = await logIn(host(), {}, 'short');
    for (let seconds = 0; seconds < 45; seconds += 15) {
      clock.forward(15);
      const answer = await refresh(token, WEB, 'short');
      t.is(answer.status, 200, `after ${seconds + 15} s`);
      token = answer.json.refresh_token ?? '';
      access = answer.json.access_token ?? '';
      t.true(Number(answer.json.refresh_expires_in) <= 50 - seconds - 15);
    }
    clock.forward(6);
    t.is((await refresh(token, WEB, 'short')).json.error, 'invalid_grant');
    const { text } = await post(host(), 'token/introspect', { ...WEB, token: access }, {}, 'short');
    t.is(text, '{"active":false}');
  },
);

test.serial(
  'T236 · refresh and revocation: a clock that jumps an hour back or forth expires what has expired and breaks nothing',
  async (t) => {
    const tokens = await logIn(host());
    const key = await issueKey(host());
    clock.forward(-3600);
    const early = [
      await refresh(tokens.refresh_token),
      await userinfo(host(), tokens.access_token),
      await follow(host(), key),
    ];
    for (const { status } of early) t.true(status < 500);
    const fresh = await logIn(host());
    const { json } = await refresh(fresh.refresh_token);
    for (const member of ['expires_in', 'refresh_expires_in']) t.true(Number(json[member]) > 0, member);
    clock.forward(7200);
    t.is((await userinfo(host(), tokens.access_token)).status, 401);
    t.is((await userinfo(host(), json.access_token ?? '')).status, 401);
    t.is((await follow(host(), key)).status, 400);
    t.is((await refresh(json.refresh_token ?? '')).json.error, 'invalid_grant');
    t.is((await userinfo(host(), (await logIn(host())).access_token)).status, 200);
  },
);
