import test from 'ava';
import type { Page } from 'playwright-core';
import { adminCaller, administered, administrator, clientUuid } from '../helpers/admin.js';
import { axeFindings, openAdminConsole, openSignedIn, signIn } from '../helpers/admin-console.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

const demo = testRealm('demo', { adminEventsEnabled: true });
demo.clients?.push(
  ...Array.from({ length: 30 }, (_, at) => ({ clientId: `many-${String(at).padStart(2, '0')}`, publicClient: true })),
  {
    clientId: 'painter',
    publicClient: true,
    protocolMappers: [
      {
        name: 'paint',
        protocol: 'openid-connect',
        protocolMapper: 'oidc-hardcoded-claim-mapper',
        config: { 'claim.name': 'colour', 'claim.value': 'red', 'access.token.claim': 'true' },
      },
    ],
  },
);
demo.users?.push(administrator('viewer', 'view-clients', 'view-users'), administrator('clientele', 'view-clients'));

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
const claim = (page: Page, name: string) => page.getByRole('row').filter({ hasText: new RegExp(`^${name}`) });

async function askFor(page: Page, username: string, scope?: string) {
  await page.getByRole('combobox', { name: 'User' }).click();
  await page.getByRole('combobox', { name: 'User' }).fill(username);
  await page.getByRole('option', { name: username }).first().click();
  if (scope !== undefined) await page.getByLabel('Scope', { exact: true }).fill(scope);
  await page.getByRole('button', { name: 'Show claims', exact: true }).click();
}

browserTest(
  'admin console, clients: clients are searched and paged by the host, and each links to its page',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/clients?search=many&first=20');
    await page.getByRole('link', { name: 'many-29', exact: true }).waitFor();
    await shows(t, () => page.locator('tbody tr').count(), 10);
    await page.getByRole('searchbox').fill('newsletter');
    await page.getByRole('link', { name: 'newsletter-api', exact: true }).click();
    await page.getByRole('heading', { name: 'newsletter-api', exact: true, level: 1 }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'newsletter-api', exact: true, level: 1 }).waitFor();
    await done();
  },
);

browserTest('admin console, clients: changed settings are saved, and no others', async (t) => {
  const path = await pathOf('web2');
  const { page, done } = await openSignedIn(t, started(), path);
  await page.getByLabel('Name', { exact: true }).fill('Second web');
  await page.getByLabel('Root URL').fill('nowhere');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Root URL is not a valid URL').waitFor();
  await page.getByLabel('Root URL').fill('https://web2.example.test');
  await page.getByLabel('Valid redirect URIs').fill('https://web2.example.test/cb\n\nhttps://web2.example.test/other');
  await page.getByLabel('PKCE').selectOption('S256');
  await page.getByLabel('Access token lifespan').fill('120');
  await page.getByLabel('Client credentials').check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved. Changes take effect').waitFor();
  const call = await adminCaller(started().host);
  const { json } = await call('GET', `/${path}`);
  t.like(json, {
    name: 'Second web',
    rootUrl: 'https://web2.example.test',
    redirectUris: ['https://web2.example.test/cb', 'https://web2.example.test/other'],
    serviceAccountsEnabled: true,
    directAccessGrantsEnabled: true,
    secret: 'web2-secret',
  });
  t.like(json.attributes, { 'pkce.code.challenge.method': 'S256', 'access.token.lifespan': '120' });
  await page.getByLabel('Access token lifespan').fill('');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved. Changes take effect').waitFor();
  t.false((await call('GET', `/${path}`)).text.includes('access.token.lifespan'));
  await done();
});

browserTest('admin console, clients: a second editor sees who changed what, and no input is lost', async (t) => {
  const { host, browser } = started();
  const path = await pathOf('svc');
  const { page, done } = await openSignedIn(t, { host, browser }, path);
  await page.getByLabel('Name', { exact: true }).fill('Mine');
  const call = await adminCaller(host, { realm: 'demo', username: 'dave', password: 'Dave-pass-1!' });
  t.is((await call('PUT', `/${path}`, { description: 'Theirs' })).status, 204);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const notice = page.getByRole('alert');
  await notice.getByRole('heading', { name: 'dave changed this after you opened it', exact: true }).waitFor();
  await notice.getByRole('cell', { name: 'Theirs', exact: true }).waitFor();
  await shows(t, () => page.getByLabel('Name', { exact: true }).inputValue(), 'Mine');
  await notice.getByRole('button', { name: 'Save my changes anyway', exact: true }).click();
  await page.getByText('Saved. Changes take effect').waitFor();
  t.like((await call('GET', `/${path}`)).json, { name: 'Mine', description: 'Theirs' });
  await done();
});

