import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { adminCaller, administered, administrator } from '../helpers/admin.js';
import {
  axeFindings,
  type ConsoleView,
  confirmed,
  openAdminConsole,
  openSignedIn,
  signIn,
} from '../helpers/admin-console.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { startHost } from '../helpers/host.js';
import { ALICE, idIn, testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

const NOTIFICATION = 'external-app-notification';
const POLICY = { [NOTIFICATION]: { mint: true }, 'execute-actions': { mint: true, maxLifespan: 600 } };

const realm = (name: string, policy: object = POLICY) => {
  const made = testRealm(name, { actionTokenPolicy: policy as never, eventsEnabled: true, adminEventsEnabled: true });
  const { [NOTIFICATION]: handler } = made.providers?.['action-token-handler'] ?? {};
  const once = { ...handler, config: { ...handler?.config, singleUse: true } };
  const viewer = administrator('vera', 'view-users', 'view-events');
  return {
    ...made,
    providers: { ...made.providers, 'action-token-handler': { [NOTIFICATION]: once } },
    users: [...(made.users ?? []), administrator('ria', 'realm-admin'), viewer],
  };
};

const scene = shareStarted(test, async (scope) => ({
  host: await startHost(scope, administered({ realms: [realm('demo'), realm('many'), realm('bare', {})] })),
  browser: hasChromium ? await startBrowser(scope) : undefined,
}));

function started() {
  const { host, browser } = scene();
  if (browser === undefined) throw new Error('the browser did not start');
  return { host, browser };
}

async function opened(t: ExecutionContext, path: string, view?: ConsoleView) {
  const tab = await openAdminConsole(t, started(), path, view);
  await signIn(tab.page);
  return tab;
}

async function chooseUser(page: Page, label: string, username: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(username);
  await page.getByRole('option', { name: username }).click();
}

async function mintInConsole(page: Page, application: string): Promise<string> {
  await page.getByRole('heading', { name: 'Create link', exact: true }).waitFor();
  await chooseUser(page, 'User', 'alice');
  await page.getByLabel('Type').selectOption(NOTIFICATION);
  await page.getByLabel('app-id').fill(application);
  await page.getByRole('button', { name: 'Create link', exact: true }).click();
  await page.getByRole('heading', { name: 'Link created', exact: true }).waitFor();
  return page.getByRole('textbox', { name: 'Link' }).inputValue();
}

/** The page of a link in another person's browser. */
async function followed(t: ExecutionContext, link: string): Promise<string> {
  const context = await started().browser.newContext();
  t.teardown(() => context.close());
  const page = await context.newPage();
  await page.goto(link);
  return page.locator('body').innerText();
}

const whats = (page: Page) => page.getByRole('table', { name: 'History' }).locator('.badge').allInnerTexts();
const WIDE = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

browserTest(
  'admin console, action tokens: a link is issued, followed in a browser, and shown as used with its history; another one is revoked',
  async (t) => {
    const { page, done } = await opened(t, 'realms/demo/action-tokens');
    await page.getByText('No active links.', { exact: false }).waitFor();
    await page.getByRole('link', { name: 'Create link', exact: true }).click();
    const first = await mintInConsole(page, '42');
    t.regex(first, /login-actions\/action-token\?key=/);
    t.deepEqual(await axeFindings(page), []);
    await page.getByRole('button', { name: 'Copy Link', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Create another link', exact: true }).click();
    const second = await mintInConsole(page, '43');
    t.not(first, second);
    await page.getByRole('link', { name: 'View history', exact: true }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    t.deepEqual(await whats(page), ['Issued']);
    await page.getByText('admin root of master').waitFor();
    t.false((await page.content()).includes(second.slice(-40)));
    await confirmed(page, 'Revoke link');
    await page.getByText('Link revoked. It no longer works.').waitFor();
    await page.locator('.state-line').getByText('Revoked').waitFor();
    t.deepEqual(await whats(page), ['Issued', 'Revoked']);
    await shows(t, () => page.getByRole('button', { name: 'Revoke link', exact: true }).count(), 0);
    t.regex(await followed(t, second), /Action expired/);

    await page.getByRole('link', { name: 'Action tokens', exact: true }).first().click();
    await page.getByRole('link', { name: 'alice', exact: true }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    t.regex(await followed(t, first), /access_token/);
    await page.reload();
    await page.locator('.state-line').getByText('Used').waitFor();
    t.deepEqual(await whats(page), ['Issued', 'Opened']);
    t.deepEqual(await axeFindings(page), []);
    await done();
  },
);

browserTest(
  'admin console, action tokens: a link is issued for one user, and errors of the host are shown at the fields',
  async (t) => {
    const { page, done } = await opened(t, 'realms/demo/action-tokens/new');
    await page.getByLabel('Type').selectOption('execute-actions');
    await page.getByText('maximum: 10 minutes', { exact: false }).waitFor();
    await page.getByLabel('Lifespan (seconds)').fill('601');
    await page.getByRole('button', { name: 'Create link', exact: true }).click();
    await page.getByText('Select a user.').waitFor();
    await chooseUser(page, 'User', 'alice');
    await page.getByRole('button', { name: 'Create link', exact: true }).click();
    await page.getByText('lifespan must be at most 600').waitFor();
    t.deepEqual(await axeFindings(page), []);
    page.once('dialog', (dialog) => dialog.dismiss());
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await shows(t, () => page.getByLabel('Lifespan (seconds)').inputValue(), '601', 'whoever goes away is asked first');
    await done();
  },
);

browserTest(
  'admin console, action tokens: the list is filtered by its URL, and pages without valid links are skipped',
  async (t) => {
    const call = await adminCaller(started().host);
    const [ria] = (await call('GET', '/realms/many/users?search=ria')).json as unknown as { id: string }[];
    const linksOf = (userId = '') => `/realms/many/users/${userId}/action-tokens`;
    const mint = async (userId: string | undefined, more: object = {}) => {
      const body = { type: NOTIFICATION, claims: { 'app-id': '1' }, ...more };
      const { status, text } = await call('POST', linksOf(userId), body);
      t.is(status, 201, text);
    };
    await mint(idIn('many'), { clientId: 'web' });
    for (let count = 0; count < 60; count += 1) await mint(ria?.id);
    // They stay in the store until they expire, and open nothing any more.
    t.is((await call('DELETE', linksOf(ria?.id))).status, 204);
    const first = (await call('GET', '/realms/many/action-tokens?max=50')).json as {
      actionTokens?: unknown;
      next?: unknown;
    };
    t.deepEqual([first.actionTokens, typeof first.next], [[], 'string']);
    const { page, done } = await opened(t, `realms/many/action-tokens`);
    await page.getByRole('link', { name: 'alice', exact: true }).waitFor();
    await shows(t, () => page.locator('tbody tr').count(), 1);
    await page.getByLabel('Type').selectOption('execute-actions');
    await page.getByText('No active links match the filter.').waitFor();
    t.regex(page.url(), /type=execute-actions/);
    await page.getByRole('button', { name: 'Show all', exact: true }).click();
    await page.getByRole('searchbox', { name: 'Filter by client' }).fill('web');
    await page.waitForURL(/client=web/);
    await page.getByRole('link', { name: 'alice', exact: true }).waitFor();
    await chooseUser(page, 'Filter by user', 'ria');
    await page.getByText('No active links match the filter.').waitFor();
    t.regex(page.url(), /user=/);
    await done();
  },
);

browserTest(
  'admin console, action tokens: a realm without a policy shows what its file lacks, and issues nothing',
  async (t) => {
    const { page, done } = await opened(t, 'realms/bare/action-tokens');
    await page.getByRole('heading', { name: 'Action tokens are not tracked in this realm', exact: true }).waitFor();
    await shows(t, () => page.getByRole('link', { name: 'Create link', exact: true }).count(), 0);
    t.deepEqual(await axeFindings(page), []);
    await page.getByRole('link', { name: 'Open realm file', exact: true }).click();
    await page.getByRole('heading', { name: 'Realm file of bare', exact: true }).waitFor();
    await done();
  },
);

browserTest(
  'admin console, action tokens: an admin with view rights sees links and their history, and cannot issue or revoke',
  async (t) => {
    const call = await adminCaller(started().host);
    const body = { type: NOTIFICATION, claims: { 'app-id': '7' } };
    const minted = await call('POST', `/realms/demo/users/${ALICE}/action-tokens`, body);
    const { id } = minted.json as unknown as { id: string };
    const { page, done } = await openSignedIn(t, started(), `realms/demo/action-tokens/${ALICE}/${id}?realm=demo`, {
      as: { realm: 'demo', username: 'vera', password: 'vera' },
    });
    await page.getByText('Active', { exact: true }).waitFor();
    await shows(t, () => page.getByRole('button', { name: 'Revoke link', exact: true }).count(), 0);
    await page.getByRole('link', { name: 'Action tokens', exact: true }).first().click();
    await page.getByRole('link', { name: 'alice', exact: true }).first().waitFor();
    await shows(t, () => page.getByRole('link', { name: 'Create link', exact: true }).count(), 0);
    await done();
  },
);

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    browserTest(`admin console, action tokens: axe finds nothing, ${colorScheme}, ${width} pixels wide`, async (t) => {
      const call = await adminCaller(started().host);
      const body = { type: NOTIFICATION, clientId: 'web', claims: { 'app-id': '7' } };
      t.is((await call('POST', `/realms/demo/users/${ALICE}/action-tokens`, body)).status, 201);
      const { page, done } = await opened(t, 'realms/demo/action-tokens', { colorScheme, width });
      const check = async () => {
        t.deepEqual(await axeFindings(page), []);
        await shows(t, () => page.evaluate(WIDE), 0, 'nothing is wider than the page');
      };
      await page.getByRole('link', { name: 'alice', exact: true }).first().waitFor();
      await check();
      await page.getByRole('link', { name: 'Create link', exact: true }).click();
      await page.getByLabel('Type').selectOption(NOTIFICATION);
      await page.getByLabel('app-id').waitFor();
      await check();
      await chooseUser(page, 'User', 'alice');
      await page.getByLabel('app-id').fill('9');
      await page.getByRole('button', { name: 'Create link', exact: true }).click();
      await page.getByRole('button', { name: 'Copy Link', exact: true }).waitFor();
      await check();
      await page.goBack();
      await page.getByRole('link', { name: 'alice', exact: true }).first().click();
      await page.getByText('Active', { exact: true }).waitFor();
      await check();
      await done();
    });
  }
}
