import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import { beginDevice, deviceRealm, poll, TV } from '../helpers/device.js';
import { fillIn, inScene, shareScene } from '../helpers/login-scene.js';
import { shows } from '../helpers/shows.js';

const scene = shareScene({
  ...deviceRealm(),
  displayName: 'Demo & Söhne',
  internationalizationEnabled: true,
  supportedLocales: ['en', 'de'],
});

const VIEWS = [
  { name: 'wide', width: 1280, height: 800, colorScheme: 'light', locale: 'en', javaScriptEnabled: true },
  { name: 'narrow', width: 320, height: 640, colorScheme: 'light', locale: 'de', javaScriptEnabled: false },
  { name: 'dark', width: 1280, height: 800, colorScheme: 'dark', locale: 'en', javaScriptEnabled: true },
] as const;

const ENGLISH = { done: 'Device login successful', failed: 'Device login failed' };
const GERMAN = { done: 'Geräteanmeldung erfolgreich', failed: 'Geräteanmeldung fehlgeschlagen' };

inScene(scene, 'a device is approved and refused, wide and narrow, with scripts and without', async (t, stage) => {
  const folder = await mkdtemp(join(tmpdir(), 'keyhost-device-'));
  t.log(`screenshots: ${folder}`);
  const { host } = stage;
  for (const { name: view, width, height, locale, ...settings } of VIEWS) {
    const texts = locale === 'de' ? GERMAN : ENGLISH;
    const context = await stage.browser.newContext({ viewport: { width, height }, locale, ...settings });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (/content security policy|refused to/i.test(message.text())) complaints.push(message.text());
    });
    const photograph = async (name: string) => {
      await page.screenshot({ path: join(folder, `${name}-${view}.png`), fullPage: true });
      // Playwright evaluates this even if the page's own scripts are disabled.
      t.true(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0, `${name}, ${view}`);
      if (!settings.javaScriptEnabled) return;
      await page.evaluate(axe.source);
      const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults;
      t.deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
        [],
        `${name}, ${view}`,
      );
    };
    const enter = async (code: string) => {
      await page.locator('#device_user_code').fill(code);
      await page.locator('#kc-submit').click();
    };

    const approved = await beginDevice(host, { ...TV, scope: 'openid phone' });
    await page.goto(approved.verification_uri);
    await photograph('code');
    await enter('BCDF-GHJK');
    await page.locator('#input-error-device_user_code').waitFor();
    await photograph('code-wrong');
    await enter(approved.user_code.toLowerCase());
    await page.locator('#kc-form-login').waitFor();
    await photograph('login');
    await fillIn(page);
    await page.locator('#kc-consent').waitFor();
    await shows(t, () => page.locator('#kc-user-code').textContent(), approved.user_code);
    await photograph('consent');
    await page.locator('#kc-consent #kc-login').click();
    await page.getByRole('heading', { name: texts.done, exact: true }).waitFor();
    await photograph('done');
    t.is((await poll(host, approved.device_code)).status, 200);

    const denied = await beginDevice(host);
    await page.goto(denied.verification_uri_complete);
    await page.locator('#kc-consent #kc-cancel').click();
    await page.getByRole('heading', { name: texts.failed, exact: true }).waitFor();
    await photograph('denied');
    t.is((await poll(host, denied.device_code)).json.error, 'access_denied');
    await page.locator('#kc-continue').click();
    await page.locator('#device_user_code').waitFor();
    t.deepEqual(complaints, [], view);
    await context.close();
  }
});
