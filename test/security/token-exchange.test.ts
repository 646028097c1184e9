import test from 'ava';
import { type Answer, claimsOf } from '../helpers/host.js';
import { NL, post, SVC, WEB, WEB2 } from '../helpers/login.js';
import { ACCESS_TOKEN, ALICE, CAROL, DAVE, guardedRealm, NAKED } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const REFRESH_TOKEN = ACCESS_TOKEN.replace('access_token', 'refresh_token');
const demo = guardedRealm('demo');
const clients = (demo.clients ?? []).map((client) =>
  client.clientId === 'nl'
    ? { ...client, impersonation: { ...client.impersonation, audiences: ['newsletter-api', 'api-disabled'] } }
    : client,
);
const realm = { ...demo, clients: [...clients, { clientId: 'api-disabled', bearerOnly: true, enabled: false }] };
const host = shareHost(test, { realms: [realm, guardedRealm('other')] });

const naked = {
  ...NL,
  grant_type: NAKED,
  requested_subject: ALICE,
  scope: 'newsletterscope1',
  audience: 'newsletter-api',
};
const exchange = (changes: Record<string, string>) => host().token('demo', { ...naked, ...changes });
const outcome = ({ status, json }: Answer) => [status, json.error, json.access_token];
const DENIED = [403, 'access_denied', undefined];
const INVALID = [400, 'invalid_request', undefined];

test('T140 · token exchange: a subject_token that is there but empty is never a naked exchange', async (t) => {
  for (const subject_token of ['', ' ', '\t', 'null', 'undefined', '""']) {
    t.deepEqual(outcome(await exchange({ subject_token })), INVALID, JSON.stringify(subject_token));
    const typed = { subject_token, subject_token_type: ACCESS_TOKEN };
    t.deepEqual(outcome(await exchange(typed)), INVALID, `${JSON.stringify(subject_token)} with a type`);
  }
  for (const values of [
    ['', ''],
    ['', 'x'],
    ['x', ''],
  ]) {
    const twice = [...Object.entries(naked), ...values.map((value) => ['subject_token', value] as [string, string])];
    t.deepEqual(outcome(await post(host(), 'token', twice)), INVALID);
  }
  t.deepEqual(outcome(await exchange({ subject_token_type: ACCESS_TOKEN })), INVALID);
  t.deepEqual(outcome(await exchange({ actor_token: 'x' })), INVALID);
});

test('T142 T143 · token exchange: a disabled, an administrating, an unknown and another realm’s user are refused alike', async (t) => {
  const bodies = new Set<string>();
  for (const subject of [
    CAROL,
    DAVE,
    'carol',
    'dave',
    'nobody',
    `${ALICE}-other`,
    'alice@example.test',
    'service-account-svc',
  ]) {
    const answer = await exchange({ requested_subject: subject });
    t.deepEqual(outcome(answer), DENIED, subject);
    bodies.add(answer.text);
  }
  t.deepEqual([...bodies], ['{"error":"access_denied","error_description":"Client not allowed to exchange"}']);
});

test('T144 · token exchange: only the client that is allowed to goes naked, and only when it proves itself', async (t) => {
  for (const client of [WEB, WEB2, SVC]) t.deepEqual(outcome(await exchange(client)), DENIED, client.client_id);
  const { client_secret: _, ...secretless } = naked;
  t.deepEqual(outcome(await host().token('demo', { ...secretless, client_id: 'spa' })), DENIED);
  for (const form of [secretless, { ...naked, client_secret: 'wrong' }, { ...naked, client_secret: '' }]) {
    const answer = await host().token('demo', form);
    t.deepEqual([answer.status, answer.json.access_token], [401, undefined]);
  }
});

test('T145 · token exchange: one scope of the allowed kind is granted, and nothing beside it', async (t) => {
  const outside = [
    'openid',
    'newsletterscope1 openid',
    'newsletterscope1 newsletterscope2',
    'roles',
    'newsletterscope',
  ];
  const tricks = [
    'newsletterscope*',
    'newsletterscope1\n',
    ' newsletterscope1 openid',
    'Newsletterscope1',
    'xnewsletterscope1',
    'newsletterscope1/2',
  ];
  for (const scope of [...outside, ...tricks]) t.deepEqual(outcome(await exchange({ scope })), DENIED, scope);
  for (const scope of ['', ' ']) t.true([400, 403].includes((await exchange({ scope })).status));
  const { scope: _, ...none } = naked;
  t.deepEqual(outcome(await host().token('demo', none)), INVALID);
  const good = await exchange({});
  t.deepEqual(
    [good.json.scope, claimsOf(good.json.access_token ?? '').scope],
    ['newsletterscope1', 'newsletterscope1'],
  );
});

test('T146 · token exchange: only the allowed audience is granted, alone, and while it is enabled', async (t) => {
  for (const audience of ['web', 'realm-management', 'nobody', 'account', 'api-disabled', 'app-disabled'])
    t.deepEqual(outcome(await exchange({ audience })), DENIED, audience);
  for (const second of ['newsletter-api', 'web', '']) {
    const answer = await post(host(), 'token', [...Object.entries(naked), ['audience', second]]);
    if (second === '') t.true(answer.status === 200 || answer.status === 400, 'an empty value counts as absent');
    else t.deepEqual(outcome(answer), INVALID, second);
  }
  t.is(claimsOf((await exchange({})).json.access_token ?? '').aud, 'newsletter-api');
});

test('T148 · token exchange: an access token alone, or with a refresh token, and no other type', async (t) => {
  const type = (name: string) => ACCESS_TOKEN.replace('access_token', name);
  for (const requested_token_type of [type('id_token'), type('saml2'), type('jwt'), 'access_token', 'x'])
    t.deepEqual(outcome(await exchange({ requested_token_type })), INVALID, requested_token_type);
  const alone = (await exchange({ requested_token_type: ACCESS_TOKEN })).json;
  t.is(alone.issued_token_type, ACCESS_TOKEN);
  t.false('refresh_token' in alone || 'id_token' in alone || 'session_state' in alone);
  for (const changes of [{} as Record<string, string>, { requested_token_type: REFRESH_TOKEN }]) {
    const { json } = await exchange(changes);
    t.is(json.issued_token_type, REFRESH_TOKEN);
    t.false('id_token' in json);
  }
});

test('T149 · token exchange: an exchange for an access token alone leaves no session of the user', async (t) => {
  const other = { ...naked, requested_subject: `${ALICE}-other`, requested_token_type: ACCESS_TOKEN };
  t.is((await host().token('other', other)).status, 200);
  t.deepEqual(await host().store.sessions.list('other', { userId: `${ALICE}-other` }), []);
});

test('T289 · token exchange: an exchange by the client’s secret alone is recorded: actor, subject, audience', async (t) => {
  await exchange({ scope: 'newsletterscope289' });
  const events = await host().stored('demo');
  const event = events.find(({ details }) => details.scope === 'newsletterscope289');
  t.like(event, { type: 'TOKEN_EXCHANGE', clientId: 'nl', userId: ALICE });
  t.like(event?.details, { impersonator: 'nl', requested_subject: ALICE, audience: 'newsletter-api' });
  const refused = await exchange({ requested_subject: DAVE, scope: 'newsletterscope290' });
  t.is(refused.status, 403);
  const denied = (await host().stored('demo')).find(
    ({ type, details }) => type === 'TOKEN_EXCHANGE_ERROR' && details.requested_subject === DAVE,
  );
  t.like(denied, { error: 'not_allowed', clientId: 'nl' });
});
