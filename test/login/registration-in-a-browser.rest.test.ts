import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { arrival, inScene, shareScene } from '../helpers/login-scene.js';
import { shows } from '../helpers/shows.js';

const own = { permissions: { view: ['admin', 'user'], edit: ['admin', 'user'] } };
const shown = { permissions: { view: ['admin', 'user'], edit: ['admin'] } };
const PROFILE = {
  attributes: [
    { name: 'username', ...own, displayName: '${username}', validations: { length: { min: 3, max: 255 } } },
    { name: 'email', ...own, displayName: '${email}', required: { roles: ['user'] } },
    { name: 'firstName', ...own, displayName: '${firstName}', required: { roles: ['user'] } },
    {
      name: 'country',
      ...own,
      displayName: 'Country',
      group: 'more',
      required: {},
      annotations: { inputType: 'select' },
      validations: { options: { options: ['Austria', 'Germany'] } },
    },
    {
      name: 'topics',
      ...own,
      displayName: 'Topics',
      group: 'more',
      multivalued: true,
      annotations: { inputType: 'multiselect-checkboxes', inputHelperTextAfter: 'What we may write to you about' },
      validations: { options: { options: ['Books', 'Music & theatre', 'Sports'] } },
    },
    {
      name: 'about',
      ...own,
      displayName: 'About you',
      group: 'more',
      annotations: { inputType: 'textarea', inputTypePlaceholder: 'A few words' },
    },
    { name: 'badge', ...shown, displayName: 'Badge' },
  ],
  groups: [{ name: 'more', displayHeader: 'More about you' }],
};

const scene = shareScene({
  registrationAllowed: true,
  resetPasswordAllowed: true,
  internationalizationEnabled: true,
  supportedLocales: ['en', 'de'],
  components: {
    'org.keycloak.userprofile.UserProfileProvider': [
      { providerId: 'declarative-user-profile', config: { 'kc.user.profile.config': [JSON.stringify(PROFILE)] } },
    ],
  },
  requiredActions: [
    { alias: 'UPDATE_PROFILE', enabled: true },
    { alias: 'UPDATE_EMAIL', enabled: true },
  ],
});

const VIEWS = [
  { name: 'wide', width: 1280, height: 900, locale: 'en' },
  { name: 'phone', width: 390, height: 844, locale: 'en' },
  { name: 'german', width: 390, height: 844, locale: 'de' },
] as const;

async function fill(page: Page, username: string): Promise<void> {
  const texts = {
    username,
    email: `${username}@a.test`,
    firstName: 'New',
    password: 'Pass-word-1',
    about: 'I am\nhere',
  };
  for (const [name, text] of Object.entries(texts)) await page.locator(`[name="${name}"]`).fill(text);
  await page.locator('[name=password-confirm]').fill('Pass-word-1');
  await page.locator('[name=country]').selectOption('Austria');
  await page.getByLabel('Books').check();
  await page.getByLabel('Sports').check();
}

function photographer(folder: string, view: string, page: Page, t: { true(ok: boolean, message: string): void }) {
  return async (name: string) => {
    await page.screenshot({ path: join(folder, `${name}-${view}.png`), fullPage: true });
    t.true(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0, `${name}, ${view}`);
  };
}

inScene(
  scene,
  'people register, correct themselves, and change their profile and address, in two languages',
  async (t, stage) => {
    const folder = await mkdtemp(join(tmpdir(), 'keyhost-registration-'));
    t.log(`screenshots: ${folder}`);
    for (const { name: view, width, height, locale } of VIEWS) {
      const context = await stage.browser.newContext({ viewport: { width, height }, locale });
      const page = await context.newPage();
      const photograph = photographer(folder, view, page, t);
      await page.goto(stage.request());
      await photograph('login');
      await page.locator('#kc-registration a').click();
      await page.locator('#kc-submit').waitFor();
      await photograph('registration');
      await shows(t, () => page.locator('[name=country]').inputValue(), '');
      await fill(page, 'alice');
      await page.locator('#kc-submit').click();
      await page.locator('.field-error').waitFor();
      await shows(t, () => page.locator('[name=country]').inputValue(), 'Austria');
      await shows(t, () => page.getByLabel('Sports').isChecked(), true);
      await photograph('registration-with-error');
      await fill(page, `new-${view}`);
      await page.locator('#kc-submit').click();
      t.truthy((await arrival(page, stage)).get('code'));
      await page.goto(stage.request({ kc_action: 'UPDATE_PROFILE' }));
      await page.locator('[name=badge]').waitFor();
      await shows(t, () => page.locator('[name=about]').inputValue(), 'I am\nhere');
      t.false(await page.locator('[name=badge]').isEditable());
      await photograph('profile');
      await page.locator('#kc-submit').click();
      t.is((await arrival(page, stage)).get('kc_action_status'), 'success');
      await page.goto(stage.request({ kc_action: 'UPDATE_EMAIL' }));
      await page.locator('[name=email]').fill(`moved-${view}@a.test`);
      await photograph('update-email');
      await page.locator('#kc-submit').click();
      t.is((await arrival(page, stage)).get('kc_action_status'), 'success');
      await context.close();
    }
  },
);
