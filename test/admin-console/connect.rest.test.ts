import test from 'ava';
import type { Page } from 'playwright-core';
import { adminCaller, administered, administrator } from '../helpers/admin.js';
import { axeFindings, openSignedIn } from '../helpers/admin-console.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { type FreshCode, freshCode, redeem } from '../helpers/codes.js';
import { startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

const demo = testRealm('demo');
demo.users?.push(administrator('maker', 'manage-clients'), administrator('viewer', 'view-clients', 'view-events'));
const crowd = Array.from({ length: 20 }, (_, at) => ({ realm: `other-${at}`, enabled: true }));
const quiet = testRealm('quiet', { eventsEnabled: false });
const SHOTS = process.env.KEYHOST_SHOTS;

const scene = shareStarted(test, async (scope) => ({
  host: await startHost(scope, administered({ realms: [demo, quiet, testRealm('other'), ...crowd] })),
  browser: hasChromium ? await startBrowser(scope) : undefined,
}));

function started() {
  const { host, browser } = scene();
  if (browser === undefined) throw new Error('the browser did not start');
  return { host, browser };
}

const create = (page: Page) => page.getByRole('button', { name: 'Create client', exact: true });
const region = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true, level: 2 }) });
const shot = async (page: Page, name: string) => {
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
};

