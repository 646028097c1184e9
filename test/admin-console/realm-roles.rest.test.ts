import test from 'ava';
import type { Page } from 'playwright-core';
import { adminCaller, administered, administrator } from '../helpers/admin.js';
import { axeFindings, openSignedIn } from '../helpers/admin-console.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

const demo = testRealm('demo', {
  roles: { realm: [{ name: 'reader' }, { name: 'editor', description: 'Edits pages' }] },
});
demo.users?.push(administrator('viewer', 'view-realm', 'view-users'), {
  username: 'rita',
  enabled: true,
  realmRoles: ['editor'],
});

const scene = shareStarted(test, async (scope) => ({
  host: await startHost(scope, administered({ realms: [demo] })),
  browser: hasChromium ? await startBrowser(scope) : undefined,
}));

function started() {
  const { host, browser } = scene();
  if (browser === undefined) throw new Error('the browser did not start');
  return { host, browser };
}

const region = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) });

browserTest(
  'admin console, realm roles: a realm role is created, described, given other roles, renamed for its users, and deleted',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/roles');
    await page.getByRole('button', { name: 'Create role', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const create = dialog.getByRole('button', { name: 'Create role', exact: true });
    await shows(t, () => create.isDisabled(), true);
    await dialog.getByLabel('Name').fill('editor');
    await create.click();
    await dialog.getByText('already exists').waitFor();
    await dialog.getByLabel('Name').fill('chief / editor?');
    await dialog.getByLabel('Description').fill('Decides');
    await create.click();
    await page.getByRole('heading', { name: 'chief / editor?', exact: true, level: 1 }).waitFor();
    const settings = region(page, 'Settings');
    await settings.getByRole('button', { name: 'Add attribute', exact: true }).click();
    await settings.getByLabel('Attribute 1: Name').fill('floor');
    await settings.getByLabel('Attribute 1: Value').fill('2');
    await settings.getByLabel('Name', { exact: true }).fill('chief');
    await settings.getByRole('button', { name: 'Save', exact: true }).click();
    await settings.getByText('Saved. New tokens carry the change.').waitFor();
    await page.getByRole('heading', { name: 'chief', exact: true, level: 1 }).waitFor();
    const associated = region(page, 'Associated roles');
    await associated.getByText('No associated roles yet.').waitFor();
    await associated.getByRole('combobox').fill('edit');
    await page.getByRole('option', { name: 'editor', exact: true }).click();
    await associated.getByText('editor added.').waitFor();
    await page.getByText('Composite', { exact: true }).waitFor();
    const call = await adminCaller(started().host);
    const stored = await call('GET', '/realms/demo/roles/chief');
    t.like(stored.json, { description: 'Decides', attributes: { floor: ['2'] }, composite: true });
    await associated.getByRole('button', { name: 'Remove editor', exact: true }).click();
    await associated.getByText('editor removed.').waitFor();
    // A concurrent change by another admin: the input is preserved, and the change is shown.
    await settings.getByLabel('Description').fill('Decides everything');
    await call('PUT', '/realms/demo/roles/chief', { name: 'chief', description: 'Advises' });
    await settings.getByRole('button', { name: 'Save', exact: true }).click();
    await settings.getByRole('alert').getByText('Advises').waitFor();
    await settings.getByRole('button', { name: 'Discard changes', exact: true }).click();
    await shows(t, () => settings.getByLabel('Description').inputValue(), 'Advises');
    await page.getByRole('button', { name: 'Delete role', exact: true }).click();
    await dialog.getByRole('button', { name: 'Delete role', exact: true }).click();
    await page.getByRole('heading', { name: 'Realm roles of demo', exact: true }).waitFor();
    t.is((await call('GET', '/realms/demo/roles/chief')).status, 404);
    await page.goto(page.url().replace('/realms/demo/', '/realms/master/'));
    await page.getByRole('link', { name: 'create-realm', exact: true }).click();
    await page.getByText('Read-only. Keyhost reads all rights of administration from this role.').waitFor();
    await shows(t, () => page.getByRole('button', { name: /^(Delete role|Save|Add attribute)$/ }).count(), 0);
    await done();
  },
);

browserTest(
  'admin console, realm roles: a role shows its users, and an admin with view rights changes nothing',
  async (t) => {
    const viewer = { as: { realm: 'demo', username: 'viewer', password: 'viewer' } };
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/roles?search=pages', viewer);
    await page.getByRole('link', { name: 'editor', exact: true }).click();
    await page.getByText('Read-only. Editing requires the role manage-realm.').waitFor();
    await region(page, 'Users in role').getByRole('link', { name: 'rita', exact: true }).waitFor();
    await shows(t, () => page.getByRole('button', { name: /^(Delete role|Save|Add attribute)$/ }).count(), 0);
    await done();
  },
);

browserTest('admin console, realm roles: axe finds nothing, on a phone, in the dark and in German', async (t) => {
  const view = { width: 390, colorScheme: 'dark', locale: 'de' } as const;
  const { page, done } = await openSignedIn(t, started(), 'realms/demo/roles', view);
  await page.getByRole('heading', { name: 'Realm-Rollen von demo', exact: true }).waitFor();
  t.deepEqual(await axeFindings(page), []);
  await page.getByRole('link', { name: 'editor', exact: true }).click();
  await page.getByRole('heading', { name: 'Zugehörige Rollen', exact: true }).waitFor();
  t.deepEqual(await axeFindings(page), []);
  t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
  await done();
});
