import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { fillIn, inScene, type LoginScene, shareScene } from '../helpers/login-scene.js';
import { testRealm } from '../helpers/realms.js';
import { shows } from '../helpers/shows.js';
import { codeOfApp, STEPPING, withApp } from '../helpers/stepping-realm.js';

const scene = shareScene({
  ...STEPPING,
  internationalizationEnabled: true,
  supportedLocales: ['en', 'de'],
  users: withApp(testRealm('demo').users),
});

/** Uses the library's UserManager on the application's page, as `manager`. */
async function use(page: Page, { host, application }: LoginScene, source: string): Promise<unknown> {
  const home = `${application.origin}/`;
  const settings = { authority: host.realm('demo'), client_id: 'spa', redirect_uri: home, filterProtocolClaims: false };
  await page.addScriptTag({ url: '/oidc-client.js' });
  return page.evaluate(`(async () => {
    const manager = new oidc.UserManager(${JSON.stringify(settings)});
    ${source}
  })()`);
}

async function comesBack(page: Page, stage: LoginScene): Promise<unknown> {
  await page.waitForURL((url) => url.origin === stage.application.origin && url.searchParams.has('code'));
  return use(page, stage, 'return (await manager.signinCallback()).profile.acr;');
}

inScene(scene, 'oidc-client-ts has its user step up by acr_values, on a phone and in German', async (t, stage) => {
  const folder = await mkdtemp(join(tmpdir(), 'keyhost-step-up-'));
  t.log(`screenshots: ${folder}`);
  const context = await stage.browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'de' });
  const page = await context.newPage();
  await page.goto(`${stage.application.origin}/`);
  void use(page, stage, 'await manager.signinRedirect();').catch(() => undefined);
  await fillIn(page);
  t.is(await comesBack(page, stage), 'silver');
  await page.goto(`${stage.application.origin}/`);
  void use(page, stage, `await manager.signinRedirect({ acr_values: 'gold' });`).catch(() => undefined);
  const code = page.locator('[name=otp]');
  await code.waitFor();
  await shows(t, () => page.locator('h1').textContent(), 'Einmalcode eingeben');
  await page.screenshot({ path: join(folder, 'step-up.png'), fullPage: true });
  await code.fill(codeOfApp(Date.now()));
  await page.locator('#kc-submit').click();
  t.is(await comesBack(page, stage), 'gold');
  await context.close();
});
