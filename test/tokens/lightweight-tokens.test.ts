import test from 'ava';
import { claimsOf, fetchAnswer } from '../helpers/host.js';
import { bearer, generate, introspect, logIn, NL, SVC, serviceToken, userinfo, WEB } from '../helpers/login.js';
import { guardedRealm, idIn } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

/** The test realm, whose clients have lightweight access tokens. */
function lightweight(name: string, more: Record<string, string> = {}) {
  const realm = guardedRealm(name);
  const on = { 'client.use.lightweight.access.token.enabled': 'true', ...more };
  const clients = realm.clients?.map((client) => ({ ...client, attributes: { ...client.attributes, ...on } }));
  return { ...realm, clients: clients ?? [] };
}

const host = shareHost(test, {
  realms: [
    guardedRealm('plain'),
    lightweight('demo'),
    lightweight('open', { 'allow.userinfo.with.lightweight.access.token': 'true' }),
  ],
});
const OFFLINE = { scope: 'openid offline_access' };

test('lightweight tokens: one names neither user nor roles, offline or not, and introspection has them', async (t) => {
  for (const changes of [{}, OFFLINE]) {
    const { access_token: token, id_token: id, refresh_token: refresh } = await logIn(host(), changes);
    const refreshed = await host().token('demo', { ...WEB, grant_type: 'refresh_token', refresh_token: refresh });
    for (const one of [token, String(refreshed.json.access_token)]) {
      const said = Object.keys(claimsOf(one)).sort();
      t.deepEqual(said, ['azp', 'exp', 'iat', 'iss', 'jti', 'scope', 'sid', 'typ']);
      const told = (await introspect(host(), one)).json as Record<string, unknown>;
      t.like(told, { active: true, sub: (claimsOf(id) as { sub?: string }).sub, preferred_username: 'alice' });
      t.truthy(told.realm_access);
    }
  }
});

test('lightweight tokens: one gives access to userinfo if its client may, and to nothing else', async (t) => {
  const { access_token: token } = await logIn(host());
  const refused = await userinfo(host(), token);
  t.is(refused.status, 401);
  t.regex(refused.headers.get('www-authenticate') ?? '', /Lightweight access token not allowed/);
  const { access_token: open } = await logIn(host(), {}, 'open');
  t.is((await userinfo(host(), open, 'open')).json.preferred_username, 'alice');
});

test('lightweight tokens: a lightweight token has the rights of its user, and at plugins the roles that it could show', async (t) => {
  const users = async (changes = {}) => {
    const { access_token: token } = await logIn(host(), changes);
    t.deepEqual(Object.hasOwn(claimsOf(token), 'resource_access'), false);
    return (await fetchAnswer(`${host().url}/admin/realms/demo/users`, { headers: bearer(token) })).status;
  };
  t.is(await users({ username: 'dave', password: 'Dave-pass-1!' }), 200);
  t.is(await users(), 403);
  const statuses = async (realm: string) => {
    const tokens = [
      await serviceToken(host(), NL, realm),
      await serviceToken(host(), SVC, realm),
      (await logIn(host(), {}, realm)).access_token,
    ];
    const of = { userId: idIn(realm), applicationId: '42' };
    const answers = await Promise.all(tokens.map((token) => generate(host(), of, bearer(token), realm)));
    return answers.map(({ status }) => status);
  };
  const plain = await statuses('plain');
  t.is(new Set(plain).size, 2, 'some may, and some may not');
  t.deepEqual(await statuses('demo'), plain);
});
