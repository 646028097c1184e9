import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { arrival, fillIn, inScene, shareScene } from '../helpers/login-scene.js';
import { secondFactorFlows } from '../helpers/second-factors.js';
import { shows } from '../helpers/shows.js';

const scene = shareScene(
  { ...secondFactorFlows(), internationalizationEnabled: true, supportedLocales: ['en', 'de'] },
  { browser: true, argv: ['--http-host', 'localhost'] },
);

inScene(scene, 'a user saves recovery codes by every button of the page, and logs in with one', async (t, stage) => {
  const folder = await mkdtemp(join(tmpdir(), 'keyhost-recovery-'));
  t.log(`screenshots: ${folder}`);
  const context = await stage.browser.newContext({ viewport: { width: 390, height: 800 }, locale: 'de' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await context.addInitScript('globalThis.print = () => (globalThis.printed = true)');
  const page = await context.newPage();
  const violations: string[] = [];
  page.on('console', (message) => message.type() === 'error' && violations.push(message.text()));
  await page.goto(stage.request({ kc_action: 'CONFIGURE_RECOVERY_AUTHN_CODES' }));
  await fillIn(page);
  await page.locator('h1', { hasText: 'Wiederherstellungscodes' }).waitFor();
  const codes = await page.locator('.codes li').allTextContents();
  t.is(codes.length, 12);
  await page.screenshot({ path: join(folder, 'narrow.png'), fullPage: true });
  t.true(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0);
  await page.locator('[data-codes=print]').click();
  await shows(t, () => page.evaluate('printed'), true);
  await page.locator('[data-codes=copy]').click();
  await page.getByText('Kopiert', { exact: true }).waitFor();
  const lines = codes.map((code, index) => `${index + 1}: ${code}`);
  await shows(t, () => page.evaluate('navigator.clipboard.readText()'), lines.join('\n'));
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('[data-codes=download]').click()]);
  t.is(download.suggestedFilename(), 'recovery-codes.txt');
  const saved = await readFile(await download.path(), 'utf8');
  t.true(saved.endsWith(`\n\n${lines.join('\n')}\n`), saved);
  await page.emulateMedia({ media: 'print' });
  await page.screenshot({ path: join(folder, 'print.png'), fullPage: true });
  await shows(t, () => page.locator('#kc-submit').isVisible(), false);
  await page.emulateMedia({ media: 'screen' });
  // The browser itself asks for the confirmation.
  await page.locator('#kc-submit').click();
  await shows(t, () => page.locator('#kcRecoveryCodesConfirmationCheck:invalid').isVisible(), true);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.screenshot({ path: join(folder, 'wide.png'), fullPage: true });
  await page.locator('#kcRecoveryCodesConfirmationCheck').check();
  await page.locator('#kc-submit').click();
  t.is((await arrival(page, stage)).get('kc_action_status'), 'success');
  await context.clearCookies();
  await page.goto(stage.request());
  await fillIn(page);
  await page.getByLabel('Wiederherstellungscode Nr. 1').fill(codes[0] ?? '');
  await page.screenshot({ path: join(folder, 'login.png'), fullPage: true });
  await page.locator('#kc-submit').click();
  t.truthy((await arrival(page, stage)).get('code'));
  t.deepEqual(violations, []);
  await context.close();
});