browserTest(
  'admin console, connect an app: an app of a framework gets its client, its code, and shows its first sign-in',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/clients');
    await page.getByRole('link', { name: 'Connect an app', exact: true }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Clients', exact: true }).first().waitFor();
    await page.getByRole('heading', { name: 'What is the app?', exact: true }).waitFor();
    await shot(page, 'kinds');
    await page.getByRole('link', { name: /^Web app/ }).click();
    await shot(page, 'frameworks');
    await page.getByRole('link', { name: /^Express/ }).click();
    await create(page).click();
    await page.getByText('Enter a name.').waitFor();
    const focused = () => page.evaluate(`document.activeElement.labels?.[0]?.innerText`);
    await shows(t, focused, 'Name');
    await page.getByLabel('Name', { exact: true }).fill('My shop');
    await shows(t, () => page.getByLabel('Client ID').inputValue(), 'my-shop');
    // The steps are pages of the browser, and input is preserved.
    await page.goBack();
    await page.getByRole('heading', { name: 'Which framework?', exact: true }).waitFor();
    await page.goForward();
    await shows(t, () => page.getByLabel('Name', { exact: true }).inputValue(), 'My shop');
    await page.getByRole('link', { name: 'Change framework (Express)', exact: true }).click();
    await page.getByRole('link', { name: 'Change kind (Web app)', exact: true }).click();
    await page.getByRole('heading', { name: 'What is the app?', exact: true }).waitFor();
    await page.getByRole('link', { name: /^Web app/ }).click();
    await page.getByRole('link', { name: /^Express/ }).click();
    const path = page.getByRole('navigation', { name: 'Breadcrumb', exact: true });
    await path.getByRole('link', { name: 'Connect an app', exact: true }).waitFor();
    await page.getByLabel('App URL in development').fill('http://127.0.0.1:9999');
    const redirects = page.getByLabel('Valid redirect URIs');
    await shows(t, () => redirects.inputValue(), 'http://127.0.0.1:9999/callback');
    await page.getByLabel('App URL in production').fill('shop');
    await page.getByText('"shop" is not the URL of an app: use a URL such as http://localhost:3000').waitFor();
    // Derived values stay, and a rejected form focuses the mistake.
    await shows(t, () => page.getByLabel('Client ID').inputValue(), 'my-shop');
    await shows(t, () => redirects.inputValue(), 'http://127.0.0.1:9999/callback');
    await create(page).click();
    await shows(t, focused, 'App URL in production');
    await page.getByLabel('Name', { exact: true }).fill('Our shop');
    await shows(t, () => page.getByLabel('Client ID').inputValue(), 'our-shop');
    await page.getByLabel('Name', { exact: true }).fill('My shop');
    await page.getByLabel('App URL in production').fill('https://shop.example.com');
    await shows(t, () => redirects.inputValue(), 'http://127.0.0.1:9999/callback\nhttps://shop.example.com/callback');
    await redirects.fill('http://127.0.0.1:9999/cb');
    await page.getByLabel('Offline access').check();
    await page.getByLabel('Groups of the user').check();
    await shot(page, 'form');
    // A rejected form preserves the input.
    await page.getByLabel('Client ID').fill('spa');
    await create(page).click();
    await page.getByText('spa already exists').waitFor();
    await page.getByLabel('Client ID').fill('my-shop');
    await create(page).click();
    await page.getByRole('heading', { name: 'Connect my-shop', exact: true, level: 1 }).waitFor();

    const call = await adminCaller(started().host);
    const [client] = (await call('GET', '/realms/demo/clients?clientId=my-shop')).json as unknown as {
      secret: string;
      redirectUris: string[];
      attributes: Record<string, string>;
      defaultClientScopes: string[];
    }[];
    t.deepEqual(client?.redirectUris, ['http://127.0.0.1:9999/cb']);
    t.is(client?.attributes['keyhost.framework'], 'express');
    t.true(client?.defaultClientScopes.includes('groups'));
    const code = region(page, 'Write the app');
    await code.getByText(`clientSecret: '${client?.secret}'`).waitFor();
    await code.getByText("scope: 'openid profile email offline_access'").waitFor();
    await region(page, 'Realm file').getByText('This client is not in demo.json.').waitFor();
    await region(page, 'Realm file').locator('summary').click();
    await region(page, 'Realm file').getByText('"clientId": "my-shop"').waitFor();
    t.false((await region(page, 'Realm file').innerText()).includes(client?.secret ?? '?'));
    await shot(page, 'connect');

    const first = region(page, 'Sign-ins');
    await first.getByText('Waiting for the first sign-in…').waitFor();
    await first.getByText(/Then sign in to it as a user of this realm, such as \S+\.$/).waitFor();
    const headings = () => page.locator('main h2').allInnerTexts();
    await shows(t, headings, ['Settings of the app', 'Write the app', 'Sign-ins', 'Realm file']);
    const open = first.getByRole('link', { name: 'Open the app', exact: true });
    await shows(t, () => open.getAttribute('href'), 'http://127.0.0.1:9999');
    const { host } = started();
    await freshCode(host, { client_id: 'my-shop', redirect_uri: 'http://127.0.0.1:9999/other' }).catch(() => undefined);
    await first.getByText('The app sends http://127.0.0.1:9999/other.').waitFor();
    await shot(page, 'failed');
    // A login alone connects nothing: the app may not know its secret.
    const wrong = await freshCode(host, { client_id: 'my-shop' });
    await first.getByText('alice has signed in. The app has not fetched its tokens yet.').waitFor();
    const redeemed = (code: FreshCode, secret: string | undefined) =>
      redeem(host, code, { client_id: 'my-shop', client_secret: secret });
    t.is((await redeemed(wrong, 'wrong')).status, 401);
    await first.getByText('The app did not get its tokens:').waitFor();
    await first.getByText('The app sends another client secret.').waitFor();
    await shot(page, 'no-tokens');
    t.is((await redeemed(await freshCode(host, { client_id: 'my-shop' }), client?.secret)).status, 200);
    await first.getByText('alice has signed in. The app is connected.').waitFor();
    await shows(t, () => first.locator('.sign-in-failures > li').count(), 0);
    await shows(t, () => first.getByText('Start the app first.').count(), 0);
    await shot(page, 'arrived');

    // After a return to the page, it shows when the app was last used, and the next failure.
    await first.getByRole('link', { name: 'Show event', exact: true }).click();
    await page.getByText('CODE_TO_TOKEN', { exact: true }).first().waitFor();
    await page.goBack();
    await first.getByText('The app is connected. alice signed in last:').waitFor();
    await shows(t, () => first.getByText('first sign-in').count(), 0);
    t.is((await redeemed(await freshCode(host, { client_id: 'my-shop' }), 'wrong')).status, 401);
    await first.getByText('The app sends another client secret.').waitFor();

    // Later the secret stays hidden until the user asks for it.
    await page.getByRole('link', { name: 'Settings of the client', exact: true }).click();
    await page.getByRole('link', { name: 'Connect', exact: true }).click();
    await code.getByText('clientSecret:').waitFor();
    t.false((await page.innerText('body')).includes(client?.secret ?? '?'));
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await code.getByText(`clientSecret: '${client?.secret}'`).waitFor();
    await page.getByLabel('Framework').selectOption('grafana');
    await code.getByText('Nobody has run this page yet.').waitFor();
    await page.getByLabel('Framework').selectOption('django');
    await code.getByText('Our tests do not run this page.').waitFor();
    await shows(t, () => page.getByRole('heading', { name: 'Write the app', exact: true }).count(), 1);
    await page.getByLabel('Framework').selectOption('koa');
    await code.getByText("import Koa from 'koa'").waitFor();
    await done();
  },
);

