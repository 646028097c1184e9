import test from 'ava';
import { replacing } from '../../core/di/module.js';
import { EventCounts } from '../../core/registry/events/event-counts.js';
import { Store } from '../../core/store/module.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';
import { adminCaller, administered, administrator } from '../helpers/admin.js';
import { Browser, codeRequest, signIn, type Visit } from '../helpers/form-browser.js';
import { fetchAnswer, startHost, TestClock } from '../helpers/host.js';
import { ALICE_LOGIN, SVC } from '../helpers/login.js';
import { testRealm } from '../helpers/realms.js';

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 4, 20, 12, 30);

function statisticsRealm(name: string, changes = {}) {
  const realm = { ...testRealm(name), eventsEnabled: false, eventsListeners: [], ...changes };
  realm.users?.push(administrator('seer', 'view-events'), administrator('stranger', 'view-users'));
  return realm;
}

const spa = (more: Record<string, string> = {}) => ({ ...ALICE_LOGIN, client_id: 'spa', ...more });

test('statistics: metrics of user events have the labels and events that the operator configures', async (t) => {
  const host = await startHost(t, {
    ...administered({
      argv: ['--event-metrics-user-tags', 'realm,clientId,idp', '--event-metrics-user-events', 'login'],
    }),
    realms: [statisticsRealm('demo')],
  });
  await host.token('demo', spa());
  await host.token('demo', spa({ client_id: 'made-up' }));
  await host.token('demo', { grant_type: 'client_credentials', ...SVC });
  const realm = await host.realms.get('demo');
  const brokered = { type: 'LOGIN', clientId: 'web', details: { identity_provider: 'partner' } };
  host.use(EventCounts).count(realm as never, brokered);
  const { text } = await fetchAnswer(`${host.managementUrl}/metrics`);
  t.deepEqual(text.match(/^keycloak_user_events_total.*"demo".*/gm)?.sort(), [
    'keycloak_user_events_total{realm="demo",idp="",client_id="",event="login",error="client_not_found"} 1',
    'keycloak_user_events_total{realm="demo",idp="",client_id="spa",event="login",error=""} 1',
    'keycloak_user_events_total{realm="demo",idp="partner",client_id="web",event="login",error=""} 1',
  ]);
});

test('statistics: events are counted by hour and day even if none is stored, by realm and in total', async (t) => {
  const clock = new TestClock(NOON - DAY_MS);
  const host = await startHost(t, administered({ realms: [statisticsRealm('demo'), statisticsRealm('two')], clock }));
  await host.token('demo', spa());
  clock.forward(DAY_MS / 1000);
  const { json } = await host.token('demo', spa());
  await host.token('demo', {
    grant_type: 'refresh_token',
    client_id: 'spa',
    refresh_token: String(json.refresh_token),
  });
  await host.token('demo', spa({ username: 'dave', password: 'Dave-pass-1!' }));
  await host.token('demo', spa({ password: 'wrong' }));
  await host.token('demo', { grant_type: 'client_credentials', ...SVC });
  for (let at = 0; at < 20; at += 1) await host.token('demo', spa({ client_id: `made-up-${at}` }));
  await host.token('two', spa());

  const call = await adminCaller(host);
  const days = await call('GET', '/realms/demo/statistics?from=2026-05-18&to=2026-05-21');
  t.is(days.status, 200, days.text);
  const told = JSON.parse(days.text);
  const from = Date.UTC(2026, 4, 18);
  const point = (at: number, signIns: number, failures: number) => ({
    time: from + at * DAY_MS,
    signIns,
    failures,
    signUps: 0,
  });
  t.deepEqual(told.series, [point(0, 0, 0), point(1, 1, 0), point(2, 2, 21)]);
  t.deepEqual(told.totals, { signIns: 3, failures: 21, signUps: 0 });
  t.deepEqual(told.applications, [{ clientId: 'spa', signIns: 3 }]);
  t.is(told.otherApplications, 0);
  t.deepEqual(told.failures.map(({ error, count }: { error: string; count: number }) => `${error} ${count}`).sort(), [
    'client_not_found 20',
    'invalid_user_credentials 1',
  ]);
  t.deepEqual(told.tokens, [
    { grant: 'password', count: 3 },
    { grant: 'client_credentials', count: 1 },
    { grant: 'refresh_token', count: 1 },
  ]);
  t.like(told.factors, { signIns: 3, passwords: 3, passkeys: 0, secondFactors: 0 });
  t.deepEqual(
    [told.activeUsers.day, told.activeUsers.week, told.activeUsers.month],
    [2, 2, 2],
    'a service account is no active user',
  );
  t.deepEqual(
    told.activeUsers.days.map(({ users }: { users: number }) => users),
    [0, 1, 2],
  );
  const rows = await host.store.statistics.counts('demo', { from, to: from + 9 * DAY_MS });
  t.true(
    rows.every(({ clientId }) => ['', 'spa', 'svc'].includes(clientId)),
    'a client that there is not has no row',
  );

  const hours = JSON.parse((await call('GET', `/realms/demo/statistics?step=hour`)).text);
  t.is(hours.series.length, 24);
  t.like(hours.series.at(-1), { time: Date.UTC(2026, 4, 20, 12), signIns: 2, failures: 21 });

  const all = JSON.parse((await call('GET', '/statistics?from=2026-05-18T00:00:00Z')).text);
  t.is(all.totals.failures, 21);
  t.true(all.totals.signIns >= 4, 'both realms');
  t.true(all.activeUsers.day >= 3);

  // The metrics of Keycloak 26.7.3 after the same calls, without the tags client_id and idp, which it omits by default.
  const metrics = (await fetchAnswer(`${host.managementUrl}/metrics`)).text.match(
    /^keycloak_user_events_total.*"demo".*/gm,
  );
  t.deepEqual(metrics?.sort(), [
    'keycloak_user_events_total{realm="demo",event="client_login",error=""} 1',
    'keycloak_user_events_total{realm="demo",event="login",error=""} 3',
    'keycloak_user_events_total{realm="demo",event="login",error="client_not_found"} 20',
    'keycloak_user_events_total{realm="demo",event="login",error="invalid_user_credentials"} 1',
    'keycloak_user_events_total{realm="demo",event="refresh_token",error=""} 1',
  ]);

  for (const [query, name] of [
    ['from=yesterday', 'from'],
    ['to=2026-13-40', 'to'],
    ['step=week', 'step'],
    ['from=2026-05-21&to=2026-05-20', 'from'],
    ['from=2026-01-01&to=2026-05-20&step=hour', 'from'],
    ['from=2000-01-01', 'from'],
  ] as const) {
    const answer = await call('GET', `/realms/demo/statistics?${query}`);
    t.is(answer.status, 400, query);
    t.true(answer.text.includes(`'${name}'`), answer.text);
  }
  const as = (username: string) => adminCaller(host, { realm: 'demo', username, password: username });
  const seer = await as('seer');
  t.is((await seer('GET', '/realms/demo/statistics')).status, 200);
  t.is((await seer('GET', '/realms/two/statistics')).status, 403);
  t.is((await seer('GET', '/statistics')).status, 403);
  t.is((await (await as('stranger'))('GET', '/realms/demo/statistics')).status, 403);
});

