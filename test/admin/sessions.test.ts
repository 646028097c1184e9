import test, { type ExecutionContext } from 'ava';
import { adminCaller, adminClient, startAdministered } from '../helpers/admin.js';
import { Browser } from '../helpers/form-browser.js';
import { claimsOf, TestClock, type TestHost } from '../helpers/host.js';
import { introspect, logIn, type Tokens, WEB, WEB2 } from '../helpers/login.js';
import { isLoggedIn, logInByBrowser } from '../helpers/logout.js';
import { startLogoutReceiver } from '../helpers/logout-receiver.js';
import { ALICE, DAVE, testRealm } from '../helpers/realms.js';

const realm = 'demo';

/** `web` receives logout notifications at `/web`. */
async function start(t: ExecutionContext) {
  const receiver = await startLogoutReceiver();
  t.teardown(receiver.close);
  const demo = testRealm('demo', { ssoSessionIdleTimeout: 600 });
  const clients = (demo.clients ?? []).map((client) => {
    if (client.clientId !== 'web') return client;
    return { ...client, attributes: { ...client.attributes, 'backchannel.logout.url': `${receiver.url}/web` } };
  });
  const clock = new TestClock();
  const host = await startAdministered(t, { realms: [{ ...demo, clients }], clock });
  const uuids = new Map([...((await host.realms.get(realm))?.clients ?? [])].map(([name, { id }]) => [name, id]));
  const admin = await adminClient(host);
  return {
    host,
    clock,
    admin,
    uuid: (name: string) => uuids.get(name) ?? '',
    told: () => receiver.tokens('/web').length,
  };
}

const isActive = async (host: TestHost, token: string) => Boolean((await introspect(host, token)).json.active);
const refreshes = async (host: TestHost, { refresh_token }: Tokens, client: Record<string, string> = WEB) =>
  (await host.token(realm, { ...client, grant_type: 'refresh_token', refresh_token })).status === 200;
const sidOf = ({ access_token }: Tokens) => String(claimsOf(access_token).sid);

test('Admin API, sessions: sessions are listed by user and by client, and counted, while they live', async (t) => {
  const { host, clock, admin, uuid } = await start(t);
  const tokens = await logIn(host);
  await logIn(host, WEB2);
  const offline = await logIn(host, { scope: 'openid offline_access' });
  const ofAlice = await admin.users.listSessions({ realm, id: ALICE });
  t.is(ofAlice.length, 2);
  const shown = ofAlice.find(({ id }) => id === sidOf(tokens));
  t.like(shown, { username: 'alice', userId: ALICE, ipAddress: '127.0.0.1', clients: { [uuid('web')]: 'web' } });
  t.is(shown?.start, clock.now());
  const listed = await admin.users.listOfflineSessions({ realm, id: ALICE, clientId: uuid('web') });
  t.deepEqual(
    listed.map(({ id }) => id),
    [sidOf(offline)],
  );
  t.deepEqual(await admin.users.listOfflineSessions({ realm, id: ALICE, clientId: uuid('web2') }), []);
  const ofWeb = { realm, id: uuid('web') };
  t.deepEqual(
    (await admin.clients.listSessions(ofWeb)).map(({ id }) => id),
    [sidOf(tokens)],
  );
  t.is((await admin.clients.listOfflineSessions(ofWeb)).length, 1);
  t.is(Number((await admin.clients.getSessionCount(ofWeb)).count), 1);
  t.is(Number((await admin.clients.getOfflineSessionCount(ofWeb)).count), 1);
  const stats = await admin.realms.getClientSessionStats({ realm });
  t.deepEqual(stats.map(({ clientId, active, offline: o }) => `${clientId} ${active} ${o}`).sort(), [
    'web 1 1',
    'web2 1 0',
  ]);
  clock.forward(601);
  const later = await adminClient(host);
  t.deepEqual(await later.users.listSessions({ realm, id: ALICE }), [], 'expired, and not swept yet');
  t.is(Number((await later.clients.getSessionCount(ofWeb)).count), 0);
  t.is(Number((await later.clients.getOfflineSessionCount(ofWeb)).count), 1);
});

test('Admin API, sessions: one session or all of a user are ended, and applications are notified', async (t) => {
  const { host, clock, admin, told } = await start(t);
  const first = await logIn(host);
  const second = await logIn(host);
  await admin.realms.deleteSession({ realm, session: sidOf(first) } as never);
  t.false(await isActive(host, first.access_token));
  t.false(await refreshes(host, first));
  t.true(await isActive(host, second.access_token));
  t.is(told(), 1);
  const call = await adminCaller(host);
  const again = await call('DELETE', `/realms/demo/sessions/${sidOf(first)}`);
  t.deepEqual([again.status, again.text], [404, '{"error":"Sesssion not found"}']);
  t.is((await call('DELETE', `/realms/demo/sessions/${sidOf(second)}?isOffline=true`)).status, 404);
  const { browser } = await logInByBrowser(host);
  const offline = await logIn(host, { scope: 'openid offline_access' });
  const other = await logIn(host, { username: 'dave', password: 'Dave-pass-1!' });
  clock.forward(1);
  await admin.users.logout({ realm, id: ALICE });
  t.false(await isLoggedIn(host, browser));
  t.false(await isActive(host, second.access_token));
  t.false(await refreshes(host, offline), 'offline sessions end too');
  t.true(await refreshes(host, other), 'of nobody else');
  t.is(told(), 4);
  t.true(await refreshes(host, await logIn(host)), 'and alice may log in again');
});

