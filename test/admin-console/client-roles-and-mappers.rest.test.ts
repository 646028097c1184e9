import test from 'ava';
import * as jose from 'jose';
import type { Page } from 'playwright-core';
import { adminCaller, administered, administrator, clientUuid } from '../helpers/admin.js';
import { axeFindings, confirmed, openSignedIn } from '../helpers/admin-console.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { claimsOf, startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

const demo = testRealm('demo', { adminEventsEnabled: true });
demo.clients?.push(
  { clientId: 'shop', secret: 'shop-secret', serviceAccountsEnabled: true },
  {
    clientId: 'rotating',
    secret: 'the-new-secret',
    serviceAccountsEnabled: true,
    attributes: {
      'client.secret.creation.time': '1700000000',
      'client.secret.rotated': 'the-old-secret',
      'client.secret.rotated.creation.time': '1700000000',
      'client.secret.rotated.expiration.time': '4000000000',
    },
  },
);
demo.users?.push(administrator('viewer', 'view-clients', 'view-users'));

const scene = shareStarted(test, async (scope) => ({
  host: await startHost(scope, administered({ realms: [demo] })),
  browser: hasChromium ? await startBrowser(scope) : undefined,
}));

function started() {
  const { host, browser } = scene();
  if (browser === undefined) throw new Error('the browser did not start');
  return { host, browser };
}

const pathOf = async (clientId: string) => `realms/demo/clients/${await clientUuid(started().host, clientId, 'demo')}`;
const region = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

browserTest(
  'admin console, client: a role of a client is created, contains roles of the realm and of clients, and is deleted',
  async (t) => {
    const path = await pathOf('web');
    const { page, done } = await openSignedIn(t, started(), path);
    await page.getByRole('link', { name: 'Roles', exact: true }).click();
    await page.getByRole('link', { name: 'editor', exact: true }).waitFor();
    await press(page, 'Create role');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('chief');
    await dialog.getByRole('button', { name: 'Create role', exact: true }).click();
    await page.getByRole('heading', { name: 'chief', exact: true, level: 1 }).waitFor();
    await page.getByLabel('Description').fill('Decides');
    await press(page, 'Save');
    await page.getByText('Saved. New tokens carry the change.').waitFor();
    const associated = region(page, 'Associated roles');
    for (const [typed, option, held] of [
      ['staff', 'staff', 'staff'],
      ['issuer', 'newsletter-token-issuer nl', 'nl newsletter-token-issuer'],
    ] as const) {
      await associated.getByRole('combobox').fill(typed);
      await page.getByRole('option', { name: option, exact: true }).click();
      await associated.getByRole('button', { name: `Remove ${held}`, exact: true }).waitFor();
    }
    const call = await adminCaller(started().host);
    t.like((await call('GET', `/${path}/roles/chief`)).json, { description: 'Decides', composite: true });
    const contained = (await call('GET', `/${path}/roles/chief/composites`)).json as unknown as { name: string }[];
    t.deepEqual(contained.map(({ name }) => name).sort(), ['newsletter-token-issuer', 'staff']);
    await associated.getByRole('button', { name: 'Remove nl newsletter-token-issuer', exact: true }).click();
    await associated.getByText('newsletter-token-issuer removed.').waitFor();
    await page.getByText('No users have this role directly.').waitFor();
    await confirmed(page, 'Delete role');
    await page.getByRole('heading', { name: 'web', exact: true, level: 1 }).waitFor();
    await shows(t, () => page.getByRole('link', { name: 'chief', exact: true }).count(), 0);
    t.is((await call('GET', `/${path}/roles/chief`)).status, 404);
    await done();
  },
);

browserTest(
  'admin console, client: a mapper is added by its type, changes tokens, is edited once at a time, and deleted',
  async (t) => {
    const { host } = started();
    const path = await pathOf('shop');
    const { page, done } = await openSignedIn(t, started(), `${path}/mappers`);
    const claims = async () => {
      const form = { grant_type: 'client_credentials', client_id: 'shop', client_secret: 'shop-secret' };
      return claimsOf((await host.token('demo', form)).json.access_token ?? '') as Record<string, unknown>;
    };
    const dialog = page.getByRole('dialog');
    await page.getByText('No mappers yet.').waitFor();
    await press(page, 'Add mapper');
    await dialog.getByLabel('Mapper type').selectOption('oidc-hardcoded-claim-mapper');
    await dialog.getByLabel('Name', { exact: true }).fill('colour');
    await dialog.getByLabel('Token Claim Name').fill('colour');
    await dialog.getByLabel('Claim value').fill('red');
    await shows(t, () => dialog.getByLabel('Add to access token', { exact: true }).isChecked(), true);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('colour added.').waitFor();
    t.is((await claims()).colour, 'red');
    await press(page, 'Edit colour');
    await dialog.getByLabel('Claim value').fill('blue');
    // A concurrent change by another admin.
    const call = await adminCaller(host);
    const [mapper] = (await call('GET', `/${path}/protocol-mappers/models`)).json as unknown as {
      id: string;
      config: object;
    }[];
    const theirs = { ...mapper, config: { ...mapper?.config, 'claim.value': 'green' } };
    t.is((await call('PUT', `/${path}/protocol-mappers/models/${mapper?.id}`, theirs)).status, 204);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('changed this after you opened it').waitFor();
    t.is((await claims()).colour, 'green');
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    await press(page, 'Edit colour');
    await shows(t, () => dialog.getByLabel('Claim value').inputValue(), 'green');
    await dialog.getByLabel('Claim value').fill('blue');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('colour saved.').waitFor();
    t.is((await claims()).colour, 'blue');
    await press(page, 'Delete colour');
    await dialog.getByRole('button', { name: 'Delete mapper', exact: true }).click();
    await page.getByText('No mappers yet.').waitFor();
    t.false('colour' in (await claims()));
    await done();
  },
);

