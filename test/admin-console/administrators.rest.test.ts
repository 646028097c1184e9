import test from 'ava';
import type { Page } from 'playwright-core';
import { adminCaller, administered, administrator } from '../helpers/admin.js';
import { axeFindings, openSignedIn } from '../helpers/admin-console.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

const demo = testRealm('demo');
demo.groups?.push({ name: 'desk', clientRoles: { 'realm-management': ['view-events'] } });
demo.users?.push(
  administrator('helper', 'manage-users', 'view-users'),
  administrator('keeper', 'view-realm'),
  { username: 'nils', enabled: true, groups: ['/desk'] },
  { username: 'rita', enabled: true },
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

const as = (username: string) => ({ as: { realm: 'demo', username, password: username } });
const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });

browserTest(
  'admin console, administrators: a preset makes a user an administrator, and a removal ends it',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/administrators');
    await rowOf(page, 'dave').getByText('Full administrator').waitFor();
    await rowOf(page, 'helper').getByText('User support').waitFor();
    await rowOf(page, 'nils').getByRole('link', { name: 'Group /desk', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Add administrator', exact: true }).click();
    const give = page.getByRole('button', { name: 'Add administrator', exact: true });
    await page.getByRole('combobox', { name: 'User', exact: true }).fill('rit');
    await page.getByRole('option', { name: 'rita' }).click();
    await shows(t, () => give.isDisabled(), true);
    await page.getByRole('radio', { name: 'Auditor', exact: true }).check();
    await page.getByText('Roles to assign').waitFor();
    await shows(t, () => page.locator('.chip').allInnerTexts(), [
      'view-clients',
      'view-events',
      'view-identity-providers',
      'view-realm',
      'view-users',
    ]);
    await give.click();
    await page.getByRole('heading', { name: 'Administrators of demo', exact: true }).waitFor();
    const row = rowOf(page, 'rita');
    await row.getByText('Auditor').waitFor();
    await row.getByRole('button', { name: 'Remove rita', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove rita as an administrator?' });
    await dialog.getByText('view-events').waitFor();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('rita is no longer an administrator by these roles.').waitFor();
    const call = await adminCaller(started().host);
    t.is((await call('GET', '/realms/demo/administrators?search=rita')).text, '[]');
    await page.getByRole('searchbox').fill('');
    await page.getByRole('combobox', { name: 'May do' }).selectOption('view-events');
    await shows(t, () => page.locator('tbody tr').count(), 2);
    // A right from a group remains, so there is nothing to confirm.
    await page.getByRole('button', { name: 'Remove nils', exact: true }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Group /desk', exact: true }).waitFor();
    const remove = page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true });
    await shows(t, () => remove.isDisabled(), true);
    await done();
  },
);

browserTest(
  'admin console, administrators: the last one is removed after a warning, that of master never',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/administrators');
    await page.getByRole('button', { name: 'Remove dave', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('dave is the last full administrator of demo.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('link', { name: 'Show them', exact: true }).click();
    await page.getByText('Only administrators who may manage demo are shown.').waitFor();
    await page.getByRole('button', { name: 'Remove root', exact: true }).click();
    await dialog.getByText('This is you.').waitFor();
    await dialog.getByRole('button', { name: 'Remove the last one', exact: true }).click();
    await dialog.getByRole('alert').getByText('this is the last one').waitFor();
    await done();
  },
);

browserTest('admin console, administrators: a user of master gets the rights over another realm', async (t) => {
  const call = await adminCaller(started().host);
  t.is((await call('POST', '/realms/master/users', { username: 'mara', enabled: true })).status, 201);
  const { page, done } = await openSignedIn(t, started(), 'realms/master/administrators/new');
  await page.getByRole('radio', { name: 'Realm creator', exact: true }).waitFor();
  await page.getByRole('combobox', { name: 'User', exact: true }).fill('mara');
  await page.getByRole('option', { name: 'mara' }).click();
  await page.getByRole('combobox', { name: 'Realm to manage', exact: true }).fill('demo');
  await page.getByRole('option', { name: 'demo' }).click();
  await page.getByRole('radio', { name: 'Full administrator', exact: true }).check();
  await page.getByText('Roles to assign of the client demo-realm').waitFor();
  await page.getByRole('button', { name: 'Add administrator', exact: true }).click();
  const row = rowOf(page, 'mara');
  await row.getByText('demo: Full administrator').waitFor();
  t.regex((await call('GET', '/realms/master/administrators?over=demo&role=manage-realm')).text, /"mara"/);
  await row.getByRole('button', { name: 'Remove mara', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('mara is no longer an administrator by these roles.').waitFor();
  t.is((await call('GET', '/realms/master/administrators?search=mara')).text, '[]');
  await done();
});

browserTest('admin console, administrators: nobody is offered to give or take rights that they lack', async (t) => {
  const { page, done } = await openSignedIn(t, started(), 'realms/demo/administrators', as('helper'));
  await rowOf(page, 'dave').waitFor();
  await shows(t, () => page.getByRole('button', { name: /^Remove / }).allInnerTexts(), ['Remove']);
  await page.getByRole('link', { name: 'Add administrator', exact: true }).click();
  await page.getByText('You cannot give this, because you do not have realm-admin.').waitFor();
  await shows(t, () => page.getByRole('radio', { name: 'Full administrator' }).isDisabled(), true);
  await shows(t, () => page.getByRole('radio', { name: 'User support' }).isEnabled(), true);
  await page.getByRole('combobox', { name: 'User', exact: true }).fill('dave');
  await page.getByRole('option', { name: 'dave' }).click();
  await page.getByText('You cannot change dave: this user has rights that you do not have.').waitFor();
  await done();
});

browserTest('admin console, administrators: the list names the role that it requires', async (t) => {
  const { page, done } = await openSignedIn(t, started(), 'realms/demo/administrators', as('keeper'));
  await page.getByRole('alert').getByText('view-users').waitFor();
  await shows(t, () => page.getByRole('link', { name: 'Add administrator', exact: true }).count(), 0);
  await done();
});

browserTest('admin console, administrators: axe finds nothing, on a phone, in the dark and in German', async (t) => {
  const view = { width: 390, colorScheme: 'dark', locale: 'de' } as const;
  const { page, done } = await openSignedIn(t, started(), 'realms/demo/administrators', view);
  await rowOf(page, 'dave').getByText('Voller Administrator').waitFor();
  t.deepEqual(await axeFindings(page), []);
  t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
  await page.getByRole('link', { name: 'Administrator hinzufügen', exact: true }).click();
  await page.getByRole('radio', { name: 'Prüfer', exact: true }).check();
  t.deepEqual(await axeFindings(page), []);
  t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
  await done();
});
