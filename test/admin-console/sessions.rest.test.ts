import test from 'ava';
import { administered, administrator } from '../helpers/admin.js';
import { axeFindings, openAdminConsole, openSignedIn, signIn } from '../helpers/admin-console.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

const demo = testRealm('demo');
const MANY = Array.from({ length: 24 }, (_, at) => `many-${String(at).padStart(2, '0')}`);
demo.users?.push(
  administrator('viewer', 'view-users', 'view-realm', 'view-clients'),
  administrator('boss', 'realm-admin'),
  administrator('stranger', 'view-realm'),
  ...MANY.map((username) => ({
    username,
    enabled: true,
    credentials: [{ type: 'password', value: username }],
  })),
);

const scene = shareStarted(test, async (scope) => ({
  host: await startHost(scope, administered({ realms: [demo] })),
  browser: hasChromium ? await startBrowser(scope) : undefined,
}));

function started() {
  const { host, browser } = scene();
  if (browser === undefined) throw new Error('the browser did not start');
  return { host, browser };
}

const login = (username: string, password: string, more = {}) =>
  started().host.token('demo', { grant_type: 'password', client_id: 'spa', username, password, ...more });
const AT_WEB = { client_id: 'web', client_secret: 's3cret:+/%&é', scope: 'openid offline_access' };
const alice = (more = {}) => login('alice', 'Alice-pass-1!', more);

browserTest('admin console, sessions: sessions are filtered by user, client and type, and one is ended', async (t) => {
  t.is((await alice()).status, 200);
  t.is((await alice(AT_WEB)).status, 200);
  t.is((await login('dave', 'Dave-pass-1!')).status, 200);
  const { page, done } = await openSignedIn(t, started(), 'realms/demo/sessions?search=alice');
  await page.getByRole('link', { name: 'alice', exact: true }).first().waitFor();
  await shows(t, () => page.getByRole('link', { name: 'dave', exact: true }).count(), 0);
  await page.getByLabel('Client').selectOption({ label: 'web (1)' });
  await page.getByRole('cell', { name: 'web', exact: true }).waitFor();
  await shows(t, () => page.locator('tbody tr').count(), 1);
  t.regex(page.url(), /search=alice&client=/);
  await page.getByText('Online', { exact: true }).click();
  await page.getByText('No sessions match').waitFor();
  await page.getByRole('button', { name: 'Show all sessions', exact: true }).click();
  await page.getByText('Offline', { exact: true }).first().click();
  const end = page.getByRole('button', { name: 'Sign out the offline session of alice', exact: true });
  await end.click();
  await page.getByText('Session of alice signed out.').waitFor();
  await page.getByText('No sessions match').waitFor();
  await page.getByRole('button', { name: 'Show all sessions', exact: true }).click();
  await page.getByRole('link', { name: 'dave', exact: true }).click();
  await page.getByRole('heading', { name: 'dave', exact: true, level: 1 }).waitFor();
  await done();
});

browserTest(
  'admin console, sessions: the list is paged by the host, and all users are signed out after a confirmation',
  async (t) => {
    for (const username of MANY) t.is((await login(username, username)).status, 200);
    const tokens = (await alice()).json;
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/sessions?search=many');
    await page.getByRole('link', { name: 'many-00', exact: true }).waitFor();
    await shows(t, () => page.locator('tbody tr').count(), 20);
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByRole('link', { name: 'many-23', exact: true }).waitFor();
    await shows(t, () => page.locator('tbody tr').count(), 4);
    await page.getByRole('button', { name: 'Sign out all users', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign out all users of demo?', exact: true }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click();
    await shows(t, () => page.locator('tbody tr').count(), 4);
    await page.getByRole('button', { name: 'Sign out all users', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out all users', exact: true }).click();
    await page.getByText('All users are signed out.').waitFor();
    await page.getByRole('searchbox').fill('');
    await page.getByText('No active sessions.').waitFor();
    const form = { grant_type: 'refresh_token', client_id: 'spa', refresh_token: String(tokens.refresh_token) };
    t.is((await started().host.token('demo', form)).status, 400);
    await done();
  },
);

browserTest(
  'admin console, sessions: an admin who signs out all users of their own realm has to sign in again',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/sessions?realm=demo', {
      as: { realm: 'demo', username: 'boss', password: 'boss' },
    });
    await page.getByRole('link', { name: 'boss', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Sign out all users', exact: true }).click();
    await page.getByText('This includes you. The admin console will ask you to sign in again.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out all users', exact: true }).click();
    await page.getByText('Your session has ended.').first().waitFor();
    await done();
  },
);

browserTest(
  'admin console, sessions: an admin with view rights has no button to end sessions; one without sees the missing roles',
  async (t) => {
    t.is((await alice()).status, 200);
    const seeing = await openAdminConsole(t, started(), 'realms/demo/sessions?realm=demo');
    await signIn(seeing.page, { realm: 'demo', username: 'viewer', password: 'viewer' });
    await seeing.page.getByRole('link', { name: 'alice', exact: true }).waitFor();
    await shows(t, () => seeing.page.locator('main').getByRole('button').count(), 0);
    await seeing.done();
    const other = await openAdminConsole(t, started(), 'realms/demo/sessions?realm=demo');
    await signIn(other.page, { realm: 'demo', username: 'stranger', password: 'stranger' });
    await other.page.getByRole('alert').getByText('view-realm and view-users').waitFor();
    await other.done();
  },
);

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    browserTest(`admin console, sessions: axe finds nothing, ${colorScheme}, ${width} pixels wide`, async (t) => {
      t.is((await alice(AT_WEB)).status, 200);
      const { page, done } = await openSignedIn(t, started(), 'realms/demo/sessions', { colorScheme, width });
      await page.getByRole('link', { name: 'alice', exact: true }).first().waitFor();
      t.deepEqual(await axeFindings(page), []);
      await page.getByRole('button', { name: 'Sign out all users', exact: true }).click();
      t.deepEqual(await axeFindings(page), []);
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      t.is(overflow, 0, 'nothing is wider than the page');
      await done();
    });
  }
}
