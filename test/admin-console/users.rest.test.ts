import test from 'ava';
import type { Page } from 'playwright-core';
import { adminCaller, administered, administrator } from '../helpers/admin.js';
import { axeFindings, openAdminConsole, openSignedIn, signIn } from '../helpers/admin-console.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { on, SAFES, safe } from '../helpers/credential-plugin.js';
import { startHost } from '../helpers/host.js';
import { ALICE, CAROL, testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

const demo = testRealm('demo', {
  adminEventsEnabled: true,
  providers: { credential: { 'safe-code': on } },
  actionTokenPolicy: { 'reset-credentials': { mint: true }, 'execute-actions': { mint: true } },
});
demo.users?.push(
  administrator('viewer', 'view-users'),
  administrator('asker', 'query-users'),
  { id: 'bea00000-0000-4000-8000-000000000009', username: 'bea', enabled: true },
  {
    id: 'bea00000-0000-4000-8000-000000000010',
    username: 'safe',
    enabled: true,
    credentials: [safe(['one'], { userLabel: 'Mine' }), safe(['two'], { id: 'second' })],
  },
  ...Array.from({ length: 30 }, (_, at) => ({ username: `many-${String(at).padStart(2, '0')}`, enabled: true })),
);

const scene = shareStarted(test, async (scope) => ({
  host: await startHost(
    scope,
    administered({ realms: [demo], plugins: [{ module: 'safes' }], packages: { safes: SAFES } }),
  ),
  browser: hasChromium ? await startBrowser(scope) : undefined,
}));

function started() {
  const { host, browser } = scene();
  if (browser === undefined) throw new Error('the browser did not start');
  return { host, browser };
}

const login = (username: string, password: string) =>
  started().host.token('demo', { grant_type: 'password', client_id: 'spa', username, password });
const tab = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: /^Pages of / })
    .getByRole('link', { name, exact: true })
    .click();
const region = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) });

browserTest(
  'admin console, users: users are searched and paged by the host, and the URL has the position',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/users?search=many');
    await page.getByRole('link', { name: 'many-00', exact: true }).waitFor();
    await shows(t, () => page.locator('tbody tr').count(), 20);
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByRole('link', { name: 'many-29', exact: true }).waitFor();
    t.true(page.url().endsWith('?search=many&first=20'), page.url());
    await page.reload();
    await page.getByRole('link', { name: 'many-29', exact: true }).waitFor();
    await page.getByRole('searchbox').fill('alice@example');
    await page.getByRole('link', { name: 'alice', exact: true }).waitFor();
    await shows(t, () => page.locator('tbody tr').count(), 1);
    await page.getByRole('searchbox').fill('nobody-at-all');
    await page.getByText('No results for “nobody-at-all”.').waitFor();
    await done();
  },
);

