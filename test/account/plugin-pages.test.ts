import test, { type ExecutionContext } from 'ava';
import { accountRealm, accountUser, fieldsOf, openAccount, PASSWORD, send, told } from '../helpers/account.js';
import { Browser, unescapeHtml, type Visit } from '../helpers/form-browser.js';
import { startHost, TestClock, type TestHost } from '../helpers/host.js';
import { SUBSCRIPTIONS } from '../helpers/subscriptions-plugin.js';

const PAGE = '/pages/subscriptions';
const user = (username: string) => ({ username, password: PASSWORD });
const names = (page: Visit) =>
  [...page.text.matchAll(/class="item-title">([^<]*)/g)].map(([, name = '']) => unescapeHtml(name));
const navigation = ({ text }: Visit) =>
  [...(/<nav id="kc-account-nav"[\s\S]*?<\/nav>/.exec(text)?.[0].matchAll(/<span>([^<]*)/g) ?? [])].map(
    ([, name]) => name,
  );

async function start(t: ExecutionContext, isolation: string, clock = new TestClock()): Promise<TestHost> {
  const realmRoles: string[] = [];
  const users = [
    ...['erin', 'frank', 'thrown', 'odd'].map((name) => accountUser(name)),
    accountUser('reader', { realmRoles, clientRoles: { account: ['view-profile'] } }),
  ];
  const providers = { 'account-page': { subscriptions: { enabled: true } } };
  const german = { internationalizationEnabled: true, supportedLocales: ['en', 'de'] };
  return startHost(t, {
    realms: [accountRealm(users, { providers, ...german })],
    plugins: [{ module: 'subs', isolation }],
    packages: { subs: SUBSCRIPTIONS },
    clock,
  });
}

for (const isolation of ['none', 'worker']) {
  test.serial(
    `account pages of plugins: users see the page among the others, and act on it (isolation ${isolation})`,
    async (t) => {
      const clock = new TestClock();
      const host = await start(t, isolation, clock);
      const browser = new Browser();
      let page = await openAccount(browser, host, PAGE);
      t.deepEqual([page.status, ...told(page)], [200, 'Subscriptions']);
      t.is(navigation(page).at(-1), 'Subscriptions');
      t.regex(page.text, /aria-current="page"[\s\S]*Subscriptions/);
      t.deepEqual(names(page), ['News <b>of</b> erin'], 'text, and no markup');
      for (const part of [
        /What you read\./,
        /<dt>Since<\/dt><dd><time datetime="1970-01-01/,
        /<summary aria-label="End: News[^>]*>End<\/summary><p>Really\?/,
      ])
        t.regex(page.text, part);
      const act = (fields: Record<string, string>, from = page, headers = {}) =>
        send(browser, from, PAGE, fields, headers);
      const reload = async () => {
        page = await openAccount(browser, host, PAGE);
        return page;
      };

      // A rejected form preserves its input. The plugin gets only its own editable fields.
      let answer = await act({ 'kc.action': 'add', topic: '' });
      t.deepEqual([answer.status, ...told(answer)], [400, 'Subscriptions', 'No subscriptions.']);
      answer = await act({ 'kc.action': 'add', topic: 'no "way"' });
      t.deepEqual([answer.status, ...told(answer)], [400, 'Subscriptions', 'Not that.']);
      t.regex(answer.text, /name="topic"[^>]* value="no &quot;way&quot;"/);
      answer = await act({ 'kc.action': 'add', topic: 'throw' });
      t.deepEqual(
        [answer.status, told(answer)[1]],
        [503, 'This page is not available at the moment. Try again later.'],
      );
      t.regex(answer.text, /name="topic"[^>]* value="throw"/);
      answer = await act({ 'kc.action': 'add', topic: 'Tea', fixed: 'no', other: 'x' });
      t.is(answer.status, 303);
      t.deepEqual(
        [...told(await reload()), ...names(page)],
        ['Subscriptions', 'Subscribed to Tea.', 'News <b>of</b> erin', 'topic Tea'],
      );
      // A row.
      t.is((await act({ 'kc.action': 'end', 'kc.row': 'news' })).status, 303);
      t.deepEqual(names(await reload()), ['topic Tea']);
      // Actions that the page does not offer to this user are not executed.
      const wrong: readonly Record<string, string>[] = [
        { 'kc.action': 'end', 'kc.row': 'news' },
        { 'kc.action': 'end', 'kc.row': 'of-frank' },
        { 'kc.action': 'end' },
        { 'kc.action': 'hidden' },
        { 'kc.action': 'constructor' },
        { 'kc.action': 'add', 'kc.row': 'Tea' },
        { topic: 'Coffee' },
      ];
      for (const fields of wrong) {
        t.is((await act(fields)).status, 303);
        t.is(told(await reload())[1], 'The page has changed meanwhile. Nothing was done.', JSON.stringify(fields));
        t.deepEqual(names(page), ['topic Tea']);
      }
      // Forms of other users or sites.
      for (const [fields, headers] of [
        [{ stateChecker: 'x' }, {}],
        [{}, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }],
      ] as const) {
        t.is((await act({ 'kc.action': 'end', 'kc.row': 'Tea', ...fields }, page, headers)).status, 400);
      }
      t.deepEqual(names(await reload()), ['topic Tea']);
      // Another user has another list.
      const frank = await openAccount(new Browser(), host, PAGE, user('frank'));
      t.deepEqual(names(frank), ['News <b>of</b> frank']);

      // In the user's language.
      const german = await browser.open(`${host.realm('demo')}/account${PAGE}?kc_locale=de`);
      t.deepEqual([told(german)[0], navigation(german).at(-1)], ['Abonnements', 'Abonnements']);
      for (const part of [/<dd>de<\/dd>/, /Per Post/, /<summary[^>]*>Beenden/, /Thema/]) t.regex(german.text, part);

      // An action that requires a recent sign-in is refused without one.
      clock.forward(301);
      page = await browser.open(`${host.realm('demo')}/account${PAGE}?kc_locale=en`);
      answer = await act({ 'kc.action': 'wipe' });
      t.is(answer.status, 403);
      t.regex(answer.text, /\/account\/pages\/subscriptions\?fresh=1/);
      t.deepEqual(names(await reload()), ['topic Tea']);
      const login = await openAccount(browser, host, `${PAGE}?fresh=1`);
      t.is(told(login)[0], 'Subscriptions');
      t.is((await act({ 'kc.action': 'wipe' }, login)).status, 303);
      t.deepEqual([...told(await reload()), names(page).length], ['Subscriptions', 'Wiped.', 0]);
      t.regex(page.text, /<p class="none">No subscriptions\./);
    },
  );
}