browserTest(
  'admin console, clients: a secret is shown on request, copied, and regenerated after a confirmation',
  async (t) => {
    const { host, browser } = started();
    const { page, context, done } = await openAdminConsole(t, { host, browser }, `${await pathOf('web')}/credentials`);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn(page);
    await page.getByText('Hidden until you show it.').waitFor();
    t.false((await page.content()).includes('s3cret:'));
    await page.getByRole('button', { name: 'Copy secret', exact: true }).click();
    await page.getByText('Secret copied to the clipboard.').waitFor();
    await shows(t, () => page.evaluate('navigator.clipboard.readText()'), 's3cret:+/%&é');
    t.false((await page.locator('main').innerText()).includes('s3cret:'), 'copied, and not shown');
    await page.getByRole('button', { name: 'Show secret', exact: true }).click();
    await page.getByText('s3cret:+/%&é').waitFor();
    await page.getByRole('button', { name: 'Hide secret', exact: true }).click();
    t.false((await page.locator('main').innerText()).includes('s3cret:'));
    await page.getByRole('button', { name: 'Regenerate secret', exact: true }).click();
    await page.getByRole('heading', { name: 'Regenerate the secret of web?', exact: true }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Regenerate secret', exact: true }).click();
    await page.getByText('Secret regenerated.').waitFor();
    const secret = await page.locator('.shown-secret').innerText();
    const form = { grant_type: 'password', client_id: 'web', username: 'alice', password: 'Alice-pass-1!' };
    t.is((await host.token('demo', { ...form, client_secret: secret })).status, 200);
    t.is((await host.token('demo', { ...form, client_secret: 's3cret:+/%&é' })).status, 401);
    await done();
  },
);

browserTest('admin console, clients: a token is tested: each claim names its mapper and scope', async (t) => {
  const { page, done } = await openSignedIn(t, started(), `${await pathOf('painter')}/evaluate`);
  await askFor(page, 'alice');
  await page.getByRole('cell', { name: 'mapper “email” of the scope email', exact: true }).waitFor();
  await shows(t, () => claim(page, 'colour').innerText(), /red.*mapper “paint” of the client itself/s);
  await shows(t, () => claim(page, 'iss').innerText(), /OpenID Connect/);
  await page.getByText('ID token', { exact: true }).click();
  await shows(t, () => claim(page, 'aud').innerText(), /painter.*OpenID Connect/s);
  await shows(t, () => claim(page, 'colour').count(), 0);
  await askFor(page, 'alice', 'email');
  await page.getByText('Requires the scope openid.').waitFor();
  await askFor(page, 'alice', 'openid nothing-like-it');
  await page.getByText('The client cannot request one or more of these scopes').waitFor();
  await done();
});

browserTest(
  'admin console, clients: an admin with view rights sees settings without the secret, and may test',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), `${await pathOf('web')}?realm=demo`, {
      as: { realm: 'demo', username: 'viewer', password: 'viewer' },
    });
    await page.getByText('Read-only.').waitFor();
    t.false(await page.getByLabel('Valid redirect URIs').isEditable());
    await shows(t, () => page.getByRole('button', { name: 'Save', exact: true }).count(), 0);
    await page.getByRole('link', { name: 'Credentials', exact: true }).click();
    await page.getByText('Viewing the secret requires the role manage-clients.').waitFor();
    await shows(t, () => page.getByRole('heading', { name: 'Client secret', exact: true }).count(), 0);
    await page.getByRole('link', { name: 'Evaluate', exact: true }).click();
    await askFor(page, 'alice');
    await claim(page, 'email').first().waitFor();
    await done();
  },
);

browserTest('admin console, clients: an admin who may not see users sees which role is missing', async (t) => {
  const first = await openAdminConsole(t, started(), `${await pathOf('web')}/evaluate?realm=demo`);
  await signIn(first.page, { realm: 'demo', username: 'clientele', password: 'clientele' });
  await first.page.getByText('This requires the role view-users, manage-users, or query-users').waitFor();
  await shows(t, () => first.page.getByRole('alert').count(), 0, 'the rest of the page is theirs');
  await first.done();
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    browserTest(`admin console, clients: axe finds nothing, ${colorScheme}, ${width} pixels wide`, async (t) => {
      const { page, done } = await openSignedIn(t, started(), 'realms/demo/clients', { colorScheme, width });
      await page.getByRole('link', { name: 'account', exact: true }).waitFor();
      t.deepEqual(await axeFindings(page), []);
      await page.getByRole('searchbox').fill('svc');
      await page.getByRole('link', { name: 'svc', exact: true }).click();
      await page.getByRole('button', { name: 'Delete client', exact: true }).waitFor();
      t.deepEqual(await axeFindings(page), []);
      await page.getByRole('link', { name: 'Evaluate', exact: true }).click();
      await askFor(page, 'alice');
      await claim(page, 'email').first().waitFor();
      t.deepEqual(await axeFindings(page), []);
      await page.getByRole('link', { name: 'Credentials', exact: true }).click();
      await page.getByRole('button', { name: 'Show secret', exact: true }).click();
      await page.locator('.shown-secret').waitFor();
      t.deepEqual(await axeFindings(page), []);
      await page.getByRole('button', { name: 'Regenerate secret', exact: true }).click();
      t.deepEqual(await axeFindings(page), []);
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      t.is(overflow, 0, 'nothing is wider than the page');
      await done();
    });
  }
}
