import { accountRealm, accountUser, PASSWORD } from '../helpers/account.js';
import { axeFindings } from '../helpers/admin-console.js';
import { browserTest, startBrowser } from '../helpers/browser.js';
import { startHost } from '../helpers/host.js';
import { fillIn } from '../helpers/login-scene.js';
import { shows } from '../helpers/shows.js';
import { SUBSCRIPTIONS } from '../helpers/subscriptions-plugin.js';

const VIEWS = [
  { viewport: { width: 1280, height: 800 }, colorScheme: 'light', locale: 'en' },
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'en' },
  { viewport: { width: 320, height: 640 }, colorScheme: 'light', locale: 'en' },
] as const;

browserTest(
  'account pages of plugins: a page of a plugin works without scripts, on every screen, and axe finds nothing',
  async (t) => {
    const providers = { 'account-page': { subscriptions: { enabled: true } } };
    const host = await startHost(t, {
      realms: [accountRealm([accountUser('erin')], { providers })],
      plugins: [{ module: 'subs' }],
      packages: { subs: SUBSCRIPTIONS },
    });
    const browser = await startBrowser(t);
    for (const [index, view] of VIEWS.entries()) {
      const context = await browser.newContext({ ...view, javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(`${host.realm('demo')}/account/pages/subscriptions`);
      await fillIn(page, PASSWORD, 'erin');
      await page.locator('#kc-account-nav').waitFor();
      const topic = `Topic ${index} with a rather long name of several words`;
      await page.getByLabel('Topic', { exact: true }).fill(topic);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await shows(t, () => page.locator('.alert-text').innerText(), `Subscribed to ${topic}.`);
      await page.locator('summary').last().click();
      await page.locator('details[open] button').click();
      await page.locator('.item-title', { hasText: topic }).waitFor({ state: 'detached' });
      await context.close();

      const seeing = await browser.newContext(view);
      const seen = await seeing.newPage();
      await seen.goto(`${host.realm('demo')}/account/pages/subscriptions`);
      await fillIn(seen, PASSWORD, 'erin');
      await seen.locator('#kc-account-nav').waitFor();
      await seen.locator('summary').first().click();
      t.true(Number(await seen.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0, view.colorScheme);
      t.deepEqual(await axeFindings(seen), [], `${view.viewport.width} ${view.colorScheme}`);
      await seeing.close();
    }
  },
);
