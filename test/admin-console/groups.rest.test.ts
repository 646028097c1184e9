import test from 'ava';
import type { Page } from 'playwright-core';
import { adminCaller, administered, administrator } from '../helpers/admin.js';
import { axeFindings, confirmed, openSignedIn } from '../helpers/admin-console.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

const demo = testRealm('demo');
demo.groups?.push({ name: 'house', subGroups: [{ name: 'kitchen', subGroups: [{ name: 'sink' }] }] });
demo.users?.push(administrator('lister', 'query-groups'), { username: 'rita', enabled: true });

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
  'admin console, groups: groups are nested, have members, roles and attributes, and are removed with their subgroups',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/groups');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Create group', exact: true }).click();
    await dialog.getByLabel('Name').fill('house');
    await dialog.getByRole('button', { name: 'Create group', exact: true }).click();
    await dialog.getByText('already exists').waitFor();
    await dialog.getByLabel('Name').fill('crew / a');
    await dialog.getByRole('button', { name: 'Create group', exact: true }).click();
    await page.getByRole('heading', { name: 'crew / a', exact: true, level: 1 }).waitFor();
    const settings = region(page, 'Settings');
    await settings.getByLabel('Name', { exact: true }).fill('crew');
    await settings.getByRole('button', { name: 'Add attribute', exact: true }).click();
    await settings.getByLabel('Attribute 1: Name').fill('floor');
    await settings.getByLabel('Attribute 1: Value').fill('2');
    await settings.getByRole('button', { name: 'Save', exact: true }).click();
    await settings.getByText('Saved. Changes take effect with the next request.').waitFor();
    const members = region(page, 'Members');
    await members.getByRole('combobox').fill('rita');
    await page.getByRole('option', { name: 'rita' }).click();
    await members.getByText('rita added.').waitFor();
    const roles = region(page, 'Roles');
    await roles.getByRole('combobox').fill('staff');
    await page.getByRole('option', { name: 'staff' }).click();
    await roles.getByText('staff assigned.').waitFor();
    await roles.getByRole('combobox').fill('editor');
    await page.getByRole('option', { name: 'editor web', exact: true }).click();
    await roles.getByRole('button', { name: 'Unassign web editor', exact: true }).waitFor();
    const call = await adminCaller(started().host);
    const [found] = (await call('GET', '/realms/demo/groups?search=crew&briefRepresentation=false')).json as {
      id: string;
    }[];
    t.like(found, { attributes: { floor: ['2'] }, realmRoles: ['staff'], clientRoles: { web: ['editor'] } });
    t.like((await call('GET', `/realms/demo/groups/${found?.id}/members`)).json, [{ username: 'rita' }]);
    await members.getByRole('button', { name: 'Remove rita', exact: true }).click();
    await members.getByText('No members yet.').waitFor();
    await roles.getByRole('button', { name: 'Unassign staff', exact: true }).click();
    await roles.getByText('staff unassigned.').waitFor();
    await region(page, 'Subgroups').getByRole('button', { name: 'Create subgroup', exact: true }).click();
    await dialog.getByLabel('Name').fill('below');
    await dialog.getByRole('button', { name: 'Create subgroup', exact: true }).click();
    await page.getByText('/crew/below', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Parent group', exact: true }).click();
    await region(page, 'Subgroups').getByRole('link', { name: 'below', exact: true }).waitFor();
    await confirmed(page, 'Delete group');
    await page.getByRole('heading', { name: 'Groups of demo', exact: true }).waitFor();
    await page.getByRole('searchbox').fill('below');
    await page.getByText('No results for “below”.').waitFor();
    await done();
  },
);

browserTest(
  'admin console, groups: a search finds groups at any depth, and an admin with view rights sees that',
  async (t) => {
    const lister = { as: { realm: 'demo', username: 'lister', password: 'lister' } };
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/groups?search=sink', lister);
    await page.getByText('/house/kitchen/sink', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'sink', exact: true }).click();
    await page.getByText('Read-only. Editing requires the role manage-users.').waitFor();
    await shows(t, () => page.getByText('Viewing them requires the role view-users.').count(), 2);
    await shows(t, () => page.getByRole('button', { name: /^(Delete group|Save|Create subgroup)$/ }).count(), 0);
    await done();
  },
);

browserTest('admin console, groups: axe finds nothing, on a phone, in the dark and in German', async (t) => {
  const view = { width: 390, colorScheme: 'dark', locale: 'de' } as const;
  const { page, done } = await openSignedIn(t, started(), 'realms/demo/groups', view);
  await page.getByRole('heading', { name: 'Gruppen von demo', exact: true }).waitFor();
  t.deepEqual(await axeFindings(page), []);
  await page.getByRole('link', { name: 'house', exact: true }).click();
  await page.getByRole('link', { name: 'kitchen', exact: true }).waitFor();
  t.deepEqual(await axeFindings(page), []);
  t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
  await done();
});
