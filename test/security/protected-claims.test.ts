import test, { type ExecutionContext } from 'ava';
import * as jose from 'jose';
import { codeRealm } from '../helpers/code-realm.js';
import { freshCode, redeem } from '../helpers/codes.js';
import { claimsOf } from '../helpers/host.js';
import { introspect, logIn, serviceToken, userinfo } from '../helpers/login.js';
import { ALICE, DAVE } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const EVERYWHERE = ['access.token.claim', 'id.token.claim', 'userinfo.token.claim', 'introspection.token.claim'];
const FORGED = {
  exp: '4102444800',
  iat: '1',
  nbf: '1',
  jti: 'forged',
  iss: 'https://evil.example',
  typ: 'ID',
  azp: 'evil',
  sid: 'forged',
  scope: 'everything',
  act: 'evil',
  may_act: 'evil',
  cnf: 'evil',
  nonce: 'forged',
  at_hash: 'x',
  c_hash: 'x',
  s_hash: 'x',
  sub: DAVE,
  client_id: 'evil',
  auth_time: '1',
  'sub.x': 'x',
  'iss.x': 'x',
  'aud.x': 'x',
  'act.sub': DAVE,
  __proto__: 'x',
};

const flags = (names: readonly string[]) =>
  Object.fromEntries(EVERYWHERE.map((name) => [name, `${names.includes(name)}`]));

function hardcoded(claim: string, value: string, names: readonly string[] = EVERYWHERE) {
  const config = { 'claim.name': claim, 'claim.value': value, ...flags(names) };
  return {
    name: `forged ${claim} ${value}`,
    protocol: 'openid-connect',
    protocolMapper: 'oidc-hardcoded-claim-mapper',
    config,
  };
}

/** The test realm, whose clients have mappers that set false values wherever possible. */
function lyingRealm(name: string, attributes: Record<string, string> = {}) {
  const realm = codeRealm(name);
  const audience = {
    name: 'audience',
    protocol: 'openid-connect',
    protocolMapper: 'oidc-audience-mapper',
    config: { 'included.client.audience': 'web2', ...flags(['access.token.claim']) },
  };
  const lies = Object.entries(FORGED).map(([claim, value]) => hardcoded(claim, value));
  const protocolMappers = [audience, ...lies, hardcoded('aud', 'evil'), hardcoded('color', 'red')];
  const clients = (realm.clients ?? []).map((client) => {
    const lied = { ...client, protocolMappers };
    return client.clientId === 'web' ? { ...lied, attributes: { ...client.attributes, ...attributes } } : lied;
  });
  return { ...realm, clients };
}

const host = shareHost(test, {
  realms: [
    lyingRealm('demo'),
    lyingRealm('signed', { 'user.info.response.signature.alg': 'RS256' }),
    codeRealm('plain'),
  ],
});

const SAID = [...Object.keys(FORGED), 'aud'].filter((name) => !name.includes('.'));

/** The protocol's claims equal those of a realm without these mappers, except for times and IDs. */
function same(t: ExecutionContext, lied: object, plain: object, where: string) {
  const [a, b] = [lied, plain] as Record<string, unknown>[];
  const ownTimes = ['exp', 'iat', 'jti', 'sid', 'auth_time', 'at_hash', 'iss', 'sub', 'aud'];
  for (const name of SAID) if (!ownTimes.includes(name)) t.is(a?.[name], b?.[name], `${where}: ${name}`);
  t.is(a?.['sub.x'] ?? a?.['iss.x'] ?? a?.['aud.x'], undefined, where);
  t.is(a?.color, 'red', `${where}: other claims are there`);
}

test('T354 · protected claims: mappers set no claims of the protocol in access and ID tokens', async (t) => {
  const [lied, plain] = await Promise.all(
    (['demo', 'plain'] as const).map(async (realm) => {
      const tokens = await logIn(host(), {}, realm);
      return { access: claimsOf(tokens.access_token), id: claimsOf(tokens.id_token) };
    }),
  );
  const issuer = host().realm('demo');
  for (const kind of ['access', 'id'] as const) {
    const claims = (lied?.[kind] ?? {}) as Record<string, unknown>;
    same(t, claims, plain?.[kind] ?? {}, kind);
    t.like(claims, { iss: issuer, sub: ALICE, azp: 'web' } as object);
    t.true(Number(claims.exp) < 4_000_000_000 && Number(claims.iat) > 1, kind);
    t.not(claims.jti, 'forged');
    t.not(claims.sid, 'forged');
  }
  t.deepEqual(
    [...(lied?.access.aud ?? [])].sort(),
    ['account', 'evil', 'web2'] as never[],
    'audiences are added to an access token',
  );
  t.is(lied?.id.aud, 'web', 'an ID token is for its client');
  t.true(Number(lied?.id.auth_time) > 1);
});

test('T354 · protected claims: a code flow’s nonce and hash are its own', async (t) => {
  const { json } = await redeem(host(), await freshCode(host()));
  const id = claimsOf(String(json.id_token));
  t.is(id.nonce, 'the-nonce');
  t.not(id.at_hash, 'x');
});

test('T354 · protected claims: nor in userinfo, plain or signed', async (t) => {
  const { access_token: token } = await logIn(host());
  const { json } = await userinfo(host(), token);
  t.is(json.sub, ALICE);
  t.is(json.color, 'red');
  for (const name of SAID) if (name !== 'sub') t.false(name in json, name);
  const { access_token: other } = await logIn(host(), {}, 'signed');
  const answer = await userinfo(host(), other, 'signed');
  const claims = jose.decodeJwt(answer.text);
  t.like(claims, { iss: host().realm('signed'), aud: 'web', sub: `${ALICE}-signed`, color: 'red' });
  for (const name of SAID) if (!['iss', 'aud', 'sub'].includes(name)) t.false(name in claims, name);
});

test('T354 · protected claims: nor in introspection, and a client is itself in its own token', async (t) => {
  const { access_token: token } = await logIn(host());
  const { json } = await introspect(host(), token);
  t.like(json, { sub: ALICE, azp: 'web', client_id: 'web', iss: host().realm('demo'), color: 'red' } as object);
  const service = claimsOf(await serviceToken(host()));
  t.like(service, { azp: 'svc', color: 'red' } as object);
  t.not(service.client_id, 'evil');
  t.not(service.sub, DAVE);
});