test('Admin API, sessions: all users are signed out of the realm, and may sign in again', async (t) => {
  const { host, clock, admin, told } = await start(t);
  const tokens = [
    await logIn(host),
    await logIn(host, { username: 'dave', password: 'Dave-pass-1!' }),
    await logIn(host, { scope: 'openid offline_access' }),
  ];
  clock.forward(1);
  t.deepEqual((await admin.realms.logoutAll({ realm })) as unknown, {});
  for (const token of tokens) {
    t.false(await isActive(host, token.access_token));
    t.false(await refreshes(host, token));
  }
  t.is(told(), 3);
  t.deepEqual(await host.store.sessions.list(realm, {}), []);
  t.is((await host.realms.get(realm))?.notBefore, Math.floor(clock.now() / 1000));
  t.true(await refreshes(host, await logIn(host)));
  t.deepEqual((await admin.realms.pushRevocation({ realm })) as unknown, {});
});

test('Admin API, sessions: a consent is revoked, with the client’s sessions and offline tokens of that user alone', async (t) => {
  const { host, admin, uuid, told } = await start(t);
  const alice = await host.store.users.byId(realm, ALICE);
  const consent = { clientId: 'web', grantedClientScopes: ['profile'], createdDate: 1, lastUpdatedDate: 2 };
  if (alice === undefined) return t.fail();
  const representation = { ...alice.representation, clientConsents: [consent] };
  await host.store.users.put({ ...alice, representation }, { expectedVersion: alice.version });
  const online = await logIn(host);
  const offline = await logIn(host, { scope: 'openid offline_access' });
  const elsewhere = await logIn(host, WEB2);
  const dave = await logIn(host, { username: 'dave', password: 'Dave-pass-1!' });
  const [shown] = (await admin.users.listConsents({ realm, id: ALICE })) as object[];
  t.deepEqual(shown, { ...consent, additionalGrants: [{ client: uuid('web'), key: 'Offline Token' }] });
  await admin.users.revokeConsent({ realm, id: ALICE, clientId: 'web' });
  t.deepEqual(await admin.users.listConsents({ realm, id: ALICE }), []);
  for (const token of [online, offline]) t.false(await refreshes(host, token));
  t.true(await refreshes(host, elsewhere, WEB2));
  t.true(await refreshes(host, dave));
  t.is(told(), 2);
  await t.throwsAsync(admin.users.revokeConsent({ realm, id: ALICE, clientId: 'web' }), {
    message: /Consent nor offline token not found/,
  });
  await t.throwsAsync(admin.users.revokeConsent({ realm, id: ALICE, clientId: 'nowhere' }), {
    message: /Client not found/,
  });
});

test('Admin API, sessions: an admin impersonates a user in the admin’s browser, and the event names the admin', async (t) => {
  const { host } = await start(t);
  const cookiesFor = async (who: { realm?: string; username?: string; password?: string }, user: string) => {
    const call = await adminCaller(host, who);
    const answer = await call('POST', `/realms/demo/users/${user}/impersonation`, {});
    const browser = new Browser();
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      browser.cookies.set(name, value);
      t.regex(line, /Path=\/realms\/demo\//);
    }
    return { answer, browser, call };
  };
  const root = await cookiesFor({}, ALICE);
  t.is(root.answer.status, 200);
  t.deepEqual(root.answer.json as object, { sameRealm: false, redirect: `${host.realm('demo')}/account` });
  t.true(await isLoggedIn(host, root.browser));
  const impersonated = (await host.stored(realm)).find(({ type }) => type === 'IMPERSONATE');
  t.like(impersonated, { userId: ALICE, details: { impersonator: 'root', impersonator_realm: 'master' } });
  t.is((await root.call('GET', '/realms/demo')).status, 200, 'the admin of another realm stays logged in');
  const own = await cookiesFor({ realm, username: 'dave', password: 'Dave-pass-1!' }, ALICE);
  t.true(Boolean(own.answer.json.sameRealm));
  t.is((await own.call('GET', '/realms/demo')).status, 401, 'a browser is one user in a realm');
  const disabled = (await host.store.users.byUsername(realm, 'carol'))?.id ?? '';
  const refused = await root.call('POST', `/realms/demo/users/${disabled}/impersonation`, {});
  t.deepEqual([refused.status, refused.text], [400, '{"errorMessage":"User is disabled"}']);
  const service = (await host.store.users.byUsername(realm, 'service-account-nl'))?.id ?? '';
  t.is((await root.call('POST', `/realms/demo/users/${service}/impersonation`, {})).status, 400);
  t.deepEqual((await root.call('POST', `/realms/demo/users/${DAVE}/impersonation`, {})).status, 200);
});
