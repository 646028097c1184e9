import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, adminClient, administrator, startAdministered } from '../helpers/admin.js';
import { Browser, type Visit } from '../helpers/form-browser.js';
import { claimsOf, startHost, TestClock } from '../helpers/host.js';
import { follow, issueKey } from '../helpers/login.js';
import { startMailServer } from '../helpers/mail-server.js';
import { ALICE, CAROL, DAVE, testRealm } from '../helpers/realms.js';

const NOTIFICATION = 'external-app-notification';
const LINKS = `/realms/demo/users/${ALICE}/action-tokens`;
const CLAIMS = { 'app-id': '42' };

interface Shown {
  readonly id: string;
  readonly type: string;
  readonly clientId?: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

async function scene(t: Parameters<typeof startHost>[0], changes: Partial<RealmRepresentation> = {}) {
  const clock = new TestClock();
  const server = await startMailServer(t);
  const actionTokenPolicy = {
    [NOTIFICATION]: { mint: true, maxLifespan: 600 },
    'execute-actions': { mint: true },
    'reset-credentials': { mint: true },
    'verify-email': {},
  };
  const realm = testRealm('demo', {
    smtpServer: server.settings,
    actionTokenPolicy,
    resetPasswordAllowed: true,
    adminEventsEnabled: true,
    ...changes,
  });
  const users = [
    ...(realm.users ?? []),
    administrator('manager', 'manage-users', 'view-users'),
    administrator('viewer', 'view-users'),
  ];
  const host = await startAdministered(t, { realms: [{ ...realm, users }], clock });
  const call = await adminCaller(host);
  const list = async (id = ALICE) =>
    JSON.parse((await call('GET', `/realms/demo/users/${id}/action-tokens`)).text) as Shown[];
  const types = async () => (await list()).map(({ type }) => type);
  return { host, clock, server, call, list, types };
}

const keyOf = (link: string) => new URL(link).searchParams.get('key') ?? '';
const message = ({ text }: Visit) => /id="kc-(?:info|error)-message">([^<]*)/.exec(text)?.[1];
const NEW = (password: string) => ({ 'password-new': password, 'password-confirm': password });

test('Admin API, action tokens: an admin lists issued links, and revokes one, which is then refused; the others work', async (t) => {
  const { host, clock, call, list } = await scene(t);
  const first = await issueKey(host);
  clock.forward(1);
  const second = await issueKey(host);
  const shown = await list();
  t.deepEqual(
    shown.map(({ id }) => id),
    [second, first].map((key) => claimsOf(key).jti),
  );
  const { jti, iat, exp } = claimsOf(first);
  t.like(shown[1], { id: jti, type: NOTIFICATION, expiresAt: Number(exp) * 1000 } as object);
  t.is(Math.floor(Number(shown[1]?.issuedAt) / 1000), Number(iat));
  t.false(JSON.stringify(shown).includes(first.split('.')[2] ?? first), 'the token itself is nowhere');
  t.is((await follow(host, first)).status, 200);
  t.is((await call('DELETE', `${LINKS}/${jti}`)).status, 204);
  const refused = await follow(host, first);
  t.deepEqual([refused.status, refused.json.error_description], [400, 'Action expired.']);
  t.is((await follow(host, second)).status, 200);
  t.deepEqual(
    (await list()).map(({ id }) => id),
    [claimsOf(second).jti],
  );
  t.is((await call('DELETE', `${LINKS}/${jti}`)).status, 404, 'it is not out any more');
  t.is((await call('DELETE', `/realms/demo/users/${DAVE}/action-tokens/${claimsOf(second).jti}`)).status, 404);
  t.is((await call('GET', `${LINKS}?first=1`)).text, '[]');
  t.true((await host.stored('demo')).some(({ error, userId }) => error === 'expired_code' && userId === ALICE));
});

test('Admin API, action tokens: an admin issues a link of a type that the policy permits; the event names it without the link', async (t) => {
  const { host, clock, call, list } = await scene(t);
  const minted = await call('POST', LINKS, { type: NOTIFICATION, clientId: 'web', claims: CLAIMS, lifespan: 60 });
  t.is(minted.status, 201, minted.text);
  t.is(minted.headers.get('cache-control'), 'no-store');
  const { id, link, token, expiresAt } = minted.json as unknown as {
    id: string;
    link: string;
    token: string;
    expiresAt: number;
  };
  const claims = claimsOf(token) as Record<string, unknown>;
  t.like(claims, { typ: NOTIFICATION, sub: ALICE, azp: 'web', jti: id, ...CLAIMS });
  t.is(Number(claims.exp) - Number(claims.iat), 60);
  t.is(keyOf(link), token);
  t.true(Math.abs(expiresAt - Number(claims.exp) * 1000) < 1000);
  t.like((await list())[0], { id, type: NOTIFICATION, clientId: 'web' });
  t.is((await follow(host, token)).status, 200);
  clock.forward(1);
  const longest = await call('POST', LINKS, { type: NOTIFICATION, claims: CLAIMS });
  const { exp, iat } = claimsOf(longest.json.token ?? '');
  t.is(Number(exp) - Number(iat), 600, 'as long as the policy says');

  for (const [body, status, text] of [
    [{ type: NOTIFICATION, claims: CLAIMS, lifespan: 601 }, 400, /lifespan must be at most 600/],
    [{ type: NOTIFICATION, claims: CLAIMS, lifespan: 0 }, 400, /lifespan must be at least 1/],
    [{ type: NOTIFICATION, claims: CLAIMS, clientId: 'nobody' }, 400, /Client doesn't exist/],
    [{ type: NOTIFICATION, claims: CLAIMS, redirectUri: 'https://x.test/' }, 400, /redirectUri/],
    [{ type: NOTIFICATION, claims: {} }, 400, /app-id/],
    [{ type: NOTIFICATION, claims: { ...CLAIMS, sub: DAVE } }, 400, /the claim sub is the host's own/],
    [{ type: NOTIFICATION, claims: { ...CLAIMS, exp: 9_999_999_999 } }, 400, /the claim exp is the host's own/],
    [{ type: NOTIFICATION, claims: CLAIMS, asid: 'x' }, 400, /asid: unknown key/],
    [{ claims: CLAIMS }, 400, /type.* is missing/],
    [{ type: 'verify-email' }, 403, /access_denied/],
    [{ type: 'nothing' }, 403, /access_denied/],
    [{ type: 'constructor' }, 403, /access_denied/],
  ] as const) {
    const answer = await call('POST', LINKS, body);
    t.deepEqual([answer.status, text.test(answer.text)], [status, true], `${JSON.stringify(body)} ${answer.text}`);
  }
  const disabled = await call('POST', `/realms/demo/users/${CAROL}/action-tokens`, {
    type: NOTIFICATION,
    claims: CLAIMS,
  });
  t.is(disabled.json.errorMessage, 'User is disabled');
  t.is((await call('POST', '/realms/demo/users/nobody/action-tokens', { type: NOTIFICATION })).status, 404);

  await host.events.flush();
  const events = await host.store.events.query('demo', { kind: 'admin' });
  t.is(events.length, 2, 'every minting is an event, and nothing that was refused');
  t.like(JSON.parse(events[1]?.body ?? ''), {
    operationType: 'ACTION',
    resourceType: 'USER',
    resourcePath: `users/${ALICE}/action-tokens`,
    representation: { id, type: NOTIFICATION, clientId: 'web', lifespan: 60 },
  });
  t.notRegex(JSON.stringify(events), /eyJ/);
});

test('Admin API, action tokens: what a realm’s policy does not name is denied: not recorded, listed or issued', async (t) => {
  const { host, call, list } = await scene(t, { actionTokenPolicy: {} });
  const key = await issueKey(host);
  t.deepEqual(await list(), []);
  t.deepEqual(await host.store.actionTokens.list('demo', ALICE, { now: 0, max: 10 }), []);
  t.is((await call('DELETE', `${LINKS}/${claimsOf(key).jti}`)).status, 404);
  t.is((await call('POST', LINKS, { type: NOTIFICATION, claims: CLAIMS })).status, 403);
  const policy = { actionTokenPolicy: { [NOTIFICATION]: { mint: true } } };
  t.is((await call('PUT', '/realms/demo', policy)).status, 204);
  t.is((await call('POST', LINKS, { type: NOTIFICATION, claims: CLAIMS })).status, 403, 'the file alone says it');
  t.is((await follow(host, key)).status, 200);
  t.is((await call('DELETE', LINKS)).status, 204, 'all links of a user may always be ended');
  t.is((await follow(host, key)).status, 400);
});

test('Admin API, action tokens: the right to issue is that of a password reset, and nobody issues for a user with greater rights', async (t) => {
  const { host, call } = await scene(t);
  const who = async (username: string) => adminCaller(host, { realm: 'demo', username, password: username });
  const viewer = await who('viewer');
  const manager = await who('manager');
  const body = { type: NOTIFICATION, claims: CLAIMS };
  t.is((await viewer('GET', LINKS)).status, 200);
  t.is((await viewer('POST', LINKS, body)).status, 403);
  t.is((await viewer('DELETE', LINKS)).status, 403);
  t.is((await manager('POST', LINKS, body)).status, 201);
  const ofDave = `/realms/demo/users/${DAVE}/action-tokens`;
  const daves = await call('POST', ofDave, body);
  t.is(daves.status, 201);
  t.is((await manager('POST', ofDave, body)).status, 403);
  t.is((await manager('DELETE', `${ofDave}/${daves.json.id}`)).status, 403);
  t.is((await manager('DELETE', ofDave)).status, 403);
  t.is((await manager('GET', '/realms/master/users/x/action-tokens')).status, 403);
});

test('Admin API, action tokens: emailed links are listed until they are used, replaced, ended by a new password, or expired', async (t) => {
  const { host, clock, server, types, list } = await scene(t);
  const admin = await adminClient(host);
  admin.setConfig({ realmName: 'demo' });
  await admin.users.executeActionsEmail({ id: ALICE, actions: ['UPDATE_PASSWORD'] });
  const [older] = await list();
  clock.forward(1);
  await admin.users.executeActionsEmail({ id: ALICE, actions: ['UPDATE_PASSWORD'] });
  await admin.users.sendVerifyEmail({ id: ALICE });
  t.deepEqual((await types()).sort(), ['execute-actions', 'verify-email']);
  t.false(
    (await list()).some(({ id }) => id === older?.id),
    'the newer mail has ended it',
  );
  const browser = new Browser();
  const asked = await browser.open((await server.mail(1)).link);
  t.is(asked.status, 200, message(asked));
  let page = await browser.submit(asked, { key: keyOf(asked.url) });
  while (page.location !== undefined) page = await browser.open(page.location.href);
  t.is(page.status, 200, message(page));
  page = await browser.submit(page, NEW('Another-pass-1!'));
  t.true(page.status < 400, page.text);
  t.deepEqual(await types(), [], 'a new password ends all');
  clock.forward(1);
  await admin.users.sendVerifyEmail({ id: ALICE });
  t.deepEqual(await types(), ['verify-email']);
  clock.forward(43_200);
  const { removed } = await host.store.sweep({ now: clock.now() });
  t.true(removed > 0);
  t.deepEqual(await host.store.actionTokens.list('demo', ALICE, { now: 0, max: 10 }), [], 'what expired is swept');
});

test('Admin API, action tokens: a link that is revoked while a user is following it changes nothing afterwards', async (t) => {
  const { host, clock, call } = await scene(t);
  const opened = async () => {
    clock.forward(1);
    const minted = await call('POST', LINKS, { type: 'reset-credentials' });
    t.is(minted.status, 201, minted.text);
    const browser = new Browser();
    const asked = await browser.open(minted.json.link ?? '');
    let page = await browser.submit(asked, { key: keyOf(asked.url) });
    while (page.location !== undefined) page = await browser.open(page.location.href);
    return { browser, page, id: minted.json.id };
  };
  for (const path of ['one', 'all']) {
    const { browser, page, id } = await opened();
    t.is((await call('DELETE', path === 'one' ? `${LINKS}/${id}` : LINKS)).status, 204);
    const refused = await browser.submit(page, NEW('Stolen-pass-1!'));
    t.deepEqual([refused.status, message(refused)], [400, 'Action expired. Request a new link, or start again.'], path);
  }
  const form = { grant_type: 'password', client_id: 'spa', username: 'alice' };
  t.is((await host.token('demo', { ...form, password: 'Alice-pass-1!' })).status, 200, 'the password is the old one');
  const { browser, page } = await opened();
  t.true((await browser.submit(page, NEW('Chosen-pass-1!'))).status < 400);
  t.is((await host.token('demo', { ...form, password: 'Chosen-pass-1!' })).status, 200);
});

test('Admin API, action tokens: an execute-actions link accepts existing actions only, and addresses of its client', async (t) => {
  const { call } = await scene(t);
  const mint = (claims: object, more: object = {}) => call('POST', LINKS, { type: 'execute-actions', claims, ...more });
  t.is((await mint({ rqac: ['nonsense'] })).json.errorMessage, 'Provided invalid required actions');
  const web = { clientId: 'web', redirectUri: 'https://evil.test/' };
  t.is((await mint({ rqac: ['UPDATE_PASSWORD'] }, web)).json.errorMessage, 'Invalid redirect uri.');
  const smuggled = await mint({ rqac: ['UPDATE_PASSWORD'], reduri: 'https://evil.test/' }, { clientId: 'web' });
  const refused = await new Browser().open(smuggled.json.link ?? '');
  t.is(refused.status, 400);
  t.regex(refused.text, /For developers: Invalid redirect URI</);
  const good = await mint(
    { rqac: ['UPDATE_PASSWORD'], eml: 'eve@evil.test' },
    { ...web, redirectUri: 'http://127.0.0.1:9999/cb' },
  );
  t.is(good.status, 201, good.text);
  t.is(claimsOf(good.json.token ?? '').eml, 'alice@example.test');
  t.regex((await new Browser().open(good.json.link ?? '')).text, /Complete these actions for your account alice/);
  const dave = await call('POST', `/realms/demo/users/${DAVE}/action-tokens`, { type: 'reset-credentials' });
  t.is(dave.json.errorMessage, 'User email missing');
});

test('Admin API, action tokens: the types of a policy are existing handlers, and its rules are checked', async (t) => {
  const refusal = async (actionTokenPolicy: object) => {
    const error = (await t.throwsAsync(
      startHost(t, { realms: [testRealm('demo', { actionTokenPolicy } as never)] }),
    )) as unknown as { report(): string };
    return error.report();
  };
  t.regex(
    await refusal({ 'reset-credential': {} }),
    /action-token handler "reset-credential" not found \(did you mean "reset-credentials"\?\)/,
  );
  t.regex(
    await refusal({ 'verify-email': { mints: true } }),
    /actionTokenPolicy.verify-email.mints: unknown key \(did you mean "mint"\?\)/,
  );
  t.regex(await refusal({ 'verify-email': { maxLifespan: 2_592_001 } }), /maxLifespan: must be at most 2592000/);
});
