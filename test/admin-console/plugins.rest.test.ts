import type { ExecutionContext } from 'ava';
import { administered, administrator } from '../helpers/admin.js';
import { axeFindings, type ConsoleView, confirmed, openAdminConsole, signIn } from '../helpers/admin-console.js';
import { browserTest, startBrowser } from '../helpers/browser.js';
import { resourcePlugin } from '../helpers/plugins.js';
import { reloadScene } from '../helpers/reload.js';
import { shows } from '../helpers/shows.js';

const version = (number: number) => resourcePlugin('a', `return { body: ${number} };`);
const failing = resourcePlugin('b', "throw new Error('always');");

/** A host with a plugin `a` in a worker, which no realm has enabled, and one whose calls always fail. */
function scene(t: ExecutionContext) {
  return reloadScene(
    t,
    () => ({ a: version(1), b: failing }),
    administered({
      plugins: [{ module: 'a', isolation: 'worker', limits: { concurrency: 7 } }, 'b'],
      enabled: ['b'],
      realm: { users: [administrator('ria', 'realm-admin')] },
    }),
  );
}

async function opened(t: ExecutionContext, path: string, view?: ConsoleView) {
  const made = await scene(t);
  const tab = await openAdminConsole(t, { host: made.host, browser: await startBrowser(t) }, path, view);
  return { ...made, ...tab };
}

browserTest(
  'admin console, plugins: a plugin goes live, is replaced, refuses an invalid version, and is rolled back: each shown on its page, and used by the next call',
  async (t) => {
    const { page, done, get, write } = await opened(t, 'realms/demo/providers');
    await signIn(page);
    t.is((await get('a')).status, 404);
    await page.getByRole('switch', { name: 'a in this realm' }).click();
    await page.getByRole('switch', { name: 'a in this realm', checked: true }).waitFor();
    t.is((await get('a')).text, '1');

    await write('a', version(2), '2.0.0');
    await page.getByRole('link', { name: 'Plugins', exact: true }).click();
    await page.getByText('2.0.0 in the folder').waitFor();
    await page.getByRole('link', { name: 'a', exact: true }).click();
    await page.getByRole('heading', { name: 'a', exact: true }).waitFor();
    await confirmed(page, 'Load changes');
    await page.getByRole('heading', { name: 'Done: generation 2 is active', exact: true }).waitFor();
    await page.getByRole('status').getByText('a 1.0.0 → 2.0.0').waitFor();
    t.is((await get('a')).text, '2');

    await write('a', 'throw new Error("not this one");', '3.0.0');
    await confirmed(page, 'Load changes');
    await page.getByRole('heading', { name: 'Update failed: all plugins run as before', exact: true }).waitFor();
    await shows(t, () => page.getByRole('alert').innerText(), /not this one/);
    await page.getByText('Latest files rejected').waitFor();
    t.is((await get('a')).text, '2');

    await confirmed(page, 'Restart worker');
    await page.getByRole('status').getByText('a 2.0.0, worker restarted').waitFor();
    await confirmed(page, 'Roll back last update');
    await page.getByRole('status').getByText('a 2.0.0 → 1.0.0').waitFor();
    t.is((await get('a')).text, '1');
    const past = page.getByRole('table', { name: 'Past updates' });
    const told = await past.locator('tbody td:nth-child(2)').allInnerTexts();
    t.deepEqual(
      told.map((text) => text.split('\n')[0]),
      ['Roll back', 'Restart', 'Load', 'Load'],
    );
    await shows(t, () => past.locator('.badge').allInnerTexts(), ['Done', 'Done', 'Failed', 'Done']);
    await done();
  },
);

