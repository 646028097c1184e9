import test from 'ava';
import type { Page } from 'playwright-core';
import { adminCaller, administered, administrator, clientUuid } from '../helpers/admin.js';
import { axeFindings, confirmed, openSignedIn } from '../helpers/admin-console.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { claimsOf, startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

const demo = testRealm('demo', { adminEventsEnabled: true });
demo.clients?.push({ clientId: 'shop', secret: 'shop-secret', serviceAccountsEnabled: true });
demo.users?.push(administrator('viewer', 'view-clients'), administrator('helpdesk', 'view-users'));

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
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function scopeId(name: string): Promise<string> {
  const { representation } = (await started().host.realms.get('demo')) ?? {};
  return representation?.clientScopes?.find((scope) => scope.name === name)?.id ?? '';
}

browserTest(
  'admin console, client scopes: one is created with a mapper, assigned to a client, limited by a role, renamed and deleted',
  async (t) => {
    const { host } = started();
    const call = await adminCaller(host);
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/client-scopes');
    const dialog = page.getByRole('dialog');
    await press(page, 'Create client scope');
    await dialog.getByLabel('Name').fill('two words');
    await dialog.getByRole('button', { name: 'Create client scope', exact: true }).click();
    await dialog.getByText('Unexpected name "two words"').waitFor();
    await dialog.getByLabel('Name').fill('color');
    await dialog.getByRole('button', { name: 'Create client scope', exact: true }).click();
    await page.getByRole('heading', { name: 'color', exact: true, level: 1 }).waitFor();

    await page.getByRole('link', { name: 'Mappers', exact: true }).click();
    await press(page, 'Add mapper');
    await dialog.getByLabel('Mapper type').selectOption('oidc-hardcoded-claim-mapper');
    await dialog.getByLabel('Name', { exact: true }).fill('red');
    await dialog.getByLabel('Token Claim Name').fill('color');
    await dialog.getByLabel('Claim value').fill('red');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('red added.').waitFor();

    await page.getByRole('link', { name: 'Who gets it', exact: true }).click();
    await page.getByText('No client has it yet.').waitFor();
    await page.getByText('No roles: all users get it.').waitFor();
    await page.getByLabel('New clients get it as').selectOption('optional');
    await page.getByText('Saved. It applies to clients created from now on.').waitFor();

    const shop = await clientUuid(host, 'shop', 'demo');
    await page.goto(`${host.publicUrl}/admin/desk/realms/demo/clients/${shop}/client-scopes`);
    await page.getByRole('combobox', { name: 'Add client scope' }).fill('col');
    await page.getByRole('option', { name: 'color', exact: true }).click();
    await page.getByText('color is a default client scope now.').waitFor();
    const token = async () => {
      const form = { grant_type: 'client_credentials', client_id: 'shop', client_secret: 'shop-secret' };
      return claimsOf((await host.token('demo', form)).json.access_token ?? '') as Record<string, unknown>;
    };
    t.is((await token()).color, 'red');
    await page.getByLabel('Assign color as').selectOption('optional');
    await page.getByText('color is an optional client scope now.').waitFor();
    t.false('color' in (await token()));
    await press(page, 'Remove email');
    await page.getByText('email removed.').waitFor();
    t.deepEqual(
      (
        JSON.parse((await call('GET', `/realms/demo/clients/${shop}/optional-client-scopes`)).text) as {
          name: string;
        }[]
      )
        .map(({ name }) => name)
        .filter((name) => name === 'color'),
      ['color'],
    );

    await page.getByRole('link', { name: 'color', exact: true }).click();
    await page.getByRole('link', { name: 'Who gets it', exact: true }).click();
    const clients = page.getByRole('table', { name: 'Clients with this client scope' });
    await shows(t, () => clients.locator('tbody').innerText(), /shop\s+—\s+Optional/);
    const roles = region(page, 'Roles');
    for (const [typed, option, held] of [
      ['sta', 'staff', 'staff'],
      ['edit', 'editor web', 'web editor'],
    ] as const) {
      await roles.getByRole('combobox').fill(typed);
      await page.getByRole('option', { name: option, exact: true }).click();
      await roles.getByRole('button', { name: `Remove ${held}`, exact: true }).waitFor();
    }
    await roles.getByRole('button', { name: 'Remove web editor', exact: true }).click();
    await roles.getByText('editor removed.').waitFor();
    const id = await scopeId('color');
    t.like(JSON.parse((await call('GET', `/realms/demo/client-scopes/${id}/scope-mappings`)).text), {
      realmMappings: [{ name: 'staff' }],
      clientMappings: undefined,
    });

    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('paint');
    await page.getByLabel('Consent screen text').fill('Your paint');
    await page.getByLabel('Include in token scope').uncheck();
    await press(page, 'Save');
    await page.getByText('Saved. New tokens carry the change.').waitFor();
    t.like((await call('GET', `/realms/demo/client-scopes/${id}`)).json, {
      name: 'paint',
      attributes: { 'consent.screen.text': 'Your paint', 'include.in.token.scope': 'false' },
    });
    // A concurrent change by another admin.
    await page.getByLabel('Description').fill('Mine');
    t.is((await call('PUT', `/realms/demo/client-scopes/${id}`, { description: 'Theirs' })).status, 204);
    await press(page, 'Save');
    await page.getByRole('heading', { name: /changed this after you opened it/ }).waitFor();
    await press(page, 'Discard my changes');
    await shows(t, () => page.getByLabel('Description').inputValue(), 'Theirs');
    await confirmed(page, 'Delete client scope');
    await page.getByRole('heading', { name: 'Client scopes of demo', exact: true }).waitFor();
    await shows(t, () => page.getByRole('link', { name: 'paint', exact: true }).count(), 0);
    t.is((await call('GET', `/realms/demo/client-scopes/${id}`)).status, 404);
    await done();
  },
);

