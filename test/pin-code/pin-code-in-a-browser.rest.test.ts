import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { axeFindings } from '../helpers/admin-console.js';
import { browserTest, startBrowser } from '../helpers/browser.js';
import { inRealm } from '../helpers/host.js';
import { shareHost } from '../helpers/shared-host.js';
import { shownLogin, shownRealm } from '../helpers/shown-realm.js';
import { shows } from '../helpers/shows.js';

const shared = shareHost(test, { realms: [], plugins: [{ module: '@keyhost/pin-code' }] });
const APPLICATION = /^http:\/\/127\.0\.0\.1:3000\/cb\?.*\bcode=/;
const GERMAN = { internationalizationEnabled: true, supportedLocales: ['en', 'de'] };

browserTest('PIN code: on a phone it is chosen, typed on the keypad, and shown on the account page', async (t) => {
  const browser = await startBrowser(t);
  const realm: RealmRepresentation = await shownRealm('pin-code');
  const host = await inRealm(shared(), (name) => {
    const users = (realm.users ?? []).map((user) => ({ ...user, realmRoles: [`default-roles-${name}`] }));
    return { ...realm, ...GERMAN, realm: name, users };
  });
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'de' });
  let page = await context.newPage();
  // The application does not exist: its error page would interrupt the next navigation.
  const leave = async () => {
    await page.close();
    page = await context.newPage();
  };
  const logIn = async (isKnown = false) => {
    await page.goto(shownLogin(host, host.defaultRealm, { prompt: 'login' }).url);
    if (!isKnown) await page.getByLabel('Benutzername oder E-Mail', { exact: true }).fill('ada');
    await page.getByLabel('Passwort', { exact: true }).fill('ada');
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  };
  const isFit = async () => {
    t.is(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
    t.deepEqual(await axeFindings(page), []);
    await shows(t, () => page.locator('#pin').getAttribute('inputmode'), 'numeric');
  };

  await logIn();
  await shows(t, () => page.locator('h1').innerText(), 'Wählen Sie eine PIN');
  await isFit();
  await page.locator('#pin').fill('123456');
  await page.locator('#pin-repeated').fill('123456');
  await page.locator('#kc-submit').click();
  await shows(t, () => page.locator('main').innerText(), /leicht zu erraten/);
  await isFit();
  await page.locator('#pin').fill('471108');
  await page.locator('#pin-repeated').fill('471108');
  const signedIn = page.waitForRequest(APPLICATION);
  await page.locator('#kc-submit').click();
  await signedIn;
  await leave();

  await logIn(true);
  await shows(t, () => page.locator('h1').innerText(), 'Geben Sie Ihre PIN ein');
  await isFit();
  await page.locator('#pin').fill('471108');
  const again = page.waitForRequest(APPLICATION);
  await page.locator('#kc-submit').click();
  await again;
  await leave();

  await page.goto(`${host.realm(host.defaultRealm)}/account/account-security/signing-in`);
  await shows(t, () => page.locator('#kc-credentials-pin-code').innerText(), /PIN[\s\S]*nach dem Passwort/);
  await page.getByRole('link', { name: 'Entfernen: PIN', exact: true }).waitFor();
  t.deepEqual(await axeFindings(page), []);
});
