import { codeAt } from '../../core/login/steps/otp/one-time-password.js';
import { arrival, fillIn, inScene, shareScene } from '../helpers/login-scene.js';
import { shows } from '../helpers/shows.js';

const scene = shareScene({
  internationalizationEnabled: true,
  supportedLocales: ['en', 'de'],
  resetPasswordAllowed: true,
  requiredActions: [
    { alias: 'UPDATE_PASSWORD', enabled: true, priority: 30 },
    { alias: 'CONFIGURE_TOTP', enabled: true, priority: 10 },
    { alias: 'webauthn-register', enabled: true, priority: 20 },
  ],
});

inScene(
  scene,
  'a user changes the password because the application asks, in another language, and comes back',
  async (t, stage) => {
    const context = await stage.browser.newContext();
    const page = await context.newPage();
    const asked = new URL(stage.request());
    asked.searchParams.set('kc_action', 'UPDATE_PASSWORD');
    await page.goto(asked.href);
    await fillIn(page);
    await page.locator('#kc-locale a', { hasText: 'Deutsch' }).click();
    await page.locator('h1', { hasText: 'Passwort ändern' }).waitFor();
    await page.reload();
    await page.locator('#password-new').fill('Alice-pass-1!');
    await page.locator('#password-confirm').fill('Alice-pass-1!');
    await page.locator('#kc-submit').click();
    const answer = await arrival(page, stage);
    t.truthy(answer.get('code'));
    t.is(answer.get('kc_action_status'), 'success');
    await page.goto(asked.href);
    await page.locator('#kc-cancel').click();
    t.is((await arrival(page, stage)).get('kc_action_status'), 'cancelled');
    await context.close();
  },
);

inScene(scene, 'a forgotten password is asked for and given up, by the keyboard alone', async (t, stage) => {
  const page = await stage.browser.newPage();
  await page.goto(stage.request());
  await page.locator('#kc-forgot-password').press('Enter');
  await page.locator('h1', { hasText: 'Forgot your password?' }).waitFor();
  await shows(t, () => page.evaluate('document.activeElement.id'), 'username');
  await page.locator('#kc-cancel').press('Enter');
  await fillIn(page);
  t.truthy((await arrival(page, stage)).get('code'));
});

inScene(
  scene,
  'a user sets up an authenticator app from what the page shows, and logs in with it',
  async (t, stage) => {
    const context = await stage.browser.newContext({ viewport: { width: 320, height: 640 } });
    const page = await context.newPage();
    const asked = new URL(stage.request());
    asked.searchParams.set('kc_action', 'CONFIGURE_TOTP');
    await page.goto(asked.href);
    await fillIn(page, 'Dave-pass-1!', 'dave');
    const image = page.locator('.figure img');
    await image.waitFor();
    t.true(
      Number(await image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth)) > 0,
    );
    t.true(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0);
    const secret = await page.locator('[name=totpSecret]').inputValue();
    const code = (steps: number) =>
      codeAt(Buffer.from(secret), Math.floor(Date.now() / 30_000) + steps, { digits: 6, algorithm: 'HmacSHA1' });
    await page.locator('#totp').fill(code(0));
    await page.locator('#kc-submit').click();
    t.is((await arrival(page, stage)).get('kc_action_status'), 'success');
    const later = await stage.browser.newContext();
    const again = await later.newPage();
    await again.goto(stage.request());
    await fillIn(again, 'Dave-pass-1!', 'dave');
    await again.locator('#otp').fill('000000');
    await again.locator('#kc-submit').click();
    await again.getByText('Invalid authenticator code.').waitFor();
    await again.locator('#otp').fill(code(1));
    await again.locator('#kc-submit').click();
    t.truthy((await arrival(again, stage)).get('code'));
    await context.close();
    await later.close();
  },
);

inScene(scene, 'where the host has an address and no name, the page says that passkeys need one', async (t, stage) => {
  const context = await stage.browser.newContext();
  const page = await context.newPage();
  await page.goto(stage.request({ kc_action: 'webauthn-register' }));
  await fillIn(page, 'Alice-pass-1!');
  await page.locator('#kc-submit').click();
  await page.getByText('Passkeys of 127.0.0.1 do not work at this address.').waitFor();
  await page.locator('#kc-cancel').click();
  t.is((await arrival(page, stage)).get('kc_action_status'), 'cancelled');
  await context.close();
});
