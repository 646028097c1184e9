import { readFile } from 'node:fs/promises';
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered, administrator } from '../helpers/admin.js';
import { axeFindings, type ConsoleView, confirmed, openAdminConsole, signIn } from '../helpers/admin-console.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { startHost } from '../helpers/host.js';
import { edit, fileState, realmFile, replaceFile } from '../helpers/realm-files.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

const realm = (name: string, more: Partial<RealmRepresentation> = {}): RealmRepresentation => ({
  realm: name,
  enabled: true,
  displayName: `The ${name} realm`,
  clients: [{ clientId: 'shop', name: 'Shop', secret: 'secret-of-shop', redirectUris: ['https://shop.example/*'] }],
  ...more,
});

/** Each test has a realm of its own. */
const REALMS = ['broken', 'drifting', 'planned', 'wide', 'other'];

const scene = shareStarted(
  test,
  async (scope) => ({
    host: await startHost(
      scope,
      administered({
        realms: [...REALMS.map((name) => realm(name)), realm('told', { users: [administrator('ria', 'realm-admin')] })],
      }),
    ),
    browser: hasChromium ? await startBrowser(scope) : undefined,
  }),
  /broken\.json was not applied/,
);

function started() {
  const { host, browser } = scene();
  if (browser === undefined) throw new Error('the browser did not start');
  return { host, browser };
}

const file = (name: string) => realmFile(started().host, `${name}.json`);

async function opened(t: ExecutionContext, path: string, view?: ConsoleView) {
  const tab = await openAdminConsole(t, started(), path, view);
  await signIn(tab.page);
  return tab;
}

/** The text that is selected. */
const selected = (page: Page) => page.evaluate('getSelection().toString()');

const WIDE = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

browserTest(
  'admin console, realm files: a broken file shows each problem with a link to its line, and is applied after its repair',
  async (t) => {
    const { host } = started();
    const good = await readFile(file('broken'), 'utf8');
    const { page, done } = await opened(t, 'realms/broken/file');
    await page.getByText('The live realm matches the file.').waitFor();
    const text = page.getByRole('textbox', { name: 'Text of broken.json' });
    t.true((await text.inputValue()).includes('"**********"'));
    t.false((await page.content()).includes('secret-of-shop'));

    await replaceFile(file('broken'), good.replace('"redirectUris"', '"redirectUri"'));
    await fileState(host, 'broken.json', ({ state }) => state === 'invalid');
    await page.getByText('The file is invalid. The live realm is unchanged.').waitFor();
    const line = good.split('\n').findIndex((one) => one.includes('"redirectUris"')) + 1;
    await page.getByText('Did you mean “redirectUris”?').waitFor();
    await page.getByRole('button', { name: `Go to line ${line}: unknown key`, exact: true }).click();
    t.is(String(await selected(page)).trim(), '"redirectUri": [');
    await page.getByRole('button', { name: `Line ${line}: unknown key`, exact: true }).click();
    t.is(String(await selected(page)).trim(), '"redirectUri": [');
    t.deepEqual(await axeFindings(page), []);

    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByText(`${line}:`, { exact: false }).first().waitFor();
    await page
      .getByRole('link', { name: 'View details: The realm file broken.json is invalid and not applied', exact: true })
      .click();
    await page.getByText('Did you mean “redirectUris”?').waitFor();

    await replaceFile(file('broken'), good.replace('The broken realm', 'Mended'));
    await page.getByText('The live realm matches the file.').waitFor();
    await shows(t, () => page.getByText('unknown key').count(), 0);
    t.is((await host.store.realms.get('broken'))?.representation.displayName, 'Mended');
    await done();
  },
);