browserTest(
  'admin console, plugins: a dialog is closed by Escape, changes nothing, and returns the focus',
  async (t) => {
    const { page, done, write, get } = await opened(t, 'plugins');
    await signIn(page);
    await write('b', resourcePlugin('b', 'return { body: 2 };'), '2.0.0');
    const button = page.getByRole('button', { name: 'Load changes', exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Load changes from the providers folder?' }).waitFor();
    t.deepEqual(await axeFindings(page), []);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await shows(t, () => page.evaluate('document.activeElement.textContent'), 'Load changes');
    t.is((await get('b')).status, 500);
    await done();
  },
);

browserTest('admin console, plugins: failures are listed by realm, with a link to the provider there', async (t) => {
  const { page, done, get } = await opened(t, 'plugins/b');
  for (const status of [500, 500]) t.is((await get('b')).status, status);
  await signIn(page);
  await page.getByText('2 failed').waitFor();
  await page.getByRole('link', { name: 'demo', exact: true }).click();
  await page.getByText('A provider of the SPI realm-restapi-extension in the realm demo.').waitFor();
  await done();
});

browserTest('admin console, plugins: log lines and failures of calls appear on the open page', async (t) => {
  const { page, done, get } = await opened(t, 'plugins/b');
  await signIn(page);
  await page.getByText('No log entries since this node started').waitFor();
  t.is((await get('b')).status, 500);
  const lines = page.getByRole('list', { name: 'Log' });
  await lines.getByText('a call failed: always').waitFor();
  await page.getByLabel('Only warnings and errors').check();
  await lines.getByText('a call failed: always').waitFor();
  await page.getByLabel('Follow').uncheck();
  await done();
});

browserTest('admin console, plugins: modules and plugins of the start are listed with their times', async (t) => {
  const { page, done } = await opened(t, 'plugins');
  await signIn(page);
  await page.getByText('Startup steps of this node').click();
  for (const name of ['registry', 'HostPlugins', 'b@1.0.0', 'realm-restapi-extension/b']) {
    await page.locator('.boot-tree').getByText(name, { exact: true }).first().waitFor();
  }
  t.deepEqual(await axeFindings(page), []);
  await done();
});

browserTest(
  'admin console, plugins: the catalogue finds a shipped plugin, and has the command and the lines that add it',
  async (t) => {
    const { page, done } = await opened(t, 'plugins');
    await signIn(page);
    await page.getByRole('link', { name: 'Find a plugin in the catalogue', exact: true }).click();
    await page.getByRole('heading', { name: 'Plugin catalogue', exact: true }).waitFor();
    await page.getByRole('searchbox').fill('link that signs them in');
    await shows(t, () => page.locator('.catalogue > li').count(), 1);
    const entry = page.locator('.catalogue > li');
    await entry.getByText('Not installed', { exact: true }).waitFor();
    await entry.getByText('issue-login-links: Its links sign users in.').waitFor();
    await entry.getByText('Add this plugin').click();
    await entry.getByText('npx keyhost plugin add @keyhost/magic-link --grant', { exact: true }).waitFor();
    const lines = entry.getByRole('region', { name: 'Entry of Magic link in plugins.json' });
    t.deepEqual(JSON.parse(await lines.innerText()), {
      module: '@keyhost/magic-link',
      grants: { '*': ['issue-login-links', 'send-mail', 'view-users', 'manage-users'] },
    });
    t.deepEqual(await axeFindings(page), []);
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByText('No results for “nothing like it”.').waitFor();
    await done();
  },
);

browserTest(
  'admin console, plugins: a missing plugin is reported, and an admin of one realm sees no plugins',
  async (t) => {
    const { page, done } = await opened(t, 'plugins/%40none%2Fsuch%25?realm=demo');
    await signIn(page, { realm: 'demo', username: 'ria', password: 'ria' });
    await page.getByRole('heading', { name: 'Access denied', exact: true }).waitFor();
    await page.locator('.account summary').click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('You are signed out.').waitFor();
    await page.goto(page.url().replace(/\/desk\/.*/, '/desk/plugins/%40none%2Fsuch'));
    await signIn(page);
    await page.getByRole('heading', { name: 'Plugin not found', exact: true }).waitFor();
    await page.getByRole('link', { name: 'All plugins', exact: true }).click();
    await page.getByRole('link', { name: 'b', exact: true }).waitFor();
    await done();
  },
);

browserTest('admin console, plugins: the pages are translated to German', async (t) => {
  const { page, done } = await opened(t, 'plugins', { locale: 'de' });
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await page.locator('#username').fill('root');
  await page.locator('#password').fill('root-password');
  await page.locator('#kc-login').click();
  await page.getByRole('button', { name: 'Änderungen laden', exact: true }).waitFor();
  await page.getByText('Keine Updates seit dem Start dieses Knotens.').waitFor();
  await done();
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    browserTest(`admin console, plugins: axe finds nothing, ${colorScheme}, ${width} pixels wide`, async (t) => {
      const { page, done, get, write } = await opened(t, 'plugins', { colorScheme, width });
      await get('b');
      await write('a', 'throw new Error("not this one");', '3.0.0');
      await signIn(page);
      await confirmed(page, 'Load changes');
      await page.getByRole('alert').waitFor();
      const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      for (const name of ['a', 'b']) {
        t.deepEqual(await axeFindings(page), []);
        await shows(t, () => page.evaluate(wide), 0, 'nothing is wider than the page');
        await page.getByRole('link', { name, exact: true }).click();
        await page.getByRole('heading', { name: 'Calls by realm', exact: true }).waitFor();
        t.deepEqual(await axeFindings(page), []);
        await shows(t, () => page.evaluate(wide), 0, 'nothing is wider than the page');
        await page.goBack();
        await page.getByRole('heading', { name: 'Plugins', exact: true }).waitFor();
      }
      await done();
    });
  }
}