browserTest('admin console, users: a user is created, is given a password, and is removed by name', async (t) => {
  const { page, done } = await openSignedIn(t, started(), 'realms/demo/users');
  await page.getByRole('button', { name: 'Create user', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Username').fill('newcomer');
  await dialog.getByLabel('Email').fill('no address');
  await dialog.getByRole('button', { name: 'Create user', exact: true }).click();
  await dialog.getByText('is not a valid email address').waitFor();
  await shows(t, () => dialog.getByLabel('Email').getAttribute('aria-invalid'), 'true');
  await dialog.getByLabel('Email').fill('newcomer@example.test');
  await dialog.getByRole('button', { name: 'Create user', exact: true }).click();
  await page.getByRole('heading', { name: 'newcomer', exact: true, level: 1 }).waitFor();
  await tab(page, 'Sign-in');
  await page.getByText('No credentials yet').waitFor();
  await page.getByRole('button', { name: 'Set password', exact: true }).click();
  await dialog.getByLabel('New password').fill('Newcomer-1!');
  await dialog.getByLabel('Confirm password').fill('Newcomer-2!');
  await dialog.getByRole('button', { name: 'Set password', exact: true }).click();
  await dialog.getByText('The passwords do not match.').waitFor();
  await dialog.getByLabel('Confirm password').fill('Newcomer-1!');
  await dialog.getByLabel('Temporary').uncheck();
  await dialog.getByRole('button', { name: 'Set password', exact: true }).click();
  await page.getByText('Password set.').waitFor();
  t.is((await login('newcomer', 'Newcomer-1!')).status, 200);
  await page.getByRole('button', { name: 'Delete user', exact: true }).click();
  await page.getByRole('heading', { name: 'Delete newcomer?', exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Delete newcomer?', exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Delete user', exact: true }).click();
  await dialog.getByRole('button', { name: 'Delete user', exact: true }).click();
  await page.getByRole('heading', { name: 'Users of demo', exact: true }).waitFor();
  t.is((await login('newcomer', 'Newcomer-1!')).status, 400);
  await done();
});

browserTest('admin console, users: a profile is saved, and the realm’s errors are shown at their fields', async (t) => {
  const { page, done } = await openSignedIn(t, started(), `realms/demo/users/${CAROL}`);
  await page.getByLabel('First name').fill('Carola');
  await page.getByLabel('Email', { exact: true }).fill('carola at home');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('is not a valid email address').waitFor();
  await shows(t, () => page.getByLabel('First name').inputValue(), 'Carola', 'what was typed is still there');
  await page.getByLabel('Email', { exact: true }).fill('carola@example.test');
  await page.getByLabel('Enabled: the user can sign in').check();
  for (const [at, value] of ['red', 'blue'].entries()) {
    await page.getByRole('button', { name: 'Add attribute', exact: true }).click();
    await page.getByLabel(`Attribute ${at + 1}: Name`).fill('colour');
    await page.getByLabel(`Attribute ${at + 1}: Value`).fill(value);
  }
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(/^Saved\./).waitFor();
  await shows(
    t,
    () => page.getByRole('button', { name: 'Save', exact: true }).isDisabled(),
    true,
    'nothing is left to save',
  );
  const call = await adminCaller(started().host);
  t.like((await call('GET', `/realms/demo/users/${CAROL}`)).json, {
    firstName: 'Carola',
    email: 'carola@example.test',
    enabled: true,
    attributes: { colour: ['red', 'blue'] },
  });
  await done();
});

browserTest(
  'admin console, users: a second editor sees who changed what, keeps the input, and saves it or reloads',
  async (t) => {
    const { host, browser } = started();
    const { page, done } = await openSignedIn(t, { host, browser }, `realms/demo/users/${CAROL}`);
    const call = await adminCaller(host, { realm: 'demo', username: 'dave', password: 'Dave-pass-1!' });
    const other = async (lastName: string) =>
      t.is((await call('PUT', `/realms/demo/users/${CAROL}`, { lastName })).status, 204);
    await page.getByLabel('First name').fill('Mine');
    await other('Theirs');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const notice = page.getByRole('alert');
    await notice.getByRole('heading', { name: 'dave changed this after you opened it', exact: true }).waitFor();
    await notice.getByRole('cell', { name: 'Theirs', exact: true }).waitFor();
    await shows(t, () => page.getByLabel('First name').inputValue(), 'Mine');
    await notice.getByRole('button', { name: 'Save my changes anyway', exact: true }).click();
    await page.getByText(/^Saved\./).waitFor();
    await shows(
      t,
      () => page.getByLabel('Last name').inputValue(),
      'Theirs',
      'what nobody typed here is left as it is',
    );
    await page.getByLabel('First name').fill('Mine again');
    await other('Theirs again');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await notice.getByRole('button', { name: 'Discard my changes', exact: true }).click();
    await notice.waitFor({ state: 'detached' });
    await shows(t, () => page.getByLabel('First name').inputValue(), 'Mine');
    await shows(t, () => page.getByLabel('Last name').inputValue(), 'Theirs again');
    await done();
  },
);

browserTest('admin console, users: required actions are added and removed', async (t) => {
  const { page, done } = await openSignedIn(t, started(), `realms/demo/users/${ALICE}/sign-in`);
  await page.getByRole('combobox', { name: 'Required action' }).selectOption({ label: 'Update Password' });
  await page.getByRole('button', { name: 'Add required action', exact: true }).click();
  await page.getByText('Update Password is required at the next login.').waitFor();
  await page.getByRole('button', { name: 'Remove required action Update Password', exact: true }).click();
  await page.getByText('Update Password is no longer required.').waitFor();
  await done();
});

browserTest('admin console, users: links are revoked and sessions are ended, one by one and all at once', async (t) => {
  const { host, browser } = started();
  const path = `/realms/demo/users/${ALICE}`;
  const call = await adminCaller(host);
  // Before the links, since a login ends them.
  for (let i = 0; i < 3; i++) t.is((await login('alice', 'Alice-pass-1!')).status, 200);
  t.is((await call('POST', `${path}/action-tokens`, { type: 'reset-credentials' })).status, 201);
  t.is(
    (await call('POST', `${path}/action-tokens`, { type: 'execute-actions', claims: { rqac: ['UPDATE_PASSWORD'] } }))
      .status,
    201,
  );
  const { page, done } = await openSignedIn(t, { host, browser }, `realms/demo/users/${ALICE}/links`);
  const sessions = region(page, 'Sessions');
  const links = region(page, 'Active links');
  await links.getByRole('button', { name: 'Revoke link execute-actions', exact: true }).click();
  await page.getByText('Link execute-actions revoked.').waitFor();
  await shows(t, () => links.locator('tbody tr').count(), 1);
  await links.getByRole('button', { name: 'Revoke all links', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke all links', exact: true }).click();
  await page.getByText('All links of the user are revoked.').waitFor();
  await links.getByText('No active links').waitFor();
  await tab(page, 'Sessions');
  await sessions.getByRole('button', { name: 'Sign out the session of alice', exact: true }).nth(2).click();
  await page.getByText('Session of alice signed out.').waitFor();
  await shows(t, () => sessions.locator('tbody tr').count(), 2);
  await sessions.getByRole('button', { name: 'Sign out everywhere', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign alice out everywhere?', exact: true }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere', exact: true }).click();
  await page.getByText('No active sessions.').waitFor();
  await done();
});

browserTest('admin console, users: a credential is removed after a confirmation by name', async (t) => {
  const { host, browser } = started();
  const call = await adminCaller(host);
  const path = '/realms/demo/users/bea00000-0000-4000-8000-000000000009';
  await call('PUT', `${path}/reset-password`, { type: 'password', value: 'Bea-pass-1!', userLabel: 'of the office' });
  const { page, done } = await openSignedIn(t, { host, browser }, `${path.slice(1)}/sign-in`);
  await page.getByRole('button', { name: /^Delete Password/ }).click();
  await page.getByRole('heading', { name: 'Delete “Password” of bea?', exact: true }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('Password deleted.').waitFor();
  t.is((await login('bea', 'Bea-pass-1!')).status, 400);
  await done();
});

browserTest(
  'admin console, users: an admin who impersonates a user has their account in the browser, and stays signed in to the admin console',
  async (t) => {
    const { page, context, done } = await openSignedIn(t, started(), `realms/demo/users/${ALICE}`);
    await page.getByRole('button', { name: 'Impersonate user', exact: true }).click();
    await page.getByRole('heading', { name: 'Impersonate alice?', exact: true }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Impersonate user', exact: true }).click();
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Open the account in a new tab', exact: true }).click();
    const account = await opened;
    await account.getByText('alice').first().waitFor();
    t.regex(account.url(), /\/realms\/demo\/account/);
    await page.reload();
    await page.getByRole('heading', { name: 'alice', exact: true, level: 1 }).waitFor();
    await done();
  },
);

browserTest(
  'admin console, users: an admin with view rights sees everything and no button that would be refused',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), `realms/demo/users/${ALICE}?realm=demo`, {
      as: { realm: 'demo', username: 'viewer', password: 'viewer' },
    });
    await page.getByText('Read-only.').waitFor();
    t.false(await page.getByLabel('First name').isEditable());
    for (const [name, shown] of [
      ['Sign-in', page.getByRole('rowheader', { name: 'Password', exact: true })],
      ['Roles', region(page, 'Effective roles').getByRole('rowheader', { name: 'offline_access' })],
      ['Groups', page.getByRole('rowheader', { name: 'dev', exact: true })],
      ['Sessions', page.getByText('No consents.')],
      ['Linked accounts', page.getByText('No linked accounts.')],
      ['Activity', page.getByText('Viewing events requires the role view-events.')],
      ['Links', page.getByText('No active links.')],
    ] as const) {
      await tab(page, name);
      await shown.waitFor();
      await shows(t, () => page.locator('main').getByRole('button').allInnerTexts(), [], name);
    }
    await page.getByRole('link', { name: 'All users', exact: true }).click();
    await page.getByRole('link', { name: 'alice', exact: true }).waitFor();
    await shows(t, () => page.getByRole('button', { name: 'Create user', exact: true }).count(), 0);
    await done();
  },
);

browserTest(
  'admin console, users: an admin who may only search users sees which role shows them, and a missing user is reported',
  async (t) => {
    const asking = await openAdminConsole(t, started(), 'realms/demo/users?realm=demo');
    await signIn(asking.page, { realm: 'demo', username: 'asker', password: 'asker' });
    await asking.page.getByText('requires the role view-users').waitFor();
    await asking.done();
    const lost = await openAdminConsole(t, started(), 'realms/demo/users/nobody');
    await signIn(lost.page);
    await lost.page.getByRole('heading', { name: 'Not found', exact: true }).waitFor();
    await lost.done();
  },
);

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    browserTest(`admin console, users: axe finds nothing, ${colorScheme}, ${width} pixels wide`, async (t) => {
      const { page, done } = await openSignedIn(t, started(), 'realms/demo/users', { colorScheme, width });
      await page.getByRole('link', { name: 'alice', exact: true }).waitFor();
      t.deepEqual(await axeFindings(page), []);
      await page.getByRole('button', { name: 'Create user', exact: true }).click();
      t.deepEqual(await axeFindings(page), []);
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'alice', exact: true }).click();
      await page.getByLabel('First name').waitFor();
      t.deepEqual(await axeFindings(page), []);
      await tab(page, 'Sign-in');
      await page.getByRole('button', { name: 'Set password', exact: true }).click();
      t.deepEqual(await axeFindings(page), []);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Delete user', exact: true }).click();
      t.deepEqual(await axeFindings(page), []);
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      t.is(overflow, 0, 'nothing is wider than the page');
      await done();
    });
  }
}

