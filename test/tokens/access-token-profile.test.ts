import test from 'ava';
import * as jose from 'jose';
import { claimsOf } from '../helpers/host.js';
import { introspect, logIn, NL, serviceToken, userinfo } from '../helpers/login.js';
import { ACCESS_TOKEN, ALICE, NAKED, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const realm = testRealm('demo');
/** Clients whose access tokens follow RFC 9068; `web` has no client scopes, and so no mappers. */
const clients = (realm.clients ?? []).map((client) => {
  const attributes = { ...(client.attributes as object), 'access.token.header.type.rfc9068': 'true' };
  const bare = client.clientId === 'web' ? { defaultClientScopes: [] as string[] } : {};
  return { ...client, ...bare, attributes };
});
const host = shareHost(test, { realms: [{ ...realm, clients }] });

const REQUIRED = ['iss', 'exp', 'aud', 'sub', 'client_id', 'iat', 'jti'];

test('access token profile: an access token of type at+jwt has every claim that RFC 9068 asks for', async (t) => {
  const naked = {
    ...NL,
    grant_type: NAKED,
    requested_subject: ALICE,
    requested_token_type: ACCESS_TOKEN,
    scope: 'newsletterscope42',
    audience: 'newsletter-api',
  };
  const issuer = host().realm('demo');
  const tokens = {
    web: (await logIn(host(), { scope: '' })).access_token,
    svc: await serviceToken(host()),
    nl: String((await host().token('demo', naked)).json.access_token),
  };
  const audiences = { web: issuer, svc: 'account', nl: 'newsletter-api' };
  for (const [client, token] of Object.entries(tokens)) {
    t.is(jose.decodeProtectedHeader(token).typ, 'at+jwt', client);
    const claims = claimsOf(token) as Record<string, unknown>;
    for (const name of REQUIRED) t.truthy(claims[name], `${client}: ${name}`);
    t.like(claims, { client_id: client, aud: audiences[client as keyof typeof audiences], iss: issuer });
  }
  t.is(claimsOf(tokens.web).sub, ALICE);
});

test('access token profile: such a token gives the same access as other access tokens', async (t) => {
  const { access_token: token } = await logIn(host());
  t.is((await userinfo(host(), token)).status, 200);
  t.true(Boolean((await introspect(host(), token)).json.active));
});
