import test from 'ava';
import { replacing } from '../../core/di/module.js';
import { AccessTokens } from '../../core/tokens/access-tokens.js';
import { claimsOf, fetchAnswer, startHost, TestClock, type TestHost } from '../helpers/host.js';
import { ALICE_LOGIN, WEB } from '../helpers/login.js';
import { ACCESS_TOKEN, ALICE, CAROL, DAVE, NAKED, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const naked = {
  grant_type: NAKED,
  client_id: 'nl',
  client_secret: 'nl-secret',
  requested_subject: ALICE,
  scope: 'newsletterscope42',
  audience: 'newsletter-api',
};
const denied = { error: 'access_denied', error_description: 'Client not allowed to exchange' };

const shared = shareHost(test, {
  realms: ['demo', 'other', 'telling', 'ending', 'leaving'].map((name) => testRealm(name)),
});
const refresh = (host: TestHost, token: string, more = {}, realm = 'demo') =>
  host.token(realm, {
    grant_type: 'refresh_token',
    client_id: 'nl',
    client_secret: 'nl-secret',
    refresh_token: token,
    ...more,
  });

test('token exchange: direct naked impersonation gives exactly the requested scope and audience, and names the actor', async (t) => {
  const host = shared();
  const alice = `${ALICE}-telling`;
  const { status, json } = await host.token('telling', { ...naked, requested_subject: alice });
  t.is(status, 200);
  t.is(json.scope, 'newsletterscope42');
  t.is(json.issued_token_type, 'urn:ietf:params:oauth:token-type:refresh_token');
  const claims = claimsOf(json.access_token ?? '');
  t.deepEqual(Object.keys(claims).sort(), [
    'act',
    'aud',
    'azp',
    'exp',
    'iat',
    'iss',
    'jti',
    'scope',
    'sid',
    'sub',
    'typ',
  ]);
  t.like(claims, { sub: alice, aud: 'newsletter-api', azp: 'nl', scope: 'newsletterscope42' } as object);
  const realm = await host.realms.get('telling');
  const client = realm?.clients.get('nl');
  const account = realm && client && (await host.users.serviceAccount(realm, client));
  t.deepEqual(claims.act, { sub: account?.id, client_id: 'nl' });
  const [event] = await host.stored('telling');
  t.like(event, { type: 'TOKEN_EXCHANGE', clientId: 'nl', userId: alice });
  t.like(event?.details, {
    requested_subject: alice,
    impersonator: 'nl',
    audience: 'newsletter-api',
    scope: 'newsletterscope42',
  });
});

test('token exchange: an impersonating session lasts as long as any login, or as the realm configures', async (t) => {
  const clock = new TestClock();
  const limited = { ...testRealm('limited'), attributes: { 'keyhost.impersonated.session.max.lifespan': '120' } };
  const host = await startHost(t, { realms: [testRealm('demo'), limited], clock });
  const take = async (realm: string, form: Record<string, string>) => (await host.token(realm, form)).json;
  const usual = await take('demo', naked);
  const short = await take('limited', { ...naked, requested_subject: 'alice' });
  const login = await take('limited', { ...WEB, ...ALICE_LOGIN });
  const lifespan = ({ access_token }: { access_token?: string }) => {
    const { exp, iat } = claimsOf(access_token ?? '') as unknown as Record<string, number>;
    return Number(exp) - Number(iat);
  };
  t.deepEqual([lifespan(usual), lifespan(short), lifespan(login)], [300, 120, 300]);
  t.is((short as { refresh_expires_in?: number }).refresh_expires_in, 120);
  clock.forward(121);
  const again = (realm: string, token = '') =>
    host.token(realm, {
      grant_type: 'refresh_token',
      client_id: 'nl',
      client_secret: 'nl-secret',
      refresh_token: token,
    });
  t.is((await again('demo', usual.refresh_token)).status, 200);
  t.is((await again('limited', short.refresh_token)).status, 400);
});

test('token exchange: an impersonated token refreshes to the same scope, audience and act, until the entry is gone', async (t) => {
  const host = shared();
  const { json } = await host.token('ending', { ...naked, requested_subject: 'alice' });
  const again = await refresh(host, json.refresh_token ?? '', {}, 'ending');
  t.is(again.status, 200);
  const before = claimsOf(json.access_token ?? '');
  const after = claimsOf(again.json.access_token ?? '');
  for (const claim of ['scope', 'aud', 'act', 'sub', 'azp', 'sid']) t.deepEqual(after[claim], before[claim], claim);
  t.is(
    (await refresh(host, again.json.refresh_token ?? '', { scope: 'newsletterscope43' }, 'ending')).json.error,
    'invalid_scope',
  );
  const record = await host.store.realms.get('ending');
  if (record === undefined) return t.fail();
  const clients = record.representation.clients?.map(({ impersonation: _, ...client }) => client);
  await host.store.realms.put(
    { ...record, representation: { ...record.representation, clients: clients ?? [] } },
    { expectedVersion: record.version },
  );
  host.realms.invalidate('ending');
  t.is((await refresh(host, again.json.refresh_token ?? '', {}, 'ending')).status, 400);
});

test('token exchange: requests outside of the impersonation entry get one and the same error', async (t) => {
  const host = shared();
  const outside: Record<string, string>[] = [
    { requested_subject: 'nobody' },
    { requested_subject: CAROL },
    { requested_subject: DAVE },
    { requested_subject: `${ALICE}-other` },
    { requested_subject: 'service-account-nl' },
    { scope: 'openid' },
    { scope: 'newsletterscope42 openid' },
    { scope: 'newsletterscope1 newsletterscope2' },
    { scope: 'newsletterscope' },
    { scope: 'newsletterscope1\n' },
    { scope: `newsletterscope${'1'.repeat(65)}` },
    { audience: 'web' },
    { audience: 'realm-management' },
    { audience: 'nope' },
    { client_id: 'web2', client_secret: 'web2-secret' },
    { client_id: 'svc', client_secret: 'svc-secret' },
    { client_id: 'spa' },
  ];
  for (const change of outside) {
    const answer = await host.token('demo', { ...naked, ...change });
    t.deepEqual([answer.status, answer.json], [403, denied], JSON.stringify(change));
  }
});

test('token exchange: a missing scope or audience, a second audience, and an empty subject_token are errors and never naked', async (t) => {
  const host = shared();
  const { scope: _, ...noScope } = naked;
  const { audience: __, ...noAudience } = naked;
  for (const form of [
    noScope,
    noAudience,
    { ...naked, subject_token: '' },
    { ...naked, subject_token: ' ' },
    { ...naked, subject_token: 'null' },
  ]) {
    const answer = await host.token('demo', form);
    t.deepEqual([answer.status, answer.json.error], [400, 'invalid_request'], JSON.stringify(form));
    t.falsy(answer.json.access_token);
  }
  const twice = new URLSearchParams(naked);
  twice.append('audience', 'web');
  const two = await fetchAnswer(`${host.oidc('demo')}/token`, { method: 'POST', body: twice });
  t.deepEqual([two.status, two.json.error], [400, 'invalid_request']);
});

test('token exchange: a user id wins over another user’s name, and a name works too', async (t) => {
  const host = shared();
  t.is(claimsOf((await host.token('demo', naked)).json.access_token ?? '').sub, ALICE);
  const byName = await host.token('demo', { ...naked, requested_subject: 'alice' });
  t.is(claimsOf(byName.json.access_token ?? '').sub, ALICE);
});

test('token exchange: asking for an access token alone leaves no session behind', async (t) => {
  const host = shared();
  const alice = `${ALICE}-leaving`;
  const { json } = await host.token('leaving', {
    ...naked,
    requested_subject: alice,
    requested_token_type: ACCESS_TOKEN,
  });
  t.is(json.issued_token_type, ACCESS_TOKEN);
  t.falsy(json.refresh_token);
  t.falsy(json.session_state);
  t.deepEqual(await host.store.sessions.list('leaving', { userId: alice }), []);
  await host.token('leaving', { ...naked, requested_subject: alice });
  const [session] = await host.store.sessions.list('leaving', { userId: alice });
  t.is(session?.notes.IMPERSONATOR_CLIENT, 'nl');
});

test('token exchange: introspection names the actor, and the impersonated token gives access to nothing else', async (t) => {
  const host = shared();
  const { json } = await host.token('demo', naked);
  const token = json.access_token ?? '';
  const introspect = await fetchAnswer(`${host.oidc('demo')}/token/introspect`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'nl', client_secret: 'nl-secret', token }),
  });
  t.like(introspect.json, { active: true, username: 'alice', scope: 'newsletterscope42' } as object);
  t.deepEqual(introspect.json.act, claimsOf(token).act);
  const userinfo = await fetchAnswer(`${host.oidc('demo')}/userinfo`, {
    headers: { authorization: `Bearer ${token}` },
  });
  t.is(userinfo.status, 403);
  const form = {
    grant_type: NAKED,
    client_id: 'web',
    client_secret: 's3cret:+/%&é',
    subject_token: token,
    subject_token_type: ACCESS_TOKEN,
  };
  t.is((await host.token('demo', form)).status, 403);
});