browserTest(
  'admin console, users: a plugin’s credential has the name of its type, in the language of the admin console',
  async (t) => {
    const user = 'realms/demo/users/bea00000-0000-4000-8000-000000000010/sign-in';
    const { page, context, done } = await openAdminConsole(t, started(), user);
    await signIn(page);
    await page.getByRole('rowheader', { name: 'Mine Safe', exact: true }).waitFor();
    await page.getByRole('rowheader', { name: 'Some <b>safe' }).waitFor();
    await page.getByText('safe-code').waitFor({ state: 'detached' });
    await page.locator('.account summary').click();
    await page.getByLabel('Language').selectOption('de');
    await page.getByRole('rowheader', { name: 'Mine Tresor', exact: true }).waitFor();
    // A page that is opened again does not begin in the previous language.
    await page.locator('.side-bar').getByRole('link', { name: 'Gruppen', exact: true }).click();
    await page.getByRole('heading', { name: 'Gruppen von demo', exact: true }).waitFor();
    await page.locator('.account summary').click();
    await page.getByLabel('Sprache').selectOption('en');
    await page.getByRole('heading', { name: 'Groups of demo', exact: true }).waitFor();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await context.route('**/serverinfo', (route) => released.then(() => route.continue()), { times: 1 });
    await page.goBack();
    await page.getByRole('rowheader', { name: 'Mine safe-code', exact: true }).waitFor();
    release();
    await page.getByRole('rowheader', { name: 'Mine Safe', exact: true }).waitFor();
    await done();
  },
);