browserTest(
  'admin console, realm files: an edit that is not in the file is shown with both values, and reverted',
  async (t) => {
    const { host } = started();
    await edit(host, 'drifting', (live) => Object.assign(live, { displayName: 'By hand' }));
    const { page, done } = await opened(t, '');
    await page
      .getByRole('heading', { name: 'The realm drifting has edits that are not in its file', exact: true })
      .waitFor();
    await page.getByRole('link', { name: 'Realm files', exact: true }).click();
    const row = page.getByRole('row', { name: /drifting/ });
    await row.getByText('Drifted').waitFor();
    await row.getByText('One edit').waitFor();
    await page.getByRole('link', { name: 'drifting', exact: true }).click();
    const edits = page.getByRole('list', { name: 'Edits that are not in the file' });
    await edits.getByText('displayName', { exact: true }).waitFor();
    await shows(t, () => edits.locator('.diff > *').allInnerTexts(), ['− "The drifting realm"', '+ "By hand"']);
    t.deepEqual(await axeFindings(page), []);
    await page.getByRole('button', { name: /Revert edits/ }).click();
    await page
      .getByRole('dialog', { name: 'Revert the edits of drifting?' })
      .getByText('One edit is reverted')
      .waitFor();
    await page.keyboard.press('Escape');
    t.is((await host.store.realms.get('drifting'))?.representation.displayName, 'By hand');
    await confirmed(page, 'Revert edits');
    await page.getByRole('heading', { name: 'Edits reverted', exact: true }).waitFor();
    await page.getByText('The live realm matches the file.').waitFor();
    t.is((await host.store.realms.get('drifting'))?.representation.displayName, 'The drifting realm');
    await done();
  },
);

browserTest(
  'admin console, realm files: a changed document shows its problems, is planned with counts and differences, and applied without writing a file',
  async (t) => {
    const { host } = started();
    const stands = await readFile(file('planned'), 'utf8');
    const { page, done } = await opened(t, 'realms/planned/file');
    const text = page.getByRole('textbox', { name: 'Text of planned.json' });
    const shown = await text.inputValue();
    await text.fill(shown.replace('"clientId"', '"clientIdd"'));
    await page.getByRole('button', { name: 'Plan changes', exact: true }).click();
    await page.getByText('Did you mean “clientId”?').waitFor();
    await shows(t, () => page.getByRole('button', { name: 'Apply document', exact: true }).count(), 0);

    await text.fill(
      shown
        .replace('The planned realm', 'By document')
        .replace('"name": "Shop"', '"name": "Big shop"')
        .replace('"clients": [', '"clients": [{ "clientId": "second" },'),
    );
    await page.getByRole('button', { name: 'Plan changes', exact: true }).click();
    await page.getByRole('heading', { name: 'Planned changes', exact: true }).waitFor();
    await shows(t, () => page.locator('.counts li').allInnerTexts(), [
      'settings: 1 changed',
      'clients: 1 new, 1 changed',
    ]);
    const changes = page.getByRole('list', { name: 'Changes' });
    t.true((await changes.innerText()).includes('+ "Big shop"'));
    t.true((await changes.innerText()).includes('"clientId": "second"'));
    t.false((await page.content()).includes('secret-of-shop'));
    await page.getByText('The document differs from the file on disk.', { exact: false }).waitFor();
    t.deepEqual(await axeFindings(page), []);

    await text.press('End');
    await text.press('Space');
    await page.getByText('The text has changed.', { exact: false }).waitFor();
    await shows(t, () => page.getByRole('button', { name: 'Apply document', exact: true }).isDisabled(), true);
    await page.getByRole('button', { name: 'Plan changes', exact: true }).click();
    await page.getByText('The text has changed.', { exact: false }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Apply document', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: /Apply/ }).click();
    await page.getByRole('heading', { name: /^Applied: the live realm has version \d+$/ }).waitFor();
    await page.getByText('Its next change overwrites the realm', { exact: false }).waitFor();
    const live = (await host.store.realms.get('planned'))?.representation;
    t.is(live?.displayName, 'By document');
    t.is(live?.clients?.find(({ clientId }) => clientId === 'shop')?.secret, 'secret-of-shop');
    t.is(await readFile(file('planned'), 'utf8'), stands);
    await page.getByText('Drifted').waitFor();
    await done();
  },
);

browserTest(
  'admin console, realm files: a realm without a file says so, and its export is downloaded and planned',
  async (t) => {
    const call = await adminCaller(started().host);
    t.is((await call('POST', '/realms', { realm: 'made', enabled: true, displayName: 'Made by hand' })).status, 201);
    const { page, done } = await opened(t, 'realms/made/file');
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
    });
    await page.getByText('No realm file defines the realm made yet.', { exact: false }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download export', exact: true }).click();
    t.is((await download).suggestedFilename(), 'made.json');
    const saved = JSON.parse(await readFile(await (await download).path(), 'utf8')) as RealmRepresentation;
    t.like(saved, { realm: 'made', displayName: 'Made by hand' });
    await page.getByRole('button', { name: 'Open export in editor', exact: true }).click();
    await page.getByRole('button', { name: 'Plan changes', exact: true }).click();
    await page.getByText('No changes. The realm matches the document.').waitFor();

    const text = page.getByRole('textbox', { name: 'Document', exact: true });
    await text.fill((await text.inputValue()).replace('Made by hand', 'By document'));
    await page.getByRole('button', { name: 'Plan changes', exact: true }).click();
    await page.getByRole('button', { name: 'Apply document', exact: true }).click();
    // The page asks again and again whether the realm has a file. The plan and the open dialog stay.
    for (let poll = 0; poll < 2; poll++) await page.waitForResponse(/\/realm-files\/made$/);
    await page.getByRole('dialog').getByRole('button', { name: /Apply/ }).click();
    await page.getByRole('heading', { name: /^Applied: the live realm has version \d+$/ }).waitFor();
    t.is((await started().host.store.realms.get('made'))?.representation.displayName, 'By document');
    await page.getByRole('link', { name: 'Realm settings', exact: true }).click();
    await page.getByRole('textbox', { name: 'Display name', exact: true }).waitFor();
    t.deepEqual(refused, []);
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
    await done();
  },
);

