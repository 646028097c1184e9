import test from 'ava';
import type { Page } from 'playwright-core';
import { adminCaller, administered, administrator } from '../helpers/admin.js';
import { axeFindings, confirmed, openSignedIn } from '../helpers/admin-console.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { codeRealm } from '../helpers/code-realm.js';
import { PARTNER_SECRET, PAULA, partnerRealm, TwoRealmBrowser } from '../helpers/external-idp.js';
import { startHost } from '../helpers/host.js';
import { codeOf } from '../helpers/read-page.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

const URLS = { authorizationUrl: 'https://idp.test/auth', tokenUrl: 'https://idp.test/token' };
const demo = codeRealm('demo', {
  adminEventsEnabled: true,
  identityProviders: [
    {
      alias: 'kept',
      providerId: 'oidc',
      displayName: 'Kept',
      config: { ...URLS, clientId: 'us', clientSecret: 'the-old-secret', guiOrder: '3', ofSomebody: 'else' },
    },
    { alias: 'hub', providerId: 'github', config: { clientId: 'us' } },
  ],
  identityProviderMappers: [
    {
      name: 'floor',
      identityProviderAlias: 'kept',
      identityProviderMapper: 'oidc-user-attribute-idp-mapper',
      config: { claim: 'floor', 'user.attribute': 'floor' },
    },
  ],
});
demo.users?.push(
  administrator('viewer', 'view-identity-providers'),
  administrator('keeper', 'manage-identity-providers', 'view-events', 'view-users'),
);

const scene = shareStarted(test, async (scope) => ({
  host: await startHost(scope, administered({ realms: [demo, partnerRealm()] })),
  browser: hasChromium ? await startBrowser(scope) : undefined,
}));

function started() {
  const { host, browser } = scene();
  if (browser === undefined) throw new Error('the browser did not start');
  return { host, browser };
}

const PATH = '/realms/demo/identity-provider/instances';
const region = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) });
const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved. Changes take effect with the next request.').waitFor();
};

browserTest(
  'admin console, identity providers: a provider is added by its discovery URL, given a mapper, signed in with, and deleted',
  async (t) => {
    const { host } = started();
    const { page, context, done } = await openSignedIn(t, started(), 'realms/demo/identity-providers');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Add identity provider', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const add = dialog.getByRole('button', { name: 'Add', exact: true });
    await dialog.getByLabel('Alias').fill('partner');
    await dialog.getByText(`${host.publicUrl}/realms/demo/broker/partner/endpoint`, { exact: true }).waitFor();
    await dialog.getByLabel('Discovery endpoint', { exact: true }).fill(`${host.realm('partner')}/nowhere`);
    await dialog.getByLabel('Client ID').fill('keyhost');
    await dialog.getByLabel('Client secret').fill(PARTNER_SECRET);
    await add.click();
    await dialog.getByText('it answered 404').waitFor();
    const discovery = `${host.realm('partner')}/.well-known/openid-configuration`;
    await dialog.getByLabel('Discovery endpoint', { exact: true }).fill(discovery);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'partner', exact: true, level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Copy Redirect URI', exact: true }).click();
    const copied = `${host.publicUrl}/realms/demo/broker/partner/endpoint`;
    await shows(t, () => page.evaluate('navigator.clipboard.readText()'), copied);
    await shows(t, () => page.getByLabel('Token URL').inputValue(), `${host.oidc('partner')}/token`);
    await page.getByLabel('Client authentication').selectOption('client_secret_basic');
    await page.getByLabel('Scopes').fill('profile email');
    await page.getByLabel('Display name').fill('Partner & Co');
    await save(page);
    const mappers = region(page, 'Mappers');
    await mappers.getByText('No mappers yet.').waitFor();
    await mappers.getByRole('button', { name: 'Add mapper', exact: true }).click();
    await dialog.getByLabel('Mapper type').selectOption('oidc-hardcoded-role-idp-mapper');
    await dialog.getByLabel('Name', { exact: true }).fill('partners are staff');
    await dialog.getByLabel('Role').fill('staff');
    await add.click();
    await mappers.getByText('partners are staff added.').waitFor();
    await mappers.getByRole('button', { name: 'Edit partners are staff', exact: true }).click();
    await shows(t, () => dialog.getByLabel('Role').inputValue(), 'staff');
    await dialog.getByLabel('Sync mode override').selectOption('FORCE');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await mappers.getByText('partners are staff saved.').waitFor();
    const signedIn = await new TwoRealmBrowser().signInByPartner(host, PAULA);
    t.truthy(codeOf(signedIn), signedIn.text);
    const call = await adminCaller(host);
    const [paula] = (await call('GET', '/realms/demo/users?username=paula')).json as unknown as { id: string }[];
    const roles = await call('GET', `/realms/demo/users/${paula?.id}/role-mappings/realm`);
    t.regex(roles.text, /"staff"/);
    await mappers.getByRole('button', { name: 'Delete partners are staff', exact: true }).click();
    await dialog.getByRole('button', { name: 'Delete mapper', exact: true }).click();
    await mappers.getByText('No mappers yet.').waitFor();
    await confirmed(page, 'Delete identity provider');
    await page.getByRole('heading', { name: 'Identity providers of demo', exact: true }).waitFor();
    t.is((await call('GET', `${PATH}/partner`)).status, 404);
    await done();
  },
);