test('token exchange: the standard exchange swaps a token addressed to the caller for the caller’s own', async (t) => {
  const host = shared();
  const login = {
    grant_type: 'password',
    client_id: 'spa',
    username: 'alice',
    password: 'Alice-pass-1!',
    scope: 'openid',
  };
  const subject = (await host.token('demo', login)).json.access_token ?? '';
  t.deepEqual(claimsOf(subject).aud, ['web', 'account']);
  const form = {
    grant_type: NAKED,
    client_id: 'web',
    client_secret: 's3cret:+/%&é',
    subject_token: subject,
    subject_token_type: ACCESS_TOKEN,
  };
  const { status, json } = await host.token('demo', form);
  t.is(status, 200);
  t.like(claimsOf(json.access_token ?? ''), { azp: 'web', sub: ALICE, sid: claimsOf(subject).sid } as object);
  t.is(json.issued_token_type, ACCESS_TOKEN);
  const cases: [Record<string, string>, number, string][] = [
    [{ requested_subject: ALICE }, 400, "Parameter 'requested_subject' is not supported for standard token exchange"],
    [{ subject_token_type: '' }, 400, "Parameter 'subject_token_type' required for standard token exchange"],
    [{ subject_token: 'x' }, 400, 'Invalid token'],
    [{ requested_token_type: 'urn:ietf:params:oauth:token-type:saml2' }, 400, 'requested_token_type unsupported'],
    [{ audience: 'nope' }, 400, 'Audience not found'],
    [{ audience: 'web2' }, 400, 'Requested audience not available: web2'],
    [
      { client_id: 'web2', client_secret: 'web2-secret' },
      400,
      'Standard token exchange is not enabled for the requested client',
    ],
  ];
  for (const [change, expected, description] of cases) {
    const answer = await host.token('demo', { ...form, ...change });
    t.deepEqual([answer.status, answer.json.error_description], [expected, description], JSON.stringify(change));
  }
});

test('token exchange: a subject token that cannot be checked now is no bad one: the answer is a failure of the host', async (t) => {
  class Away extends AccessTokens {
    override check(): Promise<never> {
      return Promise.reject(new Error('the store is away'));
    }
  }
  const away = new Away({} as ConstructorParameters<typeof AccessTokens>[0]);
  const host = await startHost(t, { realms: [testRealm('demo')], replace: [replacing(AccessTokens, away)] });
  const { status, json } = await host.token('demo', {
    grant_type: NAKED,
    client_id: 'web',
    client_secret: 's3cret:+/%&é',
    subject_token: 'any',
    subject_token_type: ACCESS_TOKEN,
  });
  t.deepEqual([status, json.error], [500, 'unknown_error']);
});