test('statistics: page loads of the admin console are no sign-ins, and its tokens are not counted', async (t) => {
  const host = await startHost(t, administered({ realms: [statisticsRealm('demo')], clock: new TestClock(NOON) }));
  const client_id = 'keyhost-desk';
  const redirect_uri = `${host.url}/admin/desk/`;
  const browser = new Browser();
  const load = async (changes: Record<string, string>, pass: (url: string) => Promise<Visit>) => {
    const { url, verifier } = codeRequest(host, { client_id, redirect_uri, ...changes });
    const code = (await pass(url)).location?.searchParams.get('code') ?? '';
    const grant = { grant_type: 'authorization_code', client_id, redirect_uri, code, code_verifier: verifier };
    t.is((await host.token('demo', grant)).status, 200);
  };
  await load({}, (url) => signIn(browser, url));
  for (let at = 0; at < 3; at += 1) await load({ prompt: 'none' }, (url) => browser.open(url));
  const call = await adminCaller(host);
  const { totals, applications, tokens } = JSON.parse((await call('GET', '/realms/demo/statistics')).text);
  t.deepEqual(totals, { signIns: 1, failures: 0, signUps: 0 });
  t.deepEqual(applications, [{ clientId: client_id, signIns: 1 }]);
  t.deepEqual(tokens, []);
  const { realms } = JSON.parse((await call('GET', '/statistics')).text);
  t.deepEqual(
    realms.filter(({ realm }: { realm: string }) => realm === 'demo'),
    [{ realm: 'demo', signIns: 1, failures: 0 }],
  );
});

test('statistics: counts survive a stop, are not counted twice by two hosts, and are removed with the realm', async (t) => {
  const clock = new TestClock(NOON);
  const store = await openMemoryStore();
  const close = store.close.bind(store);
  store.close = async () => {};
  t.teardown(close);
  const realms = [statisticsRealm('demo')];
  const replace = [replacing(Store, store)];
  const hosts = [
    await startHost(t, administered({ realms, clock, replace })),
    await startHost(t, administered({ clock, replace })),
  ];
  for (const host of hosts) t.is((await host.token('demo', spa())).status, 200);
  for (const host of hosts) await host.close();
  const within = { from: NOON - DAY_MS, to: NOON + DAY_MS };
  const signIns = (await store.statistics.counts('demo', within)).filter(({ type }) => type === 'LOGIN');
  t.deepEqual(
    signIns.map(({ clientId, total }) => [clientId, total]),
    [['spa', 2]],
  );
  const [day] = await store.statistics.actives('demo', within);
  t.true((day?.sketch.length ?? 99) <= 5, 'one user of two hosts');
  t.false(JSON.stringify([signIns, day]).includes('alice'));
  await store.realms.remove('demo');
  t.deepEqual(
    [await store.statistics.counts('demo', within), await store.statistics.actives('demo', within)],
    [[], []],
  );
});

test('statistics: counts wait in memory while the store fails, and invented errors are counted together', async (t) => {
  const host = await startHost(t, administered({ realms: [statisticsRealm('demo')], clock: new TestClock(NOON) }));
  const counts = host.use(EventCounts);
  const realm = await host.realms.get('demo');
  if (realm === undefined) throw new Error('the realm is there');
  const { statistics } = host.store;
  const add = statistics.add.bind(statistics);
  statistics.add = () => Promise.reject(new Error('full'));
  for (let at = 0; at < 50; at += 1)
    counts.count(realm, { type: `LOGIN${at}`, error: `made_up_${at}`, clientId: 'spa' });
  counts.count(realm, { type: 'LOGIN', userId: 'u', clientId: 'spa' });
  await counts.flush();
  statistics.add = add;
  await counts.flush();
  const within = { from: NOON - DAY_MS, to: NOON + DAY_MS };
  const rows = (await statistics.counts('demo', within)).map(({ type, about, total }) => [type, about, total]);
  t.deepEqual(rows, [
    ['LOGIN', '', 1],
    ['OTHER_ERROR', 'other', 50],
  ]);
  t.is((await statistics.actives('demo', within)).length, 1);
});
