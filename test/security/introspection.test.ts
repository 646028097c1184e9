import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { claimsOf, startHost } from '../helpers/host.js';
import { follow, introspect, issueKey, logIn, NL, SVC, serviceToken, WEB, WEB2 } from '../helpers/login.js';
import { guardedRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const API = { client_id: 'newsletter-api', client_secret: 'api-secret' };
const INACTIVE = '{"active":false}';
const ATTRIBUTE = 'keyhost.introspection.any.client';

/**
 * The test realm in which the resource server may introspect, and tokens of `web` are addressed to `svc` and another
 * client.
 */
function realm(name: string, attributes: Record<string, string> = {}) {
  const guarded = guardedRealm(name, {}, { attributes, enabledEventTypes: ['INTROSPECT_TOKEN_ERROR'] });
  const audience = (config: Record<string, string>, index: number) => ({
    name: `audience ${index}`,
    protocol: 'openid-connect',
    protocolMapper: 'oidc-audience-mapper',
    config: { 'access.token.claim': 'true', ...config },
  });
  const audiences: Record<string, string>[] = [
    { 'included.client.audience': 'svc' },
    { 'included.custom.audience': 'https://elsewhere.example' },
  ];
  const protocolMappers = audiences.map(audience);
  const clients = (guarded.clients ?? []).map((client) => {
    if (client.clientId === 'newsletter-api') return { ...client, secret: API.client_secret };
    return client.clientId === 'web' ? { ...client, protocolMappers } : client;
  });
  return { ...guarded, clients };
}

/** The realm, in which the client `web2` may introspect every access token. */
function attributed(of: RealmRepresentation): RealmRepresentation {
  const attributes = { 'allow.token.introspection.without.audience.check': 'true' };
  const clients = of.clients?.map((client) => (client.clientId === 'web2' ? { ...client, attributes } : client));
  return { ...of, ...(clients && { clients }) };
}

/** The realm, in which only introspection adds the audience `web2` to tokens of `svc`. */
function addressedHere(of: RealmRepresentation): RealmRepresentation {
  const config = {
    'included.client.audience': 'web2',
    'access.token.claim': 'false',
    'introspection.token.claim': 'true',
  };
  const mapper = { name: 'a', protocol: 'openid-connect', protocolMapper: 'oidc-audience-mapper', config };
  const clients = of.clients?.map((client) =>
    client.clientId === 'svc' ? { ...client, protocolMappers: [mapper] } : client,
  );
  return { ...of, ...(clients && { clients }) };
}

const host = shareHost(test, { realms: [realm('demo')] });

test('T353 · introspection: a token is described to its client and its audience, and to nobody else', async (t) => {
  const { access_token: token } = await logIn(host());
  for (const caller of [WEB, SVC]) t.true(Boolean((await introspect(host(), token, caller)).json.active));
  for (const caller of [WEB2, NL, API]) {
    const answer = await introspect(host(), token, caller);
    t.deepEqual([answer.status, answer.text], [200, INACTIVE], caller.client_id);
  }
  const service = await serviceToken(host());
  t.true(Boolean((await introspect(host(), service, SVC)).json.active), 'a token without an audience');
  t.is((await introspect(host(), service, WEB)).text, INACTIVE);
});

test('T353 · introspection: a refresh token is described to its client alone, offline or not', async (t) => {
  for (const scope of ['openid', 'openid offline_access']) {
    const { refresh_token: token } = await logIn(host(), { scope });
    const hint = { token_type_hint: 'refresh_token' };
    t.true(Boolean((await introspect(host(), token, hint)).json.active), scope);
    for (const caller of [SVC, WEB2]) {
      t.is((await introspect(host(), token, { ...caller, ...hint })).text, INACTIVE, `${scope} ${caller.client_id}`);
    }
  }
});

test('T353 · introspection: the resource server of a link asks about the token that the link brings', async (t) => {
  const { json } = await follow(host(), await issueKey(host()));
  const token = String(json.access_token);
  for (const caller of [API, NL]) {
    t.is((await introspect(host(), token, caller)).json.scope, 'newsletterscope42', caller.client_id);
  }
  t.is((await introspect(host(), token)).text, INACTIVE);
});

test.serial('T353 · introspection: a request about another client’s token is in the events', async (t) => {
  const { access_token: token } = await logIn(host());
  await introspect(host(), token, WEB2);
  const event = (await host().stored('demo')).find(({ type }) => type === 'INTROSPECT_TOKEN_ERROR');
  t.like(event, { error: 'invalid_token', clientId: 'web2' });
  t.deepEqual(event?.details, { token_active: 'false', reason: 'the token is not addressed to the client' });
});

test('T353 · introspection: a client may be let ask about every access token, and about no refresh token of others', async (t) => {
  const own = await startHost(t, { realms: [attributed(realm('demo'))] });
  const { access_token: token, refresh_token: refresh } = await logIn(own);
  t.true(Boolean((await introspect(own, token, WEB2)).json.active));
  t.is((await introspect(own, token, NL)).text, INACTIVE);
  const hint = { token_type_hint: 'refresh_token' };
  t.is((await introspect(own, refresh, { ...WEB2, ...hint })).text, INACTIVE);
});

test('T353 · introspection: a mapper can add the audience of a token without one', async (t) => {
  const demo = guardedRealm('demo');
  // Without the default role, whose account roles would make that client an audience.
  demo.users?.push({ username: 'service-account-svc', enabled: true, serviceAccountClientId: 'svc' });
  const own = await startHost(t, { realms: [addressedHere(demo)] });
  const token = await serviceToken(own);
  t.is(claimsOf(token).aud, undefined);
  t.deepEqual((await introspect(own, token, WEB2)).json.aud, 'web2');
  t.is((await introspect(own, token, WEB)).text, INACTIVE);
});

test('T353 · introspection: a realm may let any client ask for a while, and the log says so', async (t) => {
  const own = await startHost(t, { realms: [realm('demo', { [ATTRIBUTE]: 'true' })] });
  const { access_token: token } = await logIn(own);
  t.true(Boolean((await introspect(own, token, WEB2)).json.active));
  const told = own.log.filter(({ level, message }) => level === 'warn' && message.includes(ATTRIBUTE));
  t.deepEqual(
    told.map(({ message }) => message),
    [`realm demo: any client may introspect any token, since the attribute ${ATTRIBUTE} is true`],
  );
});
