import test from 'ava';
import { Browser, type Visit } from '../helpers/form-browser.js';
import { startHost, TestClock } from '../helpers/host.js';
import { startMailServer } from '../helpers/mail-server.js';
import { shownLogin, shownRealm } from '../helpers/shown-realm.js';

const NAME = 'magic-link';
const RIGHTS = ['issue-login-links', 'send-mail', 'view-users', 'manage-users'];
const code = ({ location }: Visit) => location?.searchParams.get('code') ?? undefined;
const numberOf = ({ text }: Visit) => /select the number (\d\d)/.exec(text)?.[1] ?? '';
const keyOf = (link: string) => new URL(link).searchParams.get('key') ?? '';

for (const isolation of ['none', 'worker']) {
  test(`magic link: a mailed link signs in where it is opened, or by its number the window that waits (${isolation})`, async (t) => {
    const server = await startMailServer(t);
    const realm = await shownRealm(NAME);
    const host = await startHost(t, {
      realms: [{ ...realm, smtpServer: server.settings }],
      plugins: [{ module: '@keyhost/magic-link', isolation, grants: { '*': RIGHTS } }],
    });
    const begin = async (browser: Browser, username: string) =>
      browser.submit(await browser.open(shownLogin(host, NAME).url), { username });

    const browser = new Browser();
    const page = await begin(browser, 'ada@example.com');
    t.regex(page.text, /If ada@example.com belongs to an account/);
    const mail = await server.mail(0);
    t.deepEqual(mail.envelope.to, ['ada@example.com']);
    t.is(mail.headers.subject, 'Sign in to Example app');
    t.regex((await browser.submit(page, {})).text, /You have not used the link yet/);
    const done = await browser.submit(await browser.open(mail.link), { key: keyOf(mail.link) });
    t.truthy(code(done), done.text);

    const other = new Browser();
    const waiting = await begin(other, 'ada');
    const { link } = await server.mail(1);
    const phone = new Browser();
    await phone.submit(await phone.open(link), { key: keyOf(link), choice: numberOf(waiting) });
    t.truthy(code(await other.submit(waiting, {})));

    const stranger = new Browser();
    const shown = await begin(stranger, 'nobody@example.com');
    t.regex(numberOf(shown), /^\d\d$/, 'the page does not say who has an account');
    t.is(code(await stranger.submit(shown, {})), undefined);
    t.is(server.received.length, 2);

    const slow = await begin(stranger, 'ada');
    const first = await server.mail(2);
    const renewed = await stranger.submit(slow, { again: 'on' });
    t.regex(renewed.text, /You get a new link/);
    const second = await server.mail(3);
    t.is((await stranger.open(first.link)).status, 400, 'the newest link alone works');
    t.truthy(code(await stranger.submit(await stranger.open(second.link), { key: keyOf(second.link) })));
  });
}

test('magic link: a name for which too many mails were asked for gets the same page whether a user has it or not', async (t) => {
  const server = await startMailServer(t);
  const host = await startHost(t, {
    realms: [{ ...(await shownRealm(NAME)), smtpServer: server.settings }],
    plugins: [{ module: '@keyhost/magic-link', grants: { '*': RIGHTS } }],
  });
  const shown = async (username: string) => {
    const browser = new Browser();
    const page = await browser.submit(await browser.open(shownLogin(host, NAME).url), { username });
    const text = page.text.replaceAll(username, 'NAME').replaceAll(/number \d\d|(?:action|data-poll)="[^"]*"/g, '');
    return { status: page.status, text };
  };
  const first = await shown('ada');
  t.deepEqual(await shown('nobody'), first);
  for (let mails = 1; mails < 10; mails += 1) await Promise.all([shown('ada'), shown('nobody')]);
  const limited = await shown('ada');
  t.regex(limited.text, /No further email was sent just now/);
  t.deepEqual(await shown('nobody'), limited);
});

test('magic link: a user is created for a new address if the flow says so, and the link verifies it', async (t) => {
  const server = await startMailServer(t);
  const realm = await shownRealm(NAME);
  const config = { 'ext-magic-create-nonexistent-user': 'true' };
  const host = await startHost(t, {
    realms: [{ ...realm, smtpServer: server.settings, authenticatorConfig: [{ alias: 'link', config }] }],
    plugins: [{ module: '@keyhost/magic-link', grants: { '*': RIGHTS } }],
  });
  const browser = new Browser();
  await browser.submit(await browser.open(shownLogin(host, NAME).url), { username: 'new@example.com' });
  const { link } = await server.mail(0);
  const user = async () => host.users.byUsername(await host.loadedRealm(NAME), 'new@example.com');
  t.false((await user())?.view.emailVerified);
  t.truthy(code(await browser.submit(await browser.open(link), { key: keyOf(link) })));
  t.true((await user())?.view.emailVerified);
});

test('magic link: the email says how long its link works', async (t) => {
  const server = await startMailServer(t);
  const realm = { ...(await shownRealm(NAME)), smtpServer: server.settings };
  const table: Record<number, [en: RegExp, de: RegExp]> = {
    3: [/works once, for 3 seconds\./, /gilt einmal und 3 Sekunden lang\./],
    60: [/for 1 minute\./, /1 Minute lang\./],
    300: [/for 5 minutes\./, /5 Minuten lang\./],
    6000: [/for 100 minutes\./, /100 Minuten lang\./],
    43200: [/for 12 hours\./, /12 Stunden lang\./],
    129600: [/for 36 hours\./, /36 Stunden lang\./],
    561600: [/for 6 days\./, /6 Tage lang\./],
  };
  const languages = ['en', 'de'] as const;
  const host = await startHost(t, {
    realms: Object.keys(table).flatMap((seconds) =>
      languages.map((defaultLocale) => ({
        ...realm,
        realm: `${defaultLocale}-${seconds}`,
        actionTokenGeneratedByUserLifespan: Number(seconds),
        internationalizationEnabled: true,
        supportedLocales: [...languages],
        defaultLocale,
      })),
    ),
    plugins: [{ module: '@keyhost/magic-link', grants: { '*': RIGHTS } }],
    clock: new TestClock(),
  });
  let mails = 0;
  for (const [seconds, texts] of Object.entries(table)) {
    for (const [i, language] of languages.entries()) {
      const browser = new Browser();
      const { url } = shownLogin(host, `${language}-${seconds}`);
      await browser.submit(await browser.open(url), { username: 'ada' });
      t.regex((await server.mail(mails++)).text, texts[i] as RegExp, `${language} ${seconds}`);
    }
  }
});
