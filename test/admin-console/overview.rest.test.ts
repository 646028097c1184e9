import test from 'ava';
import { administered, administrator } from '../helpers/admin.js';
import { axeFindings, openAdminConsole, openSignedIn, signIn } from '../helpers/admin-console.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

const demo = testRealm('demo');
const empty = testRealm('empty');
demo.users?.push(
  administrator('stranger', 'view-realm'),
  administrator('watcher', 'view-realm', 'view-events', 'view-users', 'view-clients'),
  administrator('support', 'view-users', 'manage-users'),
);
empty.users?.push(administrator('seer', 'view-realm', 'view-events'));
const SHOTS = process.env.KEYHOST_SHOTS;

const scene = shareStarted(test, async (scope) => {
  const host = await startHost(scope, administered({ realms: [demo, empty] }));
  const login = (username: string, password: string) =>
    host.token('demo', { grant_type: 'password', client_id: 'spa', username, password });
  for (let at = 0; at < 3; at += 1) await login('alice', 'Alice-pass-1!');
  await login('dave', 'Dave-pass-1!');
  await login('alice', 'wrong');
  return { host, browser: hasChromium ? await startBrowser(scope) : undefined };
});

function started() {
  const { host, browser } = scene();
  if (browser === undefined) throw new Error('the browser did not start');
  return { host, browser };
}

browserTest('admin console, overview: sign-ins are shown as a chart, as a table, and by keyboard', async (t) => {
  const { page, done } = await openSignedIn(t, started(), '');
  const chart = page.getByRole('img', { name: /^Bar chart: \d+ sign-ins and 1 failed sign-ins$/ });
  await chart.waitFor();
  await page.getByRole('row', { name: /^spa 4 / }).waitFor();
  await page.getByRole('row', { name: 'wrong password invalid_user_credentials 1 100%' }).waitFor();
  const realms = page.getByRole('table', { name: 'Realms with the most sign-ins', exact: true });
  await realms.getByRole('link', { name: '4, Sign-ins, demo: show events', exact: true }).waitFor();
  await shows(t, () => page.getByText(/^(Passkey|Sign-ups|Failed plugin calls)$/).count(), 0, 'zeros are not shown');
  await shows(t, () => page.getByRole('heading', { name: 'Before the first sign-in', exact: true }).count(), 0);
  t.regex(await page.getByRole('definition').allInnerTexts().then(String), /[23],[23],[23]/);
  await page.getByRole('group', { name: 'Time range' }).getByRole('radio', { name: '24 hours' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(/span=30d/);
  await page.locator('.chart summary').focus();
  await page.keyboard.press('Enter');
  await shows(t, () => page.getByRole('table', { name: 'Sign-ins', exact: true }).getByRole('row').count(), 31);
  await shows(
    t,
    () => page.locator('dl', { hasText: 'Uptime' }).innerText(),
    /Requests, last 15 minutes\s+\d+ · 50 % ≤ [\d.]+ ms · 95 %/,
  );
  await done();
});

browserTest(
  'admin console, overview: numbers are beside those of earlier days, and link to their events',
  async (t) => {
    const as = { realm: 'demo', username: 'watcher', password: 'watcher' };
    const { page, done } = await openSignedIn(t, started(), '?realm=demo', { as });
    const table = page.getByRole('table', { name: 'Last 24 hours', exact: true });
    await table.getByRole('columnheader', { name: 'Day before', exact: true }).waitFor();
    await table.getByRole('row', { name: /^Failed sign-ins 1.* 0 0$/ }).waitFor();
    await shows(t, () => table.getByRole('row', { name: 'Sign-ups' }).count(), 0);
    await shows(t, () => page.getByRole('heading', { level: 2 }).allInnerTexts(), /Problems,Realms,Last 24 hours,/);
    await table.getByRole('link', { name: '1, Failed sign-ins, Now: show events', exact: true }).click();
    await page.waitForURL(/realms\/demo\/events\?type=LOGIN_ERROR&dateFrom=\d+&dateTo=\d+$/);
    await done();
  },
);

browserTest(
  'admin console, overview: a realm without sign-ins has a checklist, and an admin who may not see events no statistics',
  async (t) => {
    const seeing = await openAdminConsole(t, started(), '?realm=empty');
    await signIn(seeing.page, { realm: 'empty', username: 'seer', password: 'seer' });
    await seeing.page.getByRole('heading', { name: 'Before the first sign-in', exact: true }).waitFor();
    await seeing.page.getByRole('listitem').filter({ hasText: 'Use HTTPS' }).getByText('To do').waitFor();
    const connect = seeing.page.getByRole('listitem').filter({ hasText: 'Connect an application' });
    await connect.getByText('To check').waitFor();
    const email = seeing.page.getByRole('link', { name: 'Set up email', exact: true });
    t.regex((await email.getAttribute('href')) ?? '', /\/realms\/empty\/settings\/email$/);
    await seeing.page.getByRole('link', { name: 'Connect an application', exact: true }).click();
    await seeing.page.getByRole('heading', { name: 'Connect an app', exact: true, level: 1 }).waitFor();
    await seeing.done();
    const other = await openAdminConsole(t, started(), '?realm=demo');
    await signIn(other.page, { realm: 'demo', username: 'stranger', password: 'stranger' });
    await other.page.getByRole('heading', { name: 'Problems', exact: true }).waitFor();
    await shows(t, () => other.page.getByRole('heading', { name: 'Sign-ins', exact: true }).count(), 0);
    await shows(t, () => other.page.getByRole('heading', { name: 'Last 24 hours', exact: true }).count(), 0);
    await other.done();
    // The API reports no problems to a user who may not view the realm, which is no failure of the page.
    const support = await openAdminConsole(t, started(), '?realm=demo');
    await signIn(support.page, { realm: 'demo', username: 'support', password: 'support' });
    await support.page.getByRole('heading', { name: 'Realms', exact: true }).waitFor();
    await support.page.getByRole('link', { name: 'Users', exact: true }).waitFor();
    await shows(t, () => support.page.getByRole('alert').count(), 0);
    await shows(t, () => support.page.getByRole('heading', { name: 'Problems', exact: true }).count(), 0);
    await support.done();
  },
);

for (const [colorScheme, width, locale] of [
  ['light', 1280, 'en'],
  ['dark', 390, 'de'],
] as const) {
  browserTest(
    `admin console, overview: axe finds nothing, ${colorScheme}, ${width} pixels wide, ${locale}`,
    async (t) => {
      const { page, done } = await openSignedIn(t, started(), '?span=7d', { colorScheme, width });
      await page.evaluate(`localStorage.setItem('keyhost.desk.language', '${locale}')`);
      await page.reload();
      await page.locator('.chart').waitFor();
      await page.locator('.chart summary').click();
      t.deepEqual(await axeFindings(page), []);
      t.true(
        await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'),
        'nothing is beyond the edge',
      );
      if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${colorScheme}-${width}.png`, fullPage: true });
      await done();
    },
  );
}
