import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { browserTest, startBrowser } from '../helpers/browser.js';
import { PARTNER_ALICE, PARTNER_SECRET, PAULA, startWithPartner } from '../helpers/external-idp.js';
import { codeRequest } from '../helpers/form-browser.js';
import { startApplication } from '../helpers/local-application.js';
import { arrival, fillIn } from '../helpers/login-scene.js';
import { startMailServer } from '../helpers/mail-server.js';

/** A real browser, application and mail server. */
async function stage(t: ExecutionContext) {
  const browser = await startBrowser(t);
  const [application, server, folder] = await Promise.all([
    startApplication(t),
    startMailServer(t),
    mkdtemp(join(tmpdir(), 'keyhost-broker-')),
  ]);
  t.log(`screenshots: ${folder}`);
  const scene = await startWithPartner(t, {
    demo: {
      smtpServer: server.settings,
      displayName: 'Demo & Söhne',
      resetPasswordAllowed: true,
      internationalizationEnabled: true,
      supportedLocales: ['en', 'de'],
    },
    partner: { displayName: 'Partner' },
  });
  const [web] = await scene.admin.clients.find({ clientId: 'web' });
  await scene.admin.clients.update({ id: web?.id ?? '' }, { ...web, redirectUris: [application.callback] });
  const request = (more: Record<string, string> = {}) =>
    codeRequest(scene.host, { redirect_uri: application.callback, ...more }).url;
  const photograph = async (page: Page, name: string) => {
    for (const [view, width] of [
      ['wide', 1280],
      ['narrow', 390],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.screenshot({ path: join(folder, `${name}-${view}.png`), fullPage: true });
      t.true(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0, `${name}, ${view}`);
    }
  };
  return { ...scene, browser, application, server, request, photograph };
}

browserTest(
  'account linking: a user of the partner signs in, and an existing user links the account by email, in a real browser',
  async (t) => {
    const on = await stage(t);
    const { browser, application, server, request, photograph } = on;
    const paula = await (await browser.newContext({ locale: 'en' })).newPage();
    await paula.goto(request());
    await photograph(paula, 'login');
    await paula.locator('#social-partner').click();
    await paula.waitForURL(/\/realms\/partner\//);
    await photograph(paula, 'login-at-the-partner');
    await fillIn(paula, PAULA.password, PAULA.username);
    t.truthy((await arrival(paula, { application })).get('code'));

    const alice = await (await browser.newContext({ locale: 'en' })).newPage();
    await alice.goto(request());
    await alice.locator('#social-partner').press('Enter');
    await fillIn(alice, PARTNER_ALICE.password, PARTNER_ALICE.username);
    await alice.locator('h1', { hasText: 'Account already exists' }).waitFor();
    await photograph(alice, 'account-exists');
    await alice.locator('#kc-cancel').click();
    await alice.locator('h1', { hasText: 'Update account information' }).waitFor();
    await photograph(alice, 'review-profile');
    await alice.locator('#kc-submit').click();
    await alice.locator('h1', { hasText: 'Account already exists' }).waitFor();
    await alice.locator('#kc-submit').click();
    await alice.locator('h1', { hasText: 'Link Partner' }).waitFor();
    await photograph(alice, 'link-by-mail');
    await alice.locator('#kc-locale a', { hasText: 'Deutsch' }).click();
    await alice.locator('h1', { hasText: 'Partner & Co verknüpfen' }).waitFor();
    await alice.locator('#kc-submit').click();
    await alice.getByText('Folgen Sie zuerst dem Link in der E-Mail.').waitFor();
    await photograph(alice, 'link-not-followed');
    const { link } = await server.mail(0);
    const phone = await (await browser.newContext({ locale: 'en' })).newPage();
    await phone.goto(link);
    await photograph(phone, 'confirm-elsewhere');
    await phone.locator('form button[type=submit]').first().click();
    await phone.getByText('Go back to the browser where you started').waitFor();
    await photograph(phone, 'confirmed-elsewhere');
    await alice.locator('#kc-submit').click();
    t.truthy((await arrival(alice, { application })).get('code'));
    t.is((await on.user('alice'))?.representation.federatedIdentities?.length, 1);
  },
);

browserTest(
  'account linking: an account is linked by the password, or because an application asks, in a real browser',
  async (t) => {
    const on = await stage(t);
    const { browser, application, request, photograph, host, admin } = on;
    const page = await (await browser.newContext({ locale: 'en' })).newPage();
    await page.goto(request({ kc_idp_hint: 'partner' }));
    await fillIn(page, PARTNER_ALICE.password, PARTNER_ALICE.username);
    await page.locator('#kc-submit').click();
    await page.locator('button[name=authenticationExecution]', { hasText: 'password' }).click();
    await page.locator('#password').fill('wrong');
    await page.locator('#kc-submit').click();
    await page.getByText('Invalid password.').waitFor();
    await photograph(page, 'link-by-password');
    await page.locator('#password').fill('Alice-pass-1!');
    await page.locator('#kc-submit').click();
    t.truthy((await arrival(page, { application })).get('code'));

    const id = (await on.user('alice'))?.id ?? '';
    await admin.users.delFromFederatedIdentity({ id, federatedIdentityId: 'partner' });
    await page.goto(request({ kc_action: 'idp_link:partner' }));
    await page.locator('h1', { hasText: 'Link Partner' }).waitFor();
    await photograph(page, 'link-asked-by-application');
    await page.locator('#kc-submit').click();
    t.is((await arrival(page, { application })).get('kc_action_status'), 'success');

    const provider = await admin.identityProviders.findOne({ alias: 'partner' });
    const config = {
      ...provider?.config,
      tokenUrl: 'http://127.0.0.1:1/token',
      clientSecret: PARTNER_SECRET,
      logoutUrl: `${host.oidc('partner')}/logout`,
    };
    await admin.identityProviders.update({ alias: 'partner' }, { ...provider, config });
    await page.goto(request({ prompt: 'login' }));
    await photograph(page, 'login-again');
    const other = await (await browser.newContext({ locale: 'en' })).newPage();
    await other.goto(request({ kc_idp_hint: 'partner' }));
    await fillIn(other, PAULA.password, PAULA.username);
    await other.getByText('The identity provider could not sign you in. Please try again.').waitFor();
    await photograph(other, 'provider-failed');
  },
);
