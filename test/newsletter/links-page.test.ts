import test, { type ExecutionContext } from 'ava';
import { adminCaller, administrator, startAdministered } from '../helpers/admin.js';
import { claimsOf, fetchAnswer, TestClock, type TestHost } from '../helpers/host.js';
import { ALICE, testRealm } from '../helpers/realms.js';

const PAGE = '/realms/demo/pages/newsletter-links';
const JSON_TYPE = { 'content-type': 'application/json' };

async function start(t: ExecutionContext, isolation: 'none' | 'worker', clock?: TestClock): Promise<TestHost> {
  const realm = testRealm('demo');
  const { 'realm-restapi-extension': _, ...handlers } = realm.providers ?? {};
  return startAdministered(t, {
    realms: [
      {
        ...realm,
        eventsEnabled: true,
        adminEventsEnabled: true,
        adminEventsDetailsEnabled: true,
        users: [
          ...(realm.users ?? []),
          administrator('viewer', 'view-users'),
          administrator('manager', 'manage-users'),
          administrator('events', 'manage-events'),
        ],
        providers: {
          ...handlers,
          'realm-restapi-extension': {
            newsletter: { enabled: true, config: { authentication: 'none', listedDays: 1 } },
          },
          'admin-page': { 'newsletter-links': { enabled: true } },
        },
      },
    ],
    plugins: [{ module: '@keyhost/newsletter', isolation }, { module: '@keyhost/external-app-notification' }],
    ...(clock === undefined ? {} : { clock }),
  });
}

const as = (host: TestHost, username: string) => adminCaller(host, { realm: 'demo', username, password: username });

for (const isolation of ['none', 'worker'] as const) {
  test(`newsletter: an admin makes a link that is shown once, works, and is listed (isolation ${isolation})`, async (t) => {
    const host = await start(t, isolation);
    const manager = await as(host, 'manager');
    const made = await manager('POST', `${PAGE}/mint`, { user: 'alice', applicationId: '42' });
    t.is(made.status, 200, made.text);
    const { link, expiresAt } = JSON.parse(made.text);
    const followed = await fetchAnswer(link);
    t.is(followed.status, 200, followed.text);
    t.is(claimsOf(followed.json.access_token ?? '').sub, ALICE);

    const root = await adminCaller(host);
    t.is((await root('POST', `${PAGE}/mint`, { user: ALICE, applicationId: '43' })).status, 200, 'by the id, too');
    const url = `${host.realm('demo')}/newsletter/generate-token`;
    const sent = JSON.stringify({ userId: ALICE, applicationId: '44' });
    t.is((await fetchAnswer(url, { method: 'POST', headers: JSON_TYPE, body: sent })).status, 200);
    const listed = async (query = '') => JSON.parse((await root('GET', `${PAGE}/list${query}`)).text);
    const { rows, more } = await listed();
    t.false(more);
    t.deepEqual(
      rows
        .map(({ userId, applicationId, by, state }: Record<string, string>) => [userId, applicationId, by, state])
        .sort((one: string[], other: string[]) => (String(one[1]) < String(other[1]) ? -1 : 1)),
      [
        [ALICE, '42', 'manager', 'valid'],
        [ALICE, '43', 'root (master)', 'valid'],
        [ALICE, '44', '127.0.0.1', 'valid'],
      ],
    );
    t.is(rows.find(({ applicationId }: { applicationId: string }) => applicationId === '42').expiresAt, expiresAt);
    t.is((await listed('?max=1')).rows.length, 1);
    t.true((await listed('?max=1')).more);
    t.is((await listed('?first=2&max=2')).rows.length, 1);

    const events = await host.stored('demo');
    const told = events.filter(({ type }) => type === 'NEWSLETTER_TOKEN').map(({ details }) => details.minted_by);
    t.deepEqual(told.sort(), ['manager', 'root (master)', undefined]);
    const admin = await host.store.events.query('demo', { kind: 'admin' });
    t.is(admin.length, 2);
    const token = new URL(link).searchParams.get('key') ?? '';
    t.false(
      JSON.stringify([events, admin, host.log, rows]).includes(token.slice(-40)),
      'the link is in its answer alone',
    );
  });
}

test('newsletter: a user who gets no link is reported beside the field, in both languages, and the event says why', async (t) => {
  const host = await start(t, 'none');
  const manager = await as(host, 'manager');
  const cases = {
    nobody: 'user_not_found',
    carol: 'user_disabled',
    dave: 'not_allowed',
    'service-account-nl': 'not_allowed',
  };
  for (const [user, why] of Object.entries(cases)) {
    const { status, text } = await manager('POST', `${PAGE}/mint`, { user, applicationId: '42' });
    t.is(status, 400, user);
    const { error, errors } = JSON.parse(text);
    t.is(error, why, user);
    t.is(errors[0].pointer, '/user');
    t.deepEqual(Object.keys(errors[0].message), ['en', 'de']);
  }
  const odd = await manager('POST', `${PAGE}/mint`, { user: '', applicationId: '../42' });
  t.deepEqual(
    JSON.parse(odd.text).errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/user', '/applicationId'],
  );
  const events = (await host.stored('demo')).filter(({ type }) => type === 'NEWSLETTER_TOKEN_ERROR');
  t.deepEqual(events.map(({ error }) => error).sort(), Object.values(cases).sort());
  t.deepEqual(JSON.parse((await manager('GET', `${PAGE}/list`)).text).rows, []);
});

test('newsletter: view-users sees the page, manage-users creates links, and other roles neither', async (t) => {
  const host = await start(t, 'none');
  const statuses = async (username: string) => {
    const call = await as(host, username);
    const mint = call('POST', `${PAGE}/mint`, { user: 'alice', applicationId: '42' });
    return (await Promise.all([call('GET', `${PAGE}/list`), mint])).map(({ status }) => status);
  };
  t.deepEqual(await statuses('viewer'), [200, 403]);
  t.deepEqual(await statuses('manager'), [200, 200]);
  t.deepEqual(await statuses('events'), [403, 403]);
  const [shown] = JSON.parse((await (await as(host, 'viewer'))('GET', '/realms/demo/pages')).text);
  t.deepEqual(shown.page.title, { en: 'Newsletter links', de: 'Newsletter-Links' });
});

test('newsletter: a link is listed as expired after its end, and leaves the list in time', async (t) => {
  const clock = new TestClock();
  const host = await start(t, 'none', clock);
  const list = async () => JSON.parse((await (await adminCaller(host))('GET', `${PAGE}/list`)).text).rows;
  const root = await adminCaller(host);
  const made = await root('POST', `${PAGE}/mint`, { user: 'alice', applicationId: '42' });
  const seconds = (JSON.parse(made.text).expiresAt - clock.now()) / 1000;
  clock.forward(seconds);
  t.like(await list(), [{ state: 'expired' }]);
  clock.forward(30 * 86_400);
  t.deepEqual(await list(), []);
});
