import test from 'ava';
import type { BrowserContextOptions } from 'playwright-core';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { axeFindings } from '../helpers/admin-console.js';
import { browserTest, startBrowser } from '../helpers/browser.js';
import { gate } from '../helpers/gate.js';
import { inRealm } from '../helpers/host.js';
import { storedUser } from '../helpers/registration.js';
import { shareHost } from '../helpers/shared-host.js';
import { shownLogin, shownRealm } from '../helpers/shown-realm.js';
import { shows } from '../helpers/shows.js';

const shared = shareHost(test, { realms: [], plugins: [{ module: '@keyhost/captcha' }] });
const APPLICATION = /^http:\/\/127\.0\.0\.1:3000\/cb\?.*\bcode=/;
const PHONE = { viewport: { width: 390, height: 844 }, locale: 'de' };

browserTest(
  'captcha: a phone solves the tasks of login and registration by itself, and the form waits for it',
  async (t) => {
    const browser = await startBrowser(t);
    const realm: RealmRepresentation = await shownRealm('captcha');
    const host = await inRealm(shared(), (name) => ({ ...realm, realm: name }));
    const open = async (
      changes: Record<string, string>,
      options: BrowserContextOptions = {},
      solves?: Promise<void>,
    ) => {
      const context = await browser.newContext({ ...PHONE, ...options });
      await context.route('**/solver.js', async (route) => {
        await solves;
        await route.continue();
      });
      const page = await context.newPage();
      await page.goto(shownLogin(host, host.defaultRealm, changes).url);
      return page;
    };

    const login = await open({});
    await login.getByLabel('Passwort', { exact: true }).fill('ada');
    await login.getByLabel('Benutzername oder E-Mail', { exact: true }).fill('ada');
    const signedIn = login.waitForRequest(APPLICATION);
    await login.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await signedIn;

    const page = await open({ prompt: 'create' });
    for (const [id, text] of [
      ['username', 'newcomer'],
      ['email', 'new@comer.test'],
      ['firstName', 'New'],
      ['lastName', 'Comer'],
      ['password', 'a new password'],
      ['password-confirm', 'a new password'],
    ] as const) {
      await page.locator(`#${id}`).fill(text);
    }
    await shows(t, () => page.locator('#altcha-status').inputValue(), 'Die Prüfung ist fertig.');
    t.is(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
    t.deepEqual(await axeFindings(page), []);
    const registered = page.waitForRequest(APPLICATION);
    await page.locator('#kc-submit').click();
    await registered;
    t.truthy(await storedUser(host, 'newcomer'));

    // A user who is faster than the task waits for it, and may leave at any time.
    const solver = gate();
    const slow = await open({ prompt: 'create' }, { locale: 'en' }, solver.opened);
    await slow.evaluate("document.querySelector('form').noValidate = true");
    await slow.locator('#kc-submit').click();
    await shows(t, () => slow.locator('#altcha-status').inputValue(), /^One moment/);
    solver.open();
    await slow.locator('.field-error').first().waitFor();
    await shows(t, () => slow.locator('main').innerText(), /Please enter a username/);
    await slow.locator('#kc-cancel').click();
    await slow.getByRole('heading', { name: 'Checking your browser', exact: true }).waitFor();

    const without = await open({ prompt: 'create' }, { javaScriptEnabled: false, locale: 'en' });
    await shows(t, () => without.locator('main').innerText(), /This check needs JavaScript/);
  },
);
