import test from 'ava';
import { claimsOf } from '../helpers/host.js';
import { ALICE_LOGIN, introspect, WEB } from '../helpers/login.js';
import { ALICE, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const EVERYWHERE = ['access', 'id', 'userinfo', 'introspection'].map((place) => [`${place}.token.claim`, 'true']);

const hardcoded = (claim: string, more: Record<string, string> = {}) => ({
  name: `evil ${claim}`,
  protocol: 'openid-connect',
  protocolMapper: 'oidc-hardcoded-claim-mapper',
  config: { 'claim.name': claim, 'claim.value': 'evil', ...Object.fromEntries(EVERYWHERE), ...more },
});

/** Names that reach a claim of the protocol, or a member of the response, by a backslash or a dot. */
const SPELLED = [
  'is\\s',
  'iss.',
  'au\\d',
  '\\sub',
  'e\\xp.',
  'az\\p',
  's\\cope',
  'cnf.jkt',
  'ac\\t.sub',
  '__proto\\__',
  'a.__proto__.b',
];
const ANSWER = [
  'access_token',
  'token\\_type',
  'id_token.',
  'refresh_token',
  'expires_in',
  'scope',
  'error',
  'session_state',
];
const KEPT_BACK = { 'introspection.token.claim': 'false' };

const realm = testRealm('demo');
const protocolMappers = [
  ...SPELLED.map((name) => hardcoded(name)),
  ...ANSWER.map((name) => ({ ...hardcoded(name, { 'access.tokenResponse.claim': 'true' }), name: `answer ${name}` })),
  { ...hardcoded('salary', KEPT_BACK), name: 'kept back' },
  { ...hardcoded('team.salary', KEPT_BACK), name: 'kept back, too' },
  { ...hardcoded('team.name'), name: 'told' },
];
const clients = realm.clients?.map((client) => (client.clientId === 'web' ? { ...client, protocolMappers } : client));
const host = shareHost(test, { realms: [{ ...realm, clients: clients ?? [] }] });

const logIn = () => host().token('demo', { ...WEB, ...ALICE_LOGIN, scope: 'openid' });

test('T560 · claim names: no mapper sets a claim of the protocol, whatever its spelling', async (t) => {
  const { json } = await logIn();
  for (const token of [json.access_token, json.id_token]) {
    const claims = claimsOf(token ?? '') as Record<string, unknown>;
    t.like(claims, { iss: host().realm('demo'), azp: 'web', sub: ALICE });
    for (const name of ['cnf', 'act', 'a', '__proto__']) t.false(Object.hasOwn(claims, name), name);
  }
  t.is((claimsOf(String(json.id_token)) as { aud?: unknown }).aud, 'web');
  t.is(({} as { evil?: unknown }).evil, undefined);
});

test('T561 · claim names: mappers add to the token response, and replace nothing of it', async (t) => {
  const { status, json } = await logIn();
  t.is(status, 200);
  t.is(json.token_type, 'Bearer');
  t.true(Number(json.expires_in) > 0);
  t.deepEqual(
    Object.entries(json).filter(([name, value]) => value === 'evil' && ANSWER.includes(name)),
    [],
  );
  t.is(json.salary, undefined);
});

test('T562 · claim names: introspection omits what a mapper excludes', async (t) => {
  const { json } = await logIn();
  const token = String(json.access_token);
  t.is((claimsOf(token) as { salary?: unknown }).salary, 'evil');
  const told = (await introspect(host(), token)).json as Record<string, unknown>;
  t.deepEqual([told.active, told.sub, told.salary, told.team], [true, ALICE, undefined, { name: 'evil' }]);
});
