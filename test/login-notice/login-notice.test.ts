import test from 'ava';
import { Browser, type Visit } from '../helpers/form-browser.js';
import { startHost } from '../helpers/host.js';
import { startMailServer } from '../helpers/mail-server.js';
import { shownLogin, shownRealm } from '../helpers/shown-realm.js';

const NAME = 'login-notice';
const code = ({ location }: Visit) => location?.searchParams.get('code') ?? undefined;

for (const isolation of ['none', 'worker']) {
  test(`login notice: a sign-in from a new device or network is reported by email, the first one is not (${isolation})`, async (t) => {
    const server = await startMailServer(t);
    const host = await startHost(t, {
      realms: [{ ...(await shownRealm(NAME)), smtpServer: server.settings, sslRequired: 'none' }],
      plugins: [{ module: '@keyhost/login-notice', isolation, grants: { '*': ['send-mail'] } }],
      argv: ['--proxy-headers', 'xforwarded'],
    });
    const signIn = async (browser: Browser, ip: string) => {
      const headers = { 'x-forwarded-for': ip, 'user-agent': 'Probe/1.0' };
      for (const name of [...browser.cookies.keys()])
        if (!name.startsWith('KEYHOST_STEP_')) browser.cookies.delete(name);
      const page = await browser.open(shownLogin(host, NAME).url, { headers });
      const action = /action="([^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
      const body = new URLSearchParams({ username: 'ada', password: 'ada' });
      t.truthy(code(await browser.open(action, { method: 'POST', headers, body })));
    };
    const browser = new Browser();
    await signIn(browser, '192.0.2.1');
    await signIn(browser, '192.0.2.9');
    await signIn(browser, '198.51.100.1');
    const network = await server.mail(0);
    t.is(network.headers.subject, 'New sign-in to Example app');
    t.regex(network.text, /Address: 198\.51\.100\.1\b/);
    t.regex(network.text, /Browser: Probe\/1\.0/);
    // The first one is reported as a new network, which the others are in.
    for (const ip of ['2001:db8:1:2::1', '2001:0db8:1::9', '2001:db8:1:a:b:c:d:e']) await signIn(browser, ip);
    t.regex((await server.mail(1)).text, /Address: 2001:db8:1:2::1\b/);
    await signIn(new Browser(), '192.0.2.1');
    t.regex(
      (await server.mail(2)).text,
      /Address: 192\.0\.2\.1\b/,
      'a known network, and the first sign-in, are not told',
    );
  });
}

test('login notice: a missing email server locks nobody out', async (t) => {
  // It lacks the sender's address.
  const realm = { ...(await shownRealm(NAME)), smtpServer: { host: '127.0.0.1', port: '2525' } };
  const host = await startHost(t, {
    realms: [realm],
    plugins: [{ module: '@keyhost/login-notice', grants: { '*': ['send-mail'] } }],
  });
  for (const browser of [new Browser(), new Browser()]) {
    const page = await browser.open(shownLogin(host, NAME).url);
    t.truthy(code(await browser.submit(page, { username: 'ada', password: 'ada' })));
  }
  t.is(host.log.filter(({ message }) => message === 'no notice was sent').length, 1);
});
