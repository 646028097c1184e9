import test from 'ava';
import { adminCaller, administered, administrator } from '../helpers/admin.js';
import { Browser, codeRequest, signIn } from '../helpers/form-browser.js';
import { startHost, TestClock } from '../helpers/host.js';
import { ALICE, testRealm } from '../helpers/realms.js';

const WEB = { client_id: 'web', client_secret: 's3cret:+/%&é' };
const PASSWORD = { ...WEB, grant_type: 'password', username: 'alice', password: 'Alice-pass-1!' };

test('last sign-ins: the last sign-in of a user is kept, with events switched off, too', async (t) => {
  const clock = new TestClock();
  const realm = testRealm('demo', { eventsEnabled: false, eventsListeners: [] });
  const watcher = administrator('watcher', 'query-users');
  const realms = [{ ...realm, users: [...(realm.users ?? []), watcher] }];
  const host = await startHost(t, administered({ realms, clock }));
  const call = await adminCaller(host);
  const idle = async () => {
    const { json } = await call('GET', `/realms/demo/users/idle?before=${clock.now() + 1e9}`);
    return json as unknown as { id: string; username: string; idleSince: number; lastSignIn?: number }[];
  };
  const ofAlice = async () => (await idle()).find(({ id }) => id === ALICE);
  t.deepEqual((await idle()).map(({ username }) => username).sort(), ['alice', 'dave', 'watcher', ALICE].sort());
  t.is((await ofAlice())?.lastSignIn, undefined);

  const browser = new Browser();
  const url = codeRequest(host).url;
  const other = codeRequest(host, { state: 'other' }).url;
  const isAnswered = ({ location }: { location?: URL | undefined }) => location?.searchParams.has('code');
  const elsewhere = new Browser();
  let refresh = '';
  const steps: readonly [what: string, isSignIn: boolean, act: () => Promise<unknown>][] = [
    [
      'a wrong password',
      false,
      async () => t.not((await host.token('demo', { ...PASSWORD, password: 'x' })).status, 200),
    ],
    [
      'a password grant',
      true,
      async () => {
        refresh = String((await host.token('demo', PASSWORD)).json.refresh_token);
      },
    ],
    [
      'a refresh',
      false,
      async () =>
        t.is((await host.token('demo', { ...WEB, grant_type: 'refresh_token', refresh_token: refresh })).status, 200),
    ],
    ['a login page', false, () => browser.open(url)],
    ['a login', true, async () => t.true(isAnswered(await signIn(browser, url)))],
    ['a login by the session of the browser', true, async () => t.true(isAnswered(await browser.open(other)))],
    [
      'an impersonation',
      false,
      async () => {
        const started = await call('POST', `/realms/demo/users/${ALICE}/impersonation`, {});
        for (const line of started.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          elsewhere.cookies.set(name, value);
        }
        t.true(isAnswered(await elsewhere.open(url)));
      },
    ],
  ];
  let last: number | undefined;
  for (const [what, isSignIn, act] of steps) {
    clock.forward(1);
    await act();
    if (isSignIn) last = clock.now();
    const { lastSignIn, idleSince } = (await ofAlice()) ?? {};
    t.is(lastSignIn, last, what);
    // The database uses its own clock for the times of sign-ins.
    t.true((idleSince ?? 0) >= (last ?? 1), what);
  }

  const [first, second] = await idle();
  const page = await call(
    'GET',
    `/realms/demo/users/idle?before=${clock.now() + 1e9}&max=1&after=${first?.idleSince}.${first?.id}`,
  );
  t.deepEqual(
    (page.json as unknown as { id: string }[]).map(({ id }) => id),
    [second?.id],
  );
  for (const query of ['', '?before=', '?before=yesterday', '?before=1&after=x', '?before=1&max=x'])
    t.is((await call('GET', `/realms/demo/users/idle${query}`)).status, 400, query);
  const asWatcher = await adminCaller(host, { realm: 'demo', username: 'watcher', password: 'watcher' });
  t.is((await asWatcher('GET', '/realms/demo/users/idle?before=1')).status, 403);
});