browserTest(
  'admin console, connect an app: the page of a client shows its own edits beside the realm file, and not another client’s',
  async (t) => {
    const { host } = started();
    const call = await adminCaller(host);
    const [spa] = (await call('GET', '/realms/other/clients?clientId=spa')).json as unknown as { id: string }[];
    const path = `realms/other/clients/${spa?.id}/connect`;
    t.is((await call('POST', '/realms/other/clients', { clientId: 'extra' })).status, 201);
    const { page, done } = await openSignedIn(t, started(), path);
    const part = region(page, 'Realm file');
    await part.getByText('This client matches other.json.').waitFor();
    await shows(t, () => part.locator('details').count(), 0);
    await call('PUT', `/realms/other/clients/${spa?.id}`, { name: 'Edited' });
    await part.getByText('This client has edits that are not in other.json.').waitFor();
    const [extra] = (await call('GET', '/realms/other/clients?clientId=extra')).json as unknown as { id: string }[];
    await page.goto(`${host.publicUrl}/admin/desk/realms/other/clients/${extra?.id}/connect`);
    await part.getByText('This client is not in other.json.').waitFor();
    const [cli] = (await call('GET', '/realms/master/clients?clientId=admin-cli')).json as unknown as { id: string }[];
    const absent = page.waitForResponse(/\/realm-files\/master$/);
    await page.goto(`${host.publicUrl}/admin/desk/realms/master/clients/${cli?.id}/connect`);
    t.is((await absent).status(), 204);
    await part.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Connect admin-cli', exact: true, level: 1 }).waitFor();
    await done();
  },
);

browserTest(
  'admin console, connect an app: the overview leads to the wizard of a realm for apps, and not of master',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), 'realms/master/clients');
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('link', { name: 'Connect an app to demo', exact: true }).click();
    await page.getByRole('heading', { name: 'What is the app?', exact: true }).waitFor();
    t.true(page.url().endsWith('/realms/demo/connect'));
    await page.goto(`${started().host.publicUrl}/admin/desk/realms/master/connect`);
    await page.getByText('The realm master is for administration.').waitFor();
    await done();
  },
);

browserTest(
  'admin console, connect an app: if the realm stores no events, a token is still shown; another client has no instructions',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), 'realms/quiet/connect?kind=machine');
    const users: string[] = [];
    page.on('request', (request) => /\/users\?/.test(request.url()) && users.push(request.url()));
    await page.getByLabel('Name', { exact: true }).fill('Nightly');
    const counted = page.waitForResponse(/\/sign-ins$/);
    await create(page).click();
    await counted;
    const first = region(page, 'Tokens');
    await first.getByText('The realm does not save events.').waitFor();
    const call = await adminCaller(started().host);
    const [client] = (await call('GET', '/realms/quiet/clients?clientId=nightly')).json as unknown as {
      secret: string;
    }[];
    const token = (secret: string) =>
      started().host.token('quiet', { grant_type: 'client_credentials', client_id: 'nightly', client_secret: secret });
    t.is((await token('wrong')).status, 401);
    await first.getByText('The app sends another client secret.').waitFor();
    t.is((await token(client?.secret ?? '')).status, 200);
    await first.getByText('A sign-in has arrived. The app is connected.').waitFor();
    t.deepEqual(users, [], 'nobody signs in to a service');
    await page.reload();
    await first.getByText('The app is connected. Sign-ins in the last 24 hours: 1.').waitFor();
    await page.goto(`${started().host.publicUrl}/admin/desk/realms/quiet/connect`);
    await page.getByRole('link', { name: /^Other client/ }).click();
    await create(page).click();
    await page.getByText('Enter a client ID.').waitFor();
    await page.getByLabel('Client ID').fill('plain');
    await page.getByLabel('Valid redirect URIs').fill('https://a.example.com/cb\n');
    await create(page).click();
    await page.getByRole('heading', { name: 'plain', exact: true, level: 1 }).waitFor();
    const [other] = (await call('GET', '/realms/quiet/clients?clientId=plain')).json as unknown as object[];
    t.like(other, { redirectUris: ['https://a.example.com/cb'], publicClient: false });
    await done();
  },
);

