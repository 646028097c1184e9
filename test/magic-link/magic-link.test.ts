import test from 'ava';
import { Browser, type Visit } from '../helpers/form-browser.js';
import { startHost } from '../helpers/host.js';
import { startMailServer } from '../helpers/mail-server.js';
import { shownLogin, shownRealm } from '../helpers/shown-realm.js';

const NAME = 'magic-link';
const RIGHTS = ['issue-login-links', 'send-mail', 'view-users', 'manage-users'];
const code = ({ location }: Visit) => location?.searchParams.get('code') ?? undefined;
const numberOf = ({ text }: Visit) => /select the number (\d\d)/.exec(text)?.[1] ?? '';
const keyOf = (link: string) => new URL(link).searchParams.get('key') ?? '';

for (const isolation of ['none', 'worker']) {
  test(`a mailed link signs in where it is opened, or by its number the window that waits (${isolation})`, async (t) => {
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
    t.regex(page.text, /If ada@example.com has an account/);
    const mail = await server.mail(0);
    t.deepEqual(mail.envelope.to, ['ada@example.com']);
    t.is(mail.headers.subject, 'Sign in to app');
    t.regex((await browser.submit(page, {})).text, /has not been opened yet/);
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
  });
}

test('a user is created for a new address where the flow says so, and the link verifies it', async (t) => {
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
  const user = async () => host.users.byUsername((await host.realms.get(NAME)) as never, 'new@example.com');
  t.false((await user())?.view.emailVerified);
  t.truthy(code(await browser.submit(await browser.open(link), { key: keyOf(link) })));
  t.true((await user())?.view.emailVerified);
});
