import test, { type ExecutionContext } from 'ava';
import { eventually } from '../helpers/eventually.js';
import { startHost, TestClock, type TestHost } from '../helpers/host.js';
import { startMailServer } from '../helpers/mail-server.js';
import { figures } from '../helpers/metrics.js';
import { shownRealm } from '../helpers/shown-realm.js';

const NAME = 'scheduled-cleanup';
const DAY = 86_400;
const GRANTS = { '*': ['view-users', 'manage-users', 'send-mail'] };

interface Scene {
  readonly host: TestHost;
  readonly clock: TestClock;
  /** Advances by some days, with a run on the last of them. @returns the summary in its log message */
  night(days: number): Promise<string>;
  /** The enabled users. */
  enabled(): Promise<readonly string[]>;
}

async function scene(
  t: ExecutionContext,
  { isolation = 'none', smtpServer, config = {} }: { isolation?: string; smtpServer: object; config?: object },
): Promise<Scene> {
  const shown = await shownRealm(NAME);
  const [ada] = shown.users ?? [];
  const person = (username: string, more: object = {}) => ({
    ...ada,
    username,
    email: `${username}@example.com`,
    ...more,
  });
  const settings = (shown.providers as Record<string, Record<string, { config: object }>>)['events-listener']?.[NAME];
  const clock = new TestClock();
  const host = await startHost(t, {
    realms: [
      {
        ...shown,
        smtpServer,
        sslRequired: 'none',
        clients: [...(shown.clients ?? []), { clientId: 'robot', secret: 's', serviceAccountsEnabled: true }],
        users: [
          person('ada', { attributes: { locale: ['de'] } }),
          person('bob'),
          person('grace'),
          person('mute', { email: undefined }),
          person('root', { clientRoles: { 'realm-management': ['manage-users'] } }),
        ],
        internationalizationEnabled: true,
        supportedLocales: ['en', 'de'],
        defaultLocale: 'en',
        providers: { 'events-listener': { [NAME]: { config: { ...settings?.config, ...config } } } },
      },
    ],
    plugins: [{ module: `@keyhost/${NAME}`, isolation, grants: GRANTS }],
    clock,
  });
  const runs = () => host.log.filter(({ message }) => message === 'scheduled work done');
  const place = { realm: NAME, namespace: '/schedules', key: `events-listener/${NAME}`, now: 0 };
  await eventually(() => host.store.entries.get(place));
  return {
    host,
    clock,
    async night(days) {
      // A late run applies the time at which it was due.
      for (const some of [days - 1, 1]) {
        const before = runs().length;
        clock.forward(some * DAY);
        await eventually(() => some === 0 || runs().length > before);
      }
      return String((runs().at(-1)?.fields as { summary?: string } | undefined)?.summary);
    },
    async enabled() {
      return (await host.store.users.find(NAME, { enabled: true })).map(({ username }) => username);
    },
  };
}

/** Signs in by password. */
async function signIn({ host }: Scene, username: string): Promise<number> {
  const body = new URLSearchParams({ grant_type: 'password', client_id: 'app', username, password: 'ada' });
  return (await fetch(`${host.url}/realms/${NAME}/protocol/openid-connect/token`, { method: 'POST', body })).status;
}

for (const isolation of ['none', 'worker']) {
  test(`scheduled cleanup: an inactive user is warned, disabled later, and deleted in the end (${isolation})`, async (t) => {
    const server = await startMailServer(t);
    const at = await scene(t, { isolation, smtpServer: server.settings, config: { deleteAfter: 30 } });
    t.is(await at.night(60), 'warned 0, disabled 0, deleted 0, unwarned 0, failed 0');
    t.is(await signIn(at, 'grace'), 200);
    t.is(await at.night(25), 'warned 2, disabled 0, deleted 0, unwarned 1, failed 0');
    const mails = [await server.mail(0), await server.mail(1)].sort((a, b) =>
      (a.headers.to ?? '').localeCompare(b.headers.to ?? ''),
    );
    t.regex(mails[0]?.text ?? '', /Sie haben sich seit 8[45] Tagen nicht/);
    t.regex(
      mails[1]?.text ?? '',
      /bob|You have not signed in to scheduled-cleanup for 8[45] days\. From \d{4}-\d\d-\d\d on/,
    );
    t.is(await at.night(3), 'warned 0, disabled 0, deleted 0, unwarned 1, failed 0', 'one warning is enough');
    t.is(await signIn(at, 'bob'), 200);
    t.is(await at.night(5), 'warned 0, disabled 1, deleted 0, unwarned 1, failed 0');
    t.deepEqual(await at.enabled(), ['bob', 'grace', 'mute', 'root']);
    t.not(await signIn(at, 'ada'), 200);
    await at.night(31);
    t.is((await at.host.store.users.byUsername(NAME, 'ada'))?.id, undefined);
    t.is(await at.host.store.users.count(NAME), 5, 'the account of the client is there');
    t.is(server.received.length, 2);
    const counted = await figures(at.host, 'plugin__x40_keyhost_x2f_scheduled_cleanup_users_total');
    t.deepEqual(
      ['warned', 'disabled', 'deleted'].map((outcome) => counted[`outcome=${outcome}`]),
      [2, 1, 1],
      JSON.stringify(counted),
    );
  });
}

test('scheduled cleanup: a dry run reports and changes nothing, and without an email server nobody is disabled', async (t) => {
  const server = await startMailServer(t);
  const dry = await scene(t, { smtpServer: server.settings, config: { dryRun: true } });
  for (const days of [85, 20])
    t.is(await dry.night(days), 'dry run: warned 3, disabled 0, deleted 0, unwarned 1, failed 0');
  // It lacks the sender's address.
  const mute = await scene(t, { smtpServer: { host: '127.0.0.1', port: '2525' } });
  for (const days of [85, 20]) t.is(await mute.night(days), 'warned 0, disabled 0, deleted 0, unwarned 4, failed 0');
  t.true(mute.host.log.some(({ message }) => message === 'users cannot be warned, and are not disabled'));
  for (const at of [dry, mute]) t.deepEqual(await at.enabled(), ['ada', 'bob', 'grace', 'mute', 'root']);
  t.is(server.received.length, 0);
});

test('scheduled cleanup: no run deletes a user whom an admin has re-enabled, whatever happened to the user since', async (t) => {
  const server = await startMailServer(t);
  const at = await scene(t, { smtpServer: server.settings, config: { deleteAfter: 30 } });
  await at.night(85);
  await at.night(9);
  t.deepEqual(await at.enabled(), ['mute', 'root']);
  const idOf = async (username: string) => (await at.host.store.users.byUsername(NAME, username))?.id ?? '';
  const ada = await idOf('ada');
  const { json } = await at.host.token(NAME, {
    grant_type: 'password',
    client_id: 'app',
    username: 'root',
    password: 'ada',
  });
  const headers = { authorization: `Bearer ${json.access_token}`, 'content-type': 'application/json' };
  for (const enabled of [true, false]) {
    const url = `${at.host.url}/admin/realms/${NAME}/users/${ada}`;
    t.is((await fetch(url, { method: 'PUT', headers, body: JSON.stringify({ enabled }) })).status, 204);
  }
  const pending = { realm: NAME, namespace: `@keyhost/${NAME}`, key: `pending/${ada}`, now: 0 };
  await eventually(async () => (await at.host.store.entries.get(pending)) === undefined);
  t.is(await at.night(32), 'warned 0, disabled 0, deleted 2, unwarned 1, failed 0');
  t.deepEqual([await idOf('ada'), await idOf('bob'), await idOf('grace')], [ada, '', '']);
});
