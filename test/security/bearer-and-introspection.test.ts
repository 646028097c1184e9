import test from 'ava';
import { fetchAnswer, TestClock } from '../helpers/host.js';
import { bearer, introspect, issueKey, logIn, post, serviceToken, userinfo, WEB } from '../helpers/login.js';
import { rawGet, rawStatus } from '../helpers/raw.js';
import { ALICE, guardedRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const INACTIVE = '{"active":false}';
const clock = new TestClock();
const bob = { username: 'bob', enabled: true, credentials: [{ type: 'password', value: 'Bob-pass-22!' }] };
const busy = {
  ...bob,
  username: 'busy',
  requiredActions: ['UPDATE_PASSWORD'],
};
const demo = guardedRealm('demo');
const host = shareHost(test, {
  realms: [{ ...demo, users: [...(demo.users ?? []), bob, busy] }, guardedRealm('other')],
  clock,
});

test.serial(
  'T080 T081 T082 T083 · bearer tokens: userinfo takes a token by header or body, not by address, and not twice',
  async (t) => {
    const { access_token: token } = await logIn(host());
    const url = `${host().oidc('demo')}/userinfo`;
    t.is((await userinfo(host(), token)).status, 200);
    t.is((await fetchAnswer(url, { method: 'POST', headers: bearer(token) })).status, 200);
    t.is((await post(host(), 'userinfo', { access_token: token })).status, 200);
    const none = await fetchAnswer(url);
    t.deepEqual([none.status, none.headers.get('www-authenticate')], [401, 'Bearer realm="demo"']);
    for (const method of ['GET', 'POST']) {
      const answer = await fetchAnswer(`${url}?access_token=${token}`, { method });
      t.is(answer.status, 401);
      t.false(answer.text.includes(ALICE));
    }
    t.is((await post(host(), 'userinfo', { access_token: token }, bearer(token))).status, 400);
    t.is(
      (
        await post(host(), 'userinfo', [
          ['access_token', token],
          ['access_token', token],
        ])
      ).status,
      400,
    );
  },
);

test.serial(
  'T084 · bearer tokens: a malformed Authorization header is refused, and the scheme’s case does not matter',
  async (t) => {
    const { access_token: token } = await logIn(host());
    const url = `${host().oidc('demo')}/userinfo`;
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      t.is((await fetchAnswer(url, { headers: { authorization: `${scheme} ${token}` } })).status, 200, scheme);
    const odd = [
      'Bearer',
      'Bearer ',
      `Bearer ${token} x`,
      `Bearer x ${token}`,
      `Bearer, ${token}`,
      'Basic d2ViOng=',
      token,
    ];
    for (const value of odd) {
      const answer = await fetchAnswer(url, { headers: { authorization: value } });
      t.true([400, 401].includes(answer.status), value.slice(0, 12));
    }
    const path = new URL(url).pathname;
    t.is(rawStatus(await rawGet(host().url, path, `Authorization: Bearer ${'x'.repeat(100_000)}`)), 431);
    const twice = await rawGet(host().url, path, `Authorization: Bearer ${token}`, 'Authorization: Bearer x');
    t.true([200, 400, 401].includes(rawStatus(twice)));
  },
);

test.serial('T085 · bearer tokens: an expired token is refused with the reason in WWW-Authenticate', async (t) => {
  const { access_token: token } = await logIn(host());
  clock.forward(299);
  t.is((await userinfo(host(), token)).status, 200);
  clock.forward(1);
  const answer = await userinfo(host(), token);
  t.is(answer.status, 401);
  t.regex(answer.headers.get('www-authenticate') ?? '', /error="invalid_token", error_description="[^"]+"/);
});

test.serial('T086 · bearer tokens: a service account’s token without openid is 403 at userinfo', async (t) => {
  const answer = await userinfo(host(), await serviceToken(host()));
  t.is(answer.status, 403);
  t.regex(answer.headers.get('www-authenticate') ?? '', /insufficient_scope/);
});

test.serial('T088 · bearer tokens: introspection gives the same answer to every invalid access token', async (t) => {
  const tokens = await logIn(host());
  const expired = (await logIn(host())).access_token;
  const [head = '', payload = ''] = tokens.access_token.split('.');
  const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
  const rubbish: Record<string, string> = {
    empty: '',
    'a letter': 'x',
    'of another realm': (await logIn(host(), {}, 'other')).access_token,
    'an ID token': tokens.id_token,
    'an action token': await issueKey(host()),
    'alg none': `${none}.${payload}.`,
    'no signature': `${head}.${payload}.`,
    'two parts': `${head}.${payload}`,
    'with blanks': `${tokens.access_token} ${tokens.access_token}`,
  };
  for (const [what, token] of Object.entries(rubbish)) {
    for (const token_type_hint of ['access_token', 'refresh_token']) {
      const answer = await introspect(host(), token, { token_type_hint });
      t.deepEqual([answer.status, answer.text], [200, INACTIVE], `${what} as ${token_type_hint}`);
    }
  }
  clock.forward(301);
  t.is((await introspect(host(), expired)).text, INACTIVE);
});

test.serial(
  'T105 · bearer tokens: a disabled user’s tokens are worth nothing, and no login brings new ones',
  async (t) => {
    const login = { ...WEB, grant_type: 'password', username: 'bob', password: 'Bob-pass-22!', scope: 'openid' };
    const tokens = await logIn(host(), login);
    const realm = await host().realms.get('demo');
    const user = realm && (await host().users.byUsername(realm, 'bob'));
    if (!realm || !user) return t.fail('no bob');
    t.true(await host().users.update(realm, user, { ...user.representation, enabled: false }));
    const refresh = { ...WEB, grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    t.deepEqual((await host().token('demo', refresh)).json.error, 'invalid_grant');
    t.is((await userinfo(host(), tokens.access_token)).status, 401);
    for (const hint of ['access_token', 'refresh_token']) {
      const token = hint === 'access_token' ? tokens.access_token : tokens.refresh_token;
      t.is((await introspect(host(), token, { token_type_hint: hint })).text, INACTIVE, hint);
    }
    const again = await host().token('demo', login);
    t.deepEqual([again.status, again.json.error], [400, 'invalid_grant']);
    const wrong = await host().token('demo', { ...login, password: 'wrong' });
    const nobody = await host().token('demo', { ...login, username: 'nobody', password: 'wrong' });
    t.is(wrong.text, nobody.text, 'who does not know the password does not learn that the account is disabled');
  },
);

test.serial('T164 · bearer tokens: a user with something left to do gets no token by password', async (t) => {
  const form = { ...WEB, grant_type: 'password', username: 'busy', password: 'Bob-pass-22!' };
  const answer = await host().token('demo', form);
  t.deepEqual([answer.status, answer.json.error], [400, 'invalid_grant']);
  t.falsy(answer.json.access_token);
});
