import test from 'ava';
import * as jose from 'jose';
import * as client from 'openid-client';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered, clientUuid } from '../helpers/admin.js';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { ALICE, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const ASSERTION_KEY = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);

const shared = shareHost(
  test,
  administered({ realms: [testRealm('demo'), await assertingRealm('asserting'), signingRealm('signing')] }),
);

/** Its clients authenticate by assertions. */
async function assertingRealm(name: string): Promise<RealmRepresentation> {
  const { publicKey } = ASSERTION_KEY;
  const jwk = { ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' };
  const attributes = { 'use.jwks.string': 'true', 'jwks.string': JSON.stringify({ keys: [jwk] }) };
  const clients = [
    {
      clientId: 'hmac',
      clientAuthenticatorType: 'client-secret-jwt',
      secret: 'a-secret-of-at-least-thirty-two-characters',
      serviceAccountsEnabled: true,
    },
    {
      clientId: 'signed',
      clientAuthenticatorType: 'client-jwt',
      secret: 'unused',
      serviceAccountsEnabled: true,
      attributes,
    },
  ];
  return { realm: name, enabled: true, clients };
}

/** Its clients use several signature algorithms. */
function signingRealm(name: string): RealmRepresentation {
  const attributes: Record<string, Record<string, string>> = {
    web: { 'access.token.signed.response.alg': 'ES256', 'id.token.signed.response.alg': 'EdDSA' },
    spa: { 'user.info.response.signature.alg': 'ES384' },
    web2: { 'user.info.response.signature.alg': 'none', 'id.token.signed.response.alg': 'HS256' },
  };
  const realm = testRealm(name, { defaultSignatureAlgorithm: 'PS256' });
  const clients = (realm.clients ?? []).map((one) => ({
    ...one,
    attributes: { ...one.attributes, ...attributes[one.clientId] },
  }));
  return { ...realm, clients };
}

test('discovery: the issuer never comes from request headers', async (t) => {
  const host = shared();
  const url = `${host.realm('demo')}/.well-known/openid-configuration`;
  const plain = await fetchAnswer(url);
  t.is(plain.json.issuer, host.realm('demo'));
  const forged = [
    ['x-forwarded-host', 'evil.test'],
    ['forwarded', 'host=evil.test;proto=https'],
    ['x-forwarded-proto', 'https'],
  ] as const;
  for (const header of forged) {
    const headers = Object.fromEntries([header]);
    t.is((await fetchAnswer(url, { headers })).text, plain.text);
  }
});

test('discovery: it advertises what works here and nothing else', async (t) => {
  const host = shared();
  const { json, headers } = await fetchAnswer(`${host.realm('demo')}/.well-known/openid-configuration`);
  t.is(headers.get('access-control-allow-origin'), '*');
  t.like(json, {
    authorization_endpoint: `${host.oidc('demo')}/auth`,
    end_session_endpoint: `${host.oidc('demo')}/logout`,
    check_session_iframe: `${host.oidc('demo')}/login-status-iframe.html`,
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    response_types_supported: ['code', 'none'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    prompt_values_supported: ['none', 'login', 'consent'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  });
  for (const [name, url] of Object.entries(json).filter(([key]) => /_endpoint$|^jwks_uri$/.test(key))) {
    t.true(String(url).startsWith(host.realm('demo')), name);
    for (const method of ['GET', 'POST'])
      t.notRegex(String((await fetchAnswer(String(url), { method })).status), /^(404|5..)$/, name);
  }
  const etag = headers.get('etag') ?? '';
  t.is(
    (
      await fetchAnswer(`${host.realm('demo')}/.well-known/openid-configuration`, {
        headers: { 'if-none-match': etag },
      })
    ).status,
    304,
  );
  t.deepEqual(json.grant_types_supported, [
    'authorization_code',
    'client_credentials',
    'password',
    'refresh_token',
    'urn:ietf:params:oauth:grant-type:device_code',
    'urn:ietf:params:oauth:grant-type:token-exchange',
  ]);
});

test('discovery: a base path, CORS by the client’s own origins, and preflights', async (t) => {
  const host = await startHost(t, { realms: [testRealm('demo')], argv: ['--http-relative-path', '/auth'] });
  t.regex(host.url, /\/auth$/);
  t.is(
    (await fetchAnswer(host.realm('demo'))).json['token-service'],
    `${host.url}/realms/demo/protocol/openid-connect`,
  );
  t.is((await fetchAnswer(host.realm('demo').replace('/auth', ''))).status, 404);
  const form = { grant_type: 'password', client_id: 'spa', username: 'alice', password: 'Alice-pass-1!' };
  const own = await host.token('demo', form, { origin: 'http://127.0.0.1:9998' });
  t.is(own.headers.get('access-control-allow-origin'), 'http://127.0.0.1:9998');
  t.regex(own.headers.get('vary') ?? '', /Origin/);
  const evil = await host.token('demo', form, { origin: 'https://evil.test' });
  t.is(evil.headers.get('access-control-allow-origin'), null);
  const preflight = (origin: string) =>
    fetchAnswer(`${host.oidc('demo')}/token`, { method: 'OPTIONS', headers: { origin } });
  t.is((await preflight('http://127.0.0.1:9998')).headers.get('access-control-allow-origin'), 'http://127.0.0.1:9998');
  t.is((await preflight('https://evil.test')).headers.get('access-control-allow-origin'), null);
});

test('discovery: openid-client, unpatched, discovers, gets tokens, introspects, reads userinfo and revokes', async (t) => {
  const host = shared();
  const options = { execute: [client.allowInsecureRequests] };
  const secret = 's3cret:+/%&é';
  for (const authentication of [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]) {
    const config = await client.discovery(new URL(host.realm('demo')), 'web', undefined, authentication, options);
    const tokens = await client.genericGrantRequest(config, 'password', {
      username: 'alice',
      password: 'Alice-pass-1!',
      scope: 'openid',
    });
    t.is((await client.fetchUserInfo(config, tokens.access_token, ALICE)).sub, ALICE);
    t.true((await client.tokenIntrospection(config, tokens.access_token)).active);
    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    await client.tokenRevocation(config, renewed.refresh_token ?? '');
    t.false((await client.tokenIntrospection(config, renewed.access_token)).active);
  }
});

test('discovery: client_secret_jwt and private_key_jwt prove a client once per assertion', async (t) => {
  const host = shared();
  const issuer = new URL(host.realm('asserting'));
  const options = { execute: [client.allowInsecureRequests] };
  const hmac = await client.discovery(
    issuer,
    'hmac',
    undefined,
    client.ClientSecretJwt('a-secret-of-at-least-thirty-two-characters'),
    options,
  );
  t.truthy((await client.clientCredentialsGrant(hmac)).access_token);
  const signed = await client.discovery(
    issuer,
    'signed',
    undefined,
    client.PrivateKeyJwt({ key: ASSERTION_KEY.privateKey, kid: 'k1' }),
    options,
  );
  t.truthy((await client.clientCredentialsGrant(signed)).access_token);
  const downgrade = await host.token('asserting', {
    grant_type: 'client_credentials',
    client_id: 'signed',
    client_secret: 'unused',
  });
  t.deepEqual([downgrade.status, downgrade.json.error], [401, 'invalid_client']);
});

test('discovery: a key is in the JWKS before its first token: of the realm, of its clients, and once a client changes', async (t) => {
  const host = shared();
  const certs = async () => {
    const { json, headers } = await fetchAnswer(`${host.oidc('signing')}/certs`);
    const keys = json.keys as unknown as { alg: string; kid: string }[];
    return { keys, algorithms: keys.map(({ alg }) => alg).sort(), etag: headers.get('etag') };
  };
  const first = await certs();
  t.deepEqual(first.algorithms, ['ES256', 'ES384', 'EdDSA', 'PS256', 'RS256', 'RSA-OAEP']);
  const form = { grant_type: 'password', username: 'alice', password: 'Alice-pass-1!', scope: 'openid' };
  const { json } = await host.token('signing', { ...form, client_id: 'web', client_secret: 's3cret:+/%&é' });
  for (const token of [json.access_token, json.id_token]) {
    const { kid } = jose.decodeProtectedHeader(String(token));
    t.true(first.keys.some((key) => key.kid === kid));
  }
  t.is((await certs()).etag, first.etag, 'nothing came with the tokens');
  const admin = await adminCaller(host);
  const change = { attributes: { 'access.token.signed.response.alg': 'ES512' } };
  t.is((await admin('PUT', `/realms/signing/clients/${await clientUuid(host, 'spa', 'signing')}`, change)).status, 204);
  t.deepEqual((await certs()).algorithms, ['ES256', 'ES384', 'ES512', 'EdDSA', 'PS256', 'RS256', 'RSA-OAEP']);
});

test('discovery: every algorithm that discovery names for ID tokens has a key once a client wants it', async (t) => {
  const host = shared();
  const { json } = await fetchAnswer(`${host.realm('master')}/.well-known/openid-configuration`);
  const named = json.id_token_signing_alg_values_supported as unknown as string[];
  const clients = named.map((algorithm) => ({
    clientId: algorithm,
    publicClient: true,
    directAccessGrantsEnabled: true,
    attributes: { 'id.token.signed.response.alg': algorithm },
  }));
  const realm = { realm: 'every', enabled: true, clients, users: [USER] };
  const admin = await adminCaller(host);
  t.is((await admin('POST', '/realms', realm)).status, 201);
  // The first response generates ten keys, which may exceed jose's timeout.
  t.is((await fetchAnswer(`${host.oidc('every')}/certs`)).status, 200);
  const keys = jose.createRemoteJWKSet(new URL(`${host.oidc('every')}/certs`));
  for (const algorithm of named) {
    const form = { grant_type: 'password', client_id: algorithm, username: 'u', password: 'p', scope: 'openid' };
    const { json: tokens } = await host.token('every', form);
    const { protectedHeader } = await jose.jwtVerify(String(tokens.id_token), keys, { issuer: host.realm('every') });
    t.is(protectedHeader.alg, algorithm);
  }
});

const USER = { username: 'u', enabled: true, credentials: [{ type: 'password', value: 'p' }] };
