import { generateKeyPairSync, randomUUID } from 'node:crypto';
import test from 'ava';
import * as jose from 'jose';
import { onePolicy } from '../helpers/client-policies.js';
import { post } from '../helpers/login.js';
import { guardedRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = { ...pair.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES256', use: 'sig' };
const realm = guardedRealm('demo');
const signed = {
  clientId: 'signed',
  clientAuthenticatorType: 'client-jwt',
  serviceAccountsEnabled: true,
  directAccessGrantsEnabled: true,
  redirectUris: ['https://signed.example/cb'],
  attributes: {
    'use.jwks.string': 'true',
    'jwks.string': JSON.stringify({ keys: [jwk] }),
    'oauth2.device.authorization.grant.enabled': 'true',
  },
};
const host = shareHost(test, {
  realms: [
    {
      ...realm,
      clients: [...(realm.clients ?? []), signed],
      ...onePolicy([['secure-client-authentication-assertion']]),
    },
  ],
});

const REQUEST = {
  response_type: 'code',
  redirect_uri: 'https://signed.example/cb',
  scope: 'openid',
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256',
};
const DOORS: readonly (readonly [path: string, form: Record<string, string>])[] = [
  ['token', { grant_type: 'client_credentials' }],
  ['token', { grant_type: 'password', username: 'alice', password: 'Alice-pass-1!' }],
  ['revoke', { token: 'x' }],
  ['token/introspect', { token: 'x' }],
  ['ext/par/request', REQUEST],
  ['auth/device', { scope: 'openid' }],
];

/** As in Keycloak 26.7.3, except that it accepts the token endpoint's URL for service accounts and devices. */
test('T584 · issuer-only assertions: where the realm asks for it, a client assertion names the issuer alone, at every endpoint', async (t) => {
  const issuer = host().realm('demo');
  for (const [path, form] of DOORS) {
    const send = async (aud: unknown) => {
      const now = Math.floor(Date.now() / 1000);
      const payload = { iss: 'signed', sub: 'signed', jti: randomUUID(), iat: now, exp: now + 30 };
      const jwt = new jose.SignJWT({ ...payload, aud: aud as string }).setProtectedHeader({ alg: 'ES256', kid: 'k1' });
      const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
      return post(host(), path, { ...form, client_assertion_type, client_assertion: await jwt.sign(pair.privateKey) });
    };
    for (const aud of [issuer, [issuer]]) t.true((await send(aud)).status < 300, `${path} ${aud}`);
    for (const aud of [`${host().oidc('demo')}/token`, `${host().oidc('demo')}/${path}`]) {
      const { status, json } = await send(aud);
      t.deepEqual([status, json.error], [400, 'invalid_request'], `${path} ${aud}`);
      t.is(json.error_description, 'invalid audience in client assertion');
    }
  }
});