browserTest(
  'admin console, identity providers: saving keeps the secret and members without a field, and reports another editor',
  async (t) => {
    const { host } = started();
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/identity-providers?search=kep');
    await page.getByRole('link', { name: 'kept', exact: true }).click();
    await page.getByText('Set (hidden)').waitFor();
    await page.getByLabel('PKCE method').selectOption('off');
    await page.getByLabel('Hide on login page').check();
    await page.getByLabel('First login flow').selectOption('first broker login');
    await save(page);
    const call = await adminCaller(host, { realm: 'demo', username: 'keeper', password: 'keeper' });
    const stored = (await call('GET', `${PATH}/kept`)).json as unknown as { config: Record<string, string> };
    t.like(stored, { hideOnLogin: true, firstBrokerLoginFlowAlias: 'first broker login', displayName: 'Kept' });
    t.like(stored.config, { pkceEnabled: 'false', guiOrder: '3', ofSomebody: 'else', clientSecret: '**********' });
    // The address that receives a secret cannot be changed without sending the secret.
    await page.getByLabel('Token URL').fill('https://elsewhere.test/token');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Replace Client secret', exact: true }).click();
    await page.getByRole('textbox', { name: 'Client secret' }).fill('the-new-secret');
    await page.getByLabel('Trust email').check();
    t.is((await call('PUT', `${PATH}/kept`, { ...stored, displayName: 'Theirs' })).status, 204);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const notice = page.getByRole('alert').filter({ hasText: 'keeper changed this after you opened it' });
    await notice.getByRole('cell', { name: 'Theirs', exact: true }).waitFor();
    t.false((await page.locator('main').innerText()).includes('the-new-secret'));
    await notice.getByRole('button', { name: 'Save my changes anyway', exact: true }).click();
    await page.getByText('Saved. Changes take effect with the next request.').waitFor();
    const last = (await call('GET', `${PATH}/kept`)).json as unknown as typeof stored;
    t.like(last, { displayName: 'Theirs', trustEmail: true });
    t.is(last.config.tokenUrl, 'https://elsewhere.test/token');
    await page.getByText('Set (hidden)').waitFor();
    await done();
  },
);

browserTest(
  'admin console, identity providers: an admin with view rights changes nothing, and a type that the host lacks is shown',
  async (t) => {
    const viewer = { as: { realm: 'demo', username: 'viewer', password: 'viewer' } };
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/identity-providers', viewer);
    await page.getByRole('row', { name: /hub/ }).getByText('Not supported', { exact: true }).waitFor();
    await shows(t, () => page.getByRole('button', { name: 'Add identity provider', exact: true }).count(), 0);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('kept');
    await page.getByRole('option', { name: /kept/ }).click();
    await page.getByText('Read-only. Editing requires the role manage-identity-providers.').waitFor();
    const edits = page.getByRole('button', { name: /^(Save|Delete.*|Add.*|Edit.*|Replace.*)$/ });
    await shows(t, () => edits.count(), 0);
    await page.getByRole('button', { name: 'View floor', exact: true }).click();
    const claim = page.getByRole('dialog').getByLabel('Claim');
    await shows(t, () => claim.inputValue(), 'floor');
    t.false(await claim.isEditable());
    await done();
  },
);

for (const view of [{ colorScheme: 'dark', width: 390, locale: 'de' }, {}] as const) {
  browserTest(`admin console, identity providers: axe finds nothing, ${JSON.stringify(view)}`, async (t) => {
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/identity-providers', view);
    await page.getByRole('link', { name: 'kept', exact: true }).waitFor();
    t.deepEqual(await axeFindings(page), []);
    await page.getByRole('button', { name: /^(Add identity provider|Identity-Provider hinzufügen)$/ }).click();
    await page.getByRole('dialog').getByLabel('Alias').fill('a');
    t.deepEqual(await axeFindings(page), []);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'kept', exact: true }).click();
    await page.getByRole('button', { name: /^(Edit floor|floor bearbeiten)$/ }).click();
    await page.getByRole('dialog').waitFor();
    t.deepEqual(await axeFindings(page), []);
    await page.keyboard.press('Escape');
    await shows(t, () => page.evaluate('document.activeElement.getAttribute("aria-label")'), /floor/);
    t.deepEqual(await axeFindings(page), []);
    t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
    await done();
  });
}