browserTest(
  'admin console, client: a client authenticates by a signed JWT whose key was imported, and is deleted',
  async (t) => {
    const { host } = started();
    const call = await adminCaller(host);
    const made = { clientId: 'signer', secret: 'a-secret', serviceAccountsEnabled: true };
    t.is((await call('POST', '/realms/demo/clients', made)).status, 201);
    const path = await pathOf('signer');
    const { page, done } = await openSignedIn(t, started(), `${path}/credentials`);
    const authenticator = page.getByLabel('Client authenticator');
    await region(page, 'Client secret').waitFor();
    await shows(t, () => authenticator.locator('option').allInnerTexts(), [
      'Client ID and secret',
      'Signed JWT',
      'Signed JWT with client secret',
    ]);
    await authenticator.selectOption('client-jwt');
    await page.getByLabel('Signature algorithm').selectOption('ES256');
    await press(page, 'Save');
    await page.getByText('No keys yet.').waitFor();
    await shows(t, () => region(page, 'Client secret').count(), 0);
    const { publicKey, privateKey } = await jose.generateKeyPair('ES256');
    await press(page, 'Import keys');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Format').selectOption('Public Key PEM');
    await dialog.getByLabel('Keys').fill('no key');
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Keys').fill(await jose.exportSPKI(publicKey));
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Keys imported.').waitFor();
    const assertion = await new jose.SignJWT({ iss: 'signer', sub: 'signer', aud: host.realm('demo'), jti: 'once' })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuedAt()
      .setExpirationTime('30s')
      .sign(privateKey);
    const form = {
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    };
    t.is((await host.token('demo', form)).status, 200);
    await confirmed(page, 'Delete client');
    await page.getByRole('heading', { name: 'Clients of demo', exact: true }).waitFor();
    t.is((await call('GET', `/${path}`)).status, 404);
    await page.getByRole('link', { name: 'account', exact: true }).click();
    await page.getByRole('heading', { name: 'account', exact: true, level: 1 }).waitFor();
    await shows(t, () => page.getByRole('button', { name: 'Delete client', exact: true }).count(), 0);
    // Objects from which administration rights are derived cannot be changed.
    await page.goto(`${host.publicUrl}/admin/desk/${await pathOf('realm-management')}/roles`);
    await page.getByText('Keyhost reads rights of administration from this client.').waitFor();
    await page.getByRole('link', { name: 'manage-users', exact: true }).click();
    await page.getByText('Read-only. Keyhost reads rights of administration from this role.').waitFor();
    await shows(t, () => page.getByRole('button', { name: /^(Create role|Delete role|Save)$/ }).count(), 0);
    await done();
  },
);

browserTest('admin console, client: the previous secret is shown as valid, and can be revoked', async (t) => {
  const { host } = started();
  const secret = { client_id: 'rotating', client_secret: 'the-old-secret' };
  const status = async () => (await host.token('demo', { grant_type: 'client_credentials', ...secret })).status;
  t.is(await status(), 200);
  const { page, done } = await openSignedIn(t, started(), `${await pathOf('rotating')}/credentials`);
  await region(page, 'Rotated secret')
    .getByText(/valid until .*2096/)
    .waitFor();
  t.false((await page.content()).includes('the-old-secret'));
  await press(page, 'Revoke rotated secret');
  await page.getByText('Rotated secret revoked.').waitFor();
  t.is(await status(), 401);
  await done();
});

browserTest('admin console, client: an admin with view rights changes no role, mapper or credential', async (t) => {
  const viewer = { as: { realm: 'demo', username: 'viewer', password: 'viewer' } };
  const { page, done } = await openSignedIn(t, started(), await pathOf('web'), viewer);
  const edits = page.getByRole('button', { name: /^(Save|Delete.*|Add.*|Edit.*|Create.*|Import.*|Regenerate.*)$/ });
  for (const tab of ['Credentials', 'Mappers', 'Roles']) {
    await page.getByRole('link', { name: tab, exact: true }).click();
    await page.getByText('Read-only.').waitFor();
    await shows(t, () => edits.count(), 0, tab);
  }
  await page.getByRole('link', { name: 'editor', exact: true }).click();
  await page.getByText('Read-only. Editing requires the role manage-clients').waitFor();
  await shows(t, () => edits.count(), 0);
  await done();
});

for (const view of [{ colorScheme: 'dark', width: 390, locale: 'de' }, {}] as const) {
  browserTest(`admin console, client: axe finds nothing, ${JSON.stringify(view)}`, async (t) => {
    const { page, done } = await openSignedIn(t, started(), await pathOf('svc'), view);
    const isWithin = 'document.documentElement.scrollWidth <= innerWidth';
    for (const tab of ['roles', 'mappers', 'credentials']) {
      await page.locator(`.tabs a[href$=${tab}]`).click();
      await page.locator('main section').first().waitFor();
      t.deepEqual(await axeFindings(page), []);
      t.true(await page.evaluate(isWithin));
    }
    await page.getByLabel(/^Client[ -][Aa]uthenticator$/).selectOption('client-jwt');
    t.deepEqual(await axeFindings(page), []);
    await done();
  });
}
