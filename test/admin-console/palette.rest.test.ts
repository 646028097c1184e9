import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { administered, administrator } from '../helpers/admin.js';
import { axeFindings, openSignedIn } from '../helpers/admin-console.js';
import { enabledPages, pagePlugin } from '../helpers/admin-pages.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

const demo = testRealm('demo', {
  users: [...(testRealm('demo').users ?? []), administrator('vera', 'view-realm')],
  providers: enabledPages('notes'),
});

const scene = shareStarted(test, async (scope) => ({
  host: await startHost(
    scope,
    administered({
      realms: [demo, testRealm('distant', { providers: {} })],
      plugins: [{ module: 'notes' }],
      packages: { notes: pagePlugin('notes') },
    }),
  ),
  browser: hasChromium ? await startBrowser(scope) : undefined,
}));

function started() {
  const { host, browser } = scene();
  if (browser === undefined) throw new Error('the browser did not start');
  return { host, browser };
}

browserTest(
  'admin console, command palette: by keyboard: it opens anywhere, finds a plugin’s page, and opens it with the focus on its heading',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/providers');
    await page.getByRole('searchbox').focus();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Quick search' });
    await field.waitFor();
    await shows(t, () => page.evaluate('document.activeElement.getAttribute("role")'), 'combobox');
    await page.keyboard.type('notes');
    await page.getByRole('option', { name: 'Notes' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Notes', exact: true, level: 1 }).waitFor();
    t.true(page.url().endsWith('/realms/demo/pages/notes'), page.url());
    await shows(t, () => page.getByRole('dialog').count(), 0);
    await shows(t, () => page.evaluate('document.activeElement.tagName'), 'H1');
    await page.keyboard.press('Control+k');
    await field.waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await done();
  },
);

browserTest(
  'admin console, command palette: arrow keys move through the results, around the ends, and the field names the selected one',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/providers');
    await page.getByRole('button', { name: /Find/ }).click();
    const meant = async () => page.locator('dialog [aria-selected="true"]').innerText();
    const field = page.getByRole('combobox', { name: 'Quick search' });
    await page.getByRole('option').first().waitFor();
    t.is(await meant(), 'Overview');
    await page.keyboard.press('ArrowDown');
    t.is(await meant(), 'Plugins');
    const id = await page.locator('dialog [aria-selected="true"]').getAttribute('id');
    await shows(t, () => field.getAttribute('aria-activedescendant'), id);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    t.regex(await meant(), /Notes/);
    t.deepEqual(await axeFindings(page), []);
    await done();
  },
);

browserTest(
  'admin console, command palette: users, clients and realms are found by the host, and lead to their pages',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/providers');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Quick search' });
    await field.fill('ali');
    const group = (name: string) => page.getByRole('group', { name, exact: true });
    await group('Users').getByRole('option', { name: 'alice' }).waitFor();
    t.deepEqual(await axeFindings(page), []);
    await field.fill('spa');
    await group('Clients').getByRole('option', { name: 'spa' }).first().waitFor();
    await field.fill('distan');
    await group('Realms').getByRole('option', { name: 'distant' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Providers of distant', exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await field.fill('no such thing');
    await page.getByText('No results for “no such thing”.').waitFor();
    await field.fill('alice');
    await group('Users').getByRole('option', { name: 'alice' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    t.regex(page.url(), /\/realms\/distant\/users\/[^/]+$/);
    await done();
  },
);

browserTest(
  'admin console, command palette: an admin who may not search users or clients sees that, and finds pages all the same',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/providers?realm=demo', {
      as: { realm: 'demo', username: 'vera', password: 'vera' },
    });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Quick search' }).fill('e');
    await page.getByText('Users: requires the role view-users or query-users.').waitFor();
    await page.getByText('Clients: requires the role view-clients or query-clients.').waitFor();
    await page.getByRole('option', { name: 'Realm settings' }).waitFor();
    // Pages that the roles do not allow are neither found nor in the menu.
    await shows(t, () => page.getByRole('option', { name: 'Events' }).count(), 0);
    await page.keyboard.press('Escape');
    const menu = page.getByRole('navigation', { name: 'Pages', exact: true });
    await shows(t, () => menu.getByRole('link').allInnerTexts(), [
      'Overview',
      'Realm roles',
      'Realm settings',
      'Keys',
      'Providers',
    ]);
    await done();
  },
);

browserTest(
  'admin console, command palette: a setting is found by its label, and its field gets the focus',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/providers');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Quick search' });
    const focused = () => page.evaluate('document.activeElement.closest(".field, label")?.innerText.split("\\n")[0]');
    await field.fill('max login');
    await page.getByRole('group', { name: 'Settings', exact: true }).getByRole('option').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Settings of demo', exact: true }).waitFor();
    t.regex(page.url(), /\/settings\/security\?setting=failureFactor$/);
    await page.keyboard.press('Control+k');
    await field.fill('remember me');
    await page
      .getByRole('option', { name: /^Remember me/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await shows(t, focused, 'Remember me');
    await done();
  },
);

browserTest('admin console, command palette: a guide is found by a word of its subject', async (t) => {
  const { page, done } = await openSignedIn(t, started(), 'realms/demo/providers');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Quick search' }).fill('totp');
  const guides = page.getByRole('group', { name: 'Guides', exact: true });
  await shows(t, () => guides.getByRole('option').allInnerTexts(), ['Require a second factor\n↗']);
  await page.getByRole('combobox', { name: 'Quick search' }).fill('policy password');
  await shows(t, () => guides.getByRole('option').allInnerTexts(), ['Set password rules\n↗']);
  await done();
});

test('admin console, command palette: each guide is a page of the documentation', async (t) => {
  const source = await readFile('core/admin-console/app/src/palette/help.ts', 'utf8');
  const pages = [...source.matchAll(/page: '([^']+)'/g)].map(([, page = '']) => page);
  t.true(pages.length > 15);
  for (const page of pages) await t.notThrowsAsync(access(join('core/docs', `${page}.md`)), page);
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    browserTest(
      `admin console, command palette: axe finds nothing, ${colorScheme}, ${width} pixels wide`,
      async (t) => {
        const { page, done } = await openSignedIn(t, started(), 'realms/demo/providers', { colorScheme, width });
        await page.getByRole('button', { name: /Find/ }).click();
        await page.getByRole('combobox', { name: 'Quick search' }).fill('a');
        await page.getByRole('option', { name: 'alice' }).waitFor();
        t.deepEqual(await axeFindings(page), []);
        const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        await shows(t, () => page.evaluate(overflow), 0, 'nothing is wider than the page');
        await done();
      },
    );
  }
}