test('account pages of plugins: a failing page shows an error, and the others work; users with view rights see no button', async (t) => {
  const host = await start(t, 'none');
  for (const name of ['thrown', 'odd']) {
    const browser = new Browser();
    const page = await openAccount(browser, host, PAGE, user(name));
    t.deepEqual(
      [page.status, ...told(page)],
      [503, 'Subscriptions', 'This page is not available at the moment. Try again later.'],
    );
    t.false(page.text.includes('the list is away'));
    t.is((await send(browser, page, PAGE, { 'kc.action': 'add', ...fieldsOf(page) })).status === 303, false);
    const profile = await browser.open(`${host.realm('demo')}/account/`);
    t.deepEqual([profile.status, navigation(profile).at(-1)], [200, 'Subscriptions']);
  }
  const reasons = host.log
    .filter(({ message }) => message === 'a page of the account failed')
    .map(({ fields }) => JSON.stringify(fields));
  t.true(reasons.some((reason) => /"plugin":"subs".*the list is away/.test(reason)));
  t.true(reasons.some((reason) => /what its SPI does not allow/.test(reason)));

  const browser = new Browser();
  const page = await openAccount(browser, host, PAGE, user('reader'));
  t.deepEqual([page.status, names(page).length], [200, 1]);
  t.notRegex(page.text, /<main[\s\S]*<button type="submit" class="button[\s\S]*<\/main>/);
  const profile = await openAccount(browser, host, '/', user('reader'));
  t.is(
    (
      await send(browser, { ...profile, text: `${profile.text}${page.text}` }, PAGE, {
        'kc.action': 'add',
        topic: 'Tea',
      })
    ).status,
    303,
  );
  t.is(names(await openAccount(browser, host, PAGE, user('reader'))).length, 1);
});

test('account pages of plugins: a realm without the page does not show it', async (t) => {
  const host = await startHost(t, {
    realms: [accountRealm([accountUser('erin')])],
    plugins: [{ module: 'subs' }],
    packages: { subs: SUBSCRIPTIONS },
  });
  const browser = new Browser();
  t.is(navigation(await openAccount(browser, host)).includes('Subscriptions'), false);
  t.is((await browser.open(`${host.realm('demo')}/account${PAGE}`)).status, 404);
});