browserTest('admin console, client scopes: they are searched on the host, and show what new clients get', async (t) => {
  const { page, done } = await openSignedIn(t, started(), 'realms/demo/client-scopes');
  await page.getByRole('searchbox').fill('newsletter');
  await shows(t, () => page.locator('tbody tr').count(), 1);
  t.regex(page.url(), /search=newsletter/);
  await page.getByRole('searchbox').fill('nothing like it');
  await page.getByText('No results for “nothing like it”.').waitFor();
  await done();
});

browserTest(
  'admin console, client scopes: an admin with view rights changes none, and another sees the missing role',
  async (t) => {
    const as = (username: string) => ({ as: { realm: 'demo', username, password: username } });
    const path = `realms/demo/client-scopes/${await scopeId('profile')}`;
    const viewer = await openSignedIn(t, started(), path, as('viewer'));
    const edits = viewer.page.getByRole('button', { name: /^(Save|Delete.*|Add.*|Edit.*|Create.*|Remove.*)$/ });
    for (const tab of ['Settings', 'Mappers', 'Who gets it']) {
      await viewer.page.getByRole('link', { name: tab, exact: true }).click();
      await viewer.page.getByText('Read-only. Editing requires the role manage-clients.').waitFor();
      await shows(t, () => edits.count(), 0, tab);
    }
    await shows(t, () => viewer.page.getByLabel('New clients get it as').isDisabled(), true);
    await viewer.done();
    const helpdesk = await openSignedIn(t, started(), 'realms/demo/client-scopes', as('helpdesk'));
    await helpdesk.page.getByText('This requires the role view-clients or manage-clients.').first().waitFor();
    await helpdesk.done();
  },
);

for (const view of [{ colorScheme: 'dark', width: 390, locale: 'de' }, {}] as const) {
  browserTest(`admin console, client scopes: axe finds nothing, ${JSON.stringify(view)}`, async (t) => {
    const { host } = started();
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/client-scopes', view);
    const isWithin = 'document.documentElement.scrollWidth <= innerWidth';
    const check = async () => {
      t.deepEqual(await axeFindings(page), []);
      t.true(await page.evaluate(isWithin));
    };
    await page.locator('tbody tr').first().waitFor();
    await check();
    await page.locator('tbody th a').first().click();
    for (const tab of ['mappers', 'access']) {
      await page.locator(`.tabs a[href$=${tab}]`).click();
      await page.locator('main section table, main section .nothing').first().waitFor();
      await check();
    }
    const web = await clientUuid(host, 'web', 'demo');
    await page.goto(`${host.publicUrl}/admin/desk/realms/demo/clients/${web}/client-scopes`);
    await page.locator('tbody tr').first().waitFor();
    await check();
    await done();
  });
}