browserTest(
  'admin console, connect an app: an admin who may not create clients sees that, and one who may not see events how to check',
  async (t) => {
    const viewer = await openSignedIn(t, started(), 'realms/demo/clients', {
      as: { realm: 'demo', username: 'viewer', password: 'viewer' },
    });
    await viewer.page.getByRole('heading', { name: 'Clients of demo', exact: true }).waitFor();
    await viewer.page.getByRole('link', { name: 'spa', exact: true }).waitFor();
    await shows(t, () => viewer.page.getByRole('link', { name: 'Connect an app', exact: true }).count(), 0);
    await viewer.page.goto(`${started().host.publicUrl}/admin/desk/realms/demo/connect`);
    await viewer.page.getByText('Creating a client requires the role create-client or manage-clients.').waitFor();
    await viewer.done();
    const maker = await openSignedIn(t, started(), 'realms/demo/connect?kind=software&framework=grafana', {
      as: { realm: 'demo', username: 'maker', password: 'maker' },
    });
    await maker.page.getByLabel('Name', { exact: true }).fill('Charts');
    await create(maker.page).click();
    await maker.page.getByText('Watching sign-ins requires the role view-events.').waitFor();
    await maker.page.getByText('If a realm file defines demo').waitFor({ state: 'attached' });
    await maker.page.goto(`${started().host.publicUrl}/admin/desk/realms/demo/connect?kind=machine`);
    await maker.page.getByLabel('Name', { exact: true }).fill('Robot');
    await create(maker.page).click();
    await maker.page.getByText('Run the command above: if it prints a token, the service is connected.').waitFor();
    const headings = await maker.page.locator('main h2').allInnerTexts();
    t.true(headings.indexOf('Write the app') < headings.indexOf('Tokens'), String(headings));
    await shot(maker.page, 'command-above');
    await maker.done();
  },
);

browserTest(
  'admin console, connect an app: the wizard by keyboard, on a phone, in the dark and in German: axe finds nothing',
  async (t) => {
    const view = { width: 390, colorScheme: 'dark', locale: 'de' } as const;
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/connect', view);
    const fits = async () => t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
    await page.getByRole('heading', { name: 'Was für eine App ist es?', exact: true }).waitFor();
    t.deepEqual(await axeFindings(page), []);
    await fits();
    const menu = page.getByRole('button', { name: 'Menü', exact: true });
    const isOpen = () => menu.getAttribute('aria-expanded');
    await menu.click();
    await page.keyboard.press('Escape');
    await shows(t, isOpen, 'false');
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await menu.click();
    await shows(t, isOpen, 'true');
    await shows(t, () => page.evaluate('document.querySelector("#side-bar").getBoundingClientRect().top >= 0'), true);
    await page.getByRole('link', { name: /^Single-Page-App/ }).focus();
    await page.keyboard.press('Enter');
    await shows(t, isOpen, 'false');
    await page.getByRole('link', { name: /^React/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Name', { exact: true }).fill('Laden');
    await shows(t, () => page.getByLabel('Client-ID').inputValue(), 'laden');
    const widths = `[...document.querySelectorAll('main input[type=checkbox]')].map((box) => box.offsetWidth)`;
    await shows(t, () => page.evaluate(widths), [18, 18]);
    t.deepEqual(await axeFindings(page), []);
    await fits();
    await shot(page, 'form-phone');
    await page.getByLabel('Name', { exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'laden verbinden', exact: true, level: 1 }).waitFor();
    await page.getByText("client_id: 'laden'").waitFor();
    t.deepEqual(await axeFindings(page), []);
    await fits();
    await shot(page, 'connect-phone');
    await done();
  },
);