browserTest('admin console, realm files: the list is searched and filtered by its URL', async (t) => {
  const { page, done } = await opened(t, 'files?search=oth&show=applied');
  await page.getByRole('link', { name: 'other', exact: true }).waitFor();
  await shows(t, () => page.locator('tbody tr').count(), 1);
  await page.getByRole('searchbox').fill('no such file');
  await page.getByText('No results for “no such file”.').waitFor();
  t.regex(page.url(), /search=no/);
  await page.getByRole('button', { name: 'Clear search', exact: true }).click();
  await page.locator('tbody tr').nth(1).waitFor();
  await done();
});

browserTest(
  'admin console, realm files: an admin of one realm sees that files belong to the host, and has no link to them',
  async (t) => {
    const tab = await openAdminConsole(t, started(), 'realms/told/file?realm=told');
    await signIn(tab.page, { realm: 'told', username: 'ria', password: 'ria' });
    await tab.page.getByText('This requires the role admin in the realm master', { exact: false }).waitFor();
    await shows(t, () => tab.page.getByRole('link', { name: 'Realm file', exact: true }).count(), 0);
    t.deepEqual(await axeFindings(tab.page), []);
    await tab.page.goto(`${started().host.publicUrl}/admin/desk/files`);
    await tab.page.getByText('This requires the role admin in the realm master', { exact: false }).waitFor();
    await tab.done();
  },
);

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    browserTest(`admin console, realm files: axe finds nothing, ${colorScheme}, ${width} pixels wide`, async (t) => {
      const { page, done } = await opened(t, 'files', { colorScheme, width });
      await page.getByRole('link', { name: 'wide', exact: true }).waitFor();
      t.deepEqual(await axeFindings(page), []);
      await shows(t, () => page.evaluate(WIDE), 0, 'nothing is wider than the page');
      await page.getByRole('link', { name: 'wide', exact: true }).click();
      const text = page.getByRole('textbox', { name: 'Text of wide.json' });
      await text.fill((await text.inputValue()).replace('The wide realm', 'Wider'));
      await page.getByRole('button', { name: 'Plan changes', exact: true }).click();
      await page.getByRole('heading', { name: 'Planned changes', exact: true }).waitFor();
      t.deepEqual(await axeFindings(page), []);
      await shows(t, () => page.evaluate(WIDE), 0, 'nothing is wider than the page');
      await page.getByRole('button', { name: 'Apply document', exact: true }).click();
      t.deepEqual(await axeFindings(page), []);
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click();
      await page.getByRole('button', { name: 'Discard changes', exact: true }).click();
      await done();
    });
  }
}
