import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { accountUser } from '../helpers/account.js';
import { fillIn, inScene, type LoginScene, shareScene } from '../helpers/login-scene.js';
import { shows } from '../helpers/shows.js';

/** A security key. No flow of this realm asks for one. */
const KEY = { type: 'webauthn', userLabel: 'My key', createdDate: 1_760_000_000_000, secretData: '{}' };
const erin = accountUser('erin', {
  realmRoles: ['default-roles-demo'],
  emailVerified: false,
  credentials: [{ type: 'password', value: 'Alice-pass-1!' }, KEY],
  federatedIdentities: [{ identityProvider: 'github', userId: '1', userName: 'erin-on-github' }],
  clientConsents: [
    {
      clientId: 'agreeable',
      grantedClientScopes: ['profile', 'email', 'phone'],
      createdDate: 1_760_000_000_000,
      lastUpdatedDate: 1_760_000_000_000,
    },
  ],
});

const scene = shareScene({
  internationalizationEnabled: true,
  supportedLocales: ['en', 'de'],
  identityProviders: [
    { alias: 'github', providerId: 'github', displayName: 'GitHub', enabled: true },
    {
      alias: 'corporate',
      providerId: 'oidc',
      displayName: 'The company',
      enabled: true,
      config: {
        clientId: 'keyhost',
        clientSecret: 'x',
        authorizationUrl: 'https://sso.example.test/auth',
        tokenUrl: 'https://sso.example.test/token',
        issuer: 'https://sso.example.test',
        validateSignature: 'true',
        useJwksUrl: 'true',
        jwksUrl: 'https://sso.example.test/certs',
      },
    },
  ],
  users: [erin],
});

const address = ({ host }: Pick<LoginScene, 'host'>, path: string) => `${host.realm('demo')}/account${path}`;

async function signIn(page: Page, stage: LoginScene, path = '/'): Promise<void> {
  await page.goto(address(stage, path));
  await fillIn(page, 'Alice-pass-1!', 'erin');
  await page.locator('#kc-account-nav').waitFor();
}

inScene(
  scene,
  'without scripts everything works: profile, names, other sessions, languages, signing out',
  async (t, stage) => {
    const elsewhere = await (await stage.browser.newContext()).newPage();
    await signIn(elsewhere, stage);
    const context = await stage.browser.newContext({ javaScriptEnabled: false, locale: 'en' });
    const page = await context.newPage();
    await signIn(page, stage);
    await page.locator('#firstName').fill('Érin');
    await page.locator('#kc-save').click();
    await shows(t, () => page.locator('.alert-text').innerText(), 'Your account has been updated.');
    await shows(t, () => page.locator('#firstName').inputValue(), 'Érin');
    await page.getByRole('link', { name: 'Signing in', exact: true }).click();
    await page.locator('summary').click();
    await page.locator('input[name=userLabel]').fill('The red one');
    await page.locator('details button').click();
    await shows(t, () => page.locator('.item-title').allInnerTexts(), ['My password', 'The red one']);
    await page.getByRole('link', { name: 'Device activity', exact: true }).click();
    await page.locator('#kc-sessions > li').nth(1).waitFor();
    await page.locator('#kc-sign-out-others button').click();
    await shows(t, () => page.locator('#kc-sessions > li').count(), 1);
    await elsewhere.goto(address(stage, '/'));
    await elsewhere.locator('#kc-form-login').waitFor();
    await page.getByRole('link', { name: 'Deutsch', exact: true }).click();
    await shows(t, () => page.locator('h1').innerText(), 'Geräteaktivität');
    await page.locator('#kc-sign-out').click();
    await page.locator('#kc-form-login').waitFor();
    await context.close();
  },
);

const PAGES = {
  profile: '/',
  'signing-in': '/account-security/signing-in',
  devices: '/account-security/device-activity',
  'linked-accounts': '/account-security/linked-accounts',
  applications: '/applications',
};
const VIEWS = [
  { name: 'wide', width: 1280, height: 800, colorScheme: 'light', locale: 'en' },
  { name: 'narrow', width: 390, height: 844, colorScheme: 'light', locale: 'en' },
  { name: 'narrow-dark', width: 390, height: 844, colorScheme: 'dark', locale: 'de' },
  { name: 'narrowest', width: 320, height: 640, colorScheme: 'light', locale: 'de' },
  { name: 'dark', width: 1280, height: 800, colorScheme: 'dark', locale: 'de' },
] as const;

inScene(scene, 'every page of the account is photographed, and none scrolls sideways', async (t, stage) => {
  const folder = await mkdtemp(join(tmpdir(), 'keyhost-account-'));
  t.log(`screenshots: ${folder}`);
  const elsewhere = await stage.browser.newContext({ locale: 'en' });
  await signIn(await elsewhere.newPage(), stage);
  for (const { name: view, width, height, colorScheme, locale } of VIEWS) {
    const context = await stage.browser.newContext({ viewport: { width, height }, colorScheme, locale });
    const page = await context.newPage();
    const photograph = async (name: string) => {
      await page.screenshot({ path: join(folder, `${name}-${view}.png`), fullPage: true });
      t.true(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0, `${name}, ${view}`);
    };
    await signIn(page, stage);
    for (const [name, path] of Object.entries(PAGES)) {
      await page.goto(address(stage, path));
      await photograph(name);
    }
    await page.goto(address(stage, PAGES.profile));
    await page.locator('#lastName').fill(' ');
    await page.locator('#kc-save').click();
    await page.locator('#input-error-lastName').waitFor();
    await photograph('profile-with-error');
    await page.goto(address(stage, PAGES['signing-in']));
    await page.locator('summary').click();
    await photograph('rename');
    await page.locator('.danger').click();
    await page.locator('#kc-remove-credential').waitFor();
    await photograph('remove');
    await context.close();
  }
});
