import { generateKeyPairSync } from 'node:crypto';
import test from 'ava';
import * as jose from 'jose';
import type { Page } from 'playwright-core';
import { administered, administrator } from '../helpers/admin.js';
import { axeFindings, openSignedIn } from '../helpers/admin-console.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { startHost } from '../helpers/host.js';
import { logIn, userinfo } from '../helpers/login.js';
import { testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

const demo = testRealm('demo', { ssoSessionMaxLifespan: 7200 });
demo.clients?.push({
  clientId: 'es',
  secret: 's',
  attributes: { 'access.token.signed.response.alg': 'ES256' },
});
demo.users?.push(administrator('keeper', 'view-realm'), administrator('manager', 'manage-realm', 'view-realm'));

const scene = shareStarted(test, async (scope) => ({
  host: await startHost(scope, administered({ realms: [demo] })),
  browser: hasChromium ? await startBrowser(scope) : undefined,
}));

function started() {
  const { host, browser } = scene();
  if (browser === undefined) throw new Error('the browser did not start');
  return { host, browser };
}

const as = (username: string) => ({ as: { realm: 'demo', username, password: username } });
/** The texts of the rows of an algorithm, without the age. */
const rowsOf = (page: Page, algorithm: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: algorithm, exact: true }) });
const kidOf = (token: string) => String(jose.decodeProtectedHeader(token).kid);

browserTest('admin console, keys: a rotated key verifies until it is removed, with a warning before', async (t) => {
  const { host } = started();
  const old = (await logIn(host)).access_token;
  const { page, done } = await openSignedIn(t, started(), 'realms/demo/keys');
  await rowsOf(page, 'ES256').getByText('1 client chooses it').waitFor();
  await rowsOf(page, 'HS512').getByText('Refresh tokens, session cookies and links in emails').waitFor();
  await page.getByRole('button', { name: 'Rotate RS256', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('A new key signs all new tokens.').waitFor();
  await dialog.getByText('Both are valid until').locator('time').waitFor();
  await dialog.getByRole('button', { name: 'Rotate', exact: true }).click();
  await page.getByText('The realm has a new key of RS256.').waitFor();
  await shows(t, () => rowsOf(page, 'RS256').locator('.badge').allInnerTexts(), ['Signs', 'Passive']);
  await rowsOf(page, 'RS256').nth(1).getByText('last tokens expire').locator('time').waitFor();
  t.not(kidOf((await logIn(host)).access_token), kidOf(old));
  t.is((await userinfo(host, old)).status, 200);
  await rowsOf(page, 'RS256').nth(1).getByRole('link').click();
  await page.getByText(kidOf(old), { exact: true }).waitFor();
  const pem = await page.locator('.pem').first().innerText();
  await t.notThrowsAsync(jose.importSPKI(pem, 'RS256'));
  await page.getByRole('button', { name: 'Disable', exact: true }).click();
  await dialog.getByText('Access tokens and ID tokens that this key signed are invalid at once').waitFor();
  await dialog.getByRole('button', { name: 'Disable', exact: true }).click();
  await page.getByText('The key is disabled.').waitFor();
  t.is((await userinfo(host, old)).status, 401);
  await page.getByRole('button', { name: 'Enable', exact: true }).click();
  await dialog.getByRole('button', { name: 'Enable', exact: true }).click();
  await page.getByText('The key is enabled.').waitFor();
  t.is((await userinfo(host, old)).status, 200);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await dialog.getByText('Its last tokens expire:').waitFor();
  await dialog.getByText('You cannot undo this.').waitFor();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('heading', { name: 'Keys of demo', exact: true }).waitFor();
  await shows(t, () => rowsOf(page, 'RS256').count(), 1);
  t.is((await userinfo(host, old)).status, 401);
  await done();
});

browserTest(
  'admin console, keys: an RSA key is imported, its mistakes are at their fields, and it never comes back',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/keys');
    const answers: string[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/admin/realms/'))
        void response.text().then(
          (text) => answers.push(text),
          () => {},
        );
    });
    await page.getByRole('button', { name: 'Import key', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const save = dialog.getByRole('button', { name: 'Import key', exact: true });
    const privateKey = dialog.getByLabel('Private key (PEM)');
    await shows(t, () => save.isDisabled(), true);
    await privateKey.fill('no key');
    await save.click();
    await dialog.getByText('privateKey is not a PKCS#8 or PKCS#1 private key').waitFor();
    await shows(t, () => privateKey.getAttribute('aria-invalid'), 'true');
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    await privateKey.fill(pem);
    await dialog.getByLabel('Algorithm').selectOption('PS256');
    await dialog.getByRole('checkbox', { name: 'Verify only' }).check();
    await save.click();
    await page.getByText('Key imported.').waitFor();
    await rowsOf(page, 'PS256').getByText('Passive').waitFor();
    await page.getByRole('button', { name: 'Import key', exact: true }).click();
    await privateKey.fill(pem);
    await save.click();
    await dialog.getByText('The realm already has this key').waitFor();
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await rowsOf(page, 'PS256').getByRole('link').click();
    await page.getByRole('heading', { name: 'Public key', exact: true }).waitFor();
    const secret = pem.split('\n')[3] ?? '-';
    t.true(answers.length > 3);
    t.false(answers.some((text) => text.includes(secret)));
    t.false((await page.content()).includes(secret));
    await done();
  },
);

browserTest(
  'admin console, keys: the key of sessions warns of sign-ins, and what a role does not allow is absent',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/keys', as('manager'));
    await page.getByText('Importing a key requires the role realm-admin').waitFor();
    await shows(t, () => page.getByRole('button', { name: /^Import/ }).count(), 0);
    await rowsOf(page, 'HS512').getByRole('link').click();
    await page.getByText('Tokens of offline sessions have no end.').waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('All these users must sign in again').waitFor();
    await dialog.getByText('This includes you').waitFor();
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await done();
  },
);

browserTest('admin console, keys: who may only view the realm sees keys and changes none', async (t) => {
  const { page, done } = await openSignedIn(t, started(), 'realms/demo/keys', as('keeper'));
  await page.getByText('Read-only. Changing keys requires the role manage-realm.').waitFor();
  await shows(t, () => page.getByRole('button', { name: /^(Rotate|Import)/ }).count(), 0);
  await rowsOf(page, 'HS512').getByRole('link').click();
  await page.getByRole('heading', { name: 'What it does', exact: true }).waitFor();
  await shows(t, () => page.getByRole('button', { name: /^(Remove|Disable|Set passive|Rotate)$/ }).count(), 0);
  await done();
});

browserTest('admin console, keys: axe finds nothing, on a phone, in the dark and in German', async (t) => {
  const view = { width: 390, colorScheme: 'dark', locale: 'de' } as const;
  const { page, done } = await openSignedIn(t, started(), 'realms/demo/keys', view);
  await rowsOf(page, 'HS512').getByText('Signiert').waitFor();
  t.deepEqual(await axeFindings(page), []);
  t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
  await page.getByRole('button', { name: 'Schlüssel importieren', exact: true }).click();
  t.deepEqual(await axeFindings(page), []);
  await page.getByRole('dialog').getByRole('button', { name: 'Abbrechen', exact: true }).click();
  await rowsOf(page, 'RS256').first().getByRole('link').click();
  await page.getByRole('heading', { name: 'Öffentlicher Schlüssel', exact: true }).waitFor();
  t.deepEqual(await axeFindings(page), []);
  t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
  await done();
});
