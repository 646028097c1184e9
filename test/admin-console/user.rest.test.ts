import test from 'ava';
import type { Page } from 'playwright-core';
import { adminCaller, administered, administrator } from '../helpers/admin.js';
import { axeFindings, openSignedIn } from '../helpers/admin-console.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { startHost } from '../helpers/host.js';
import { startMailServer } from '../helpers/mail-server.js';
import { ALICE, DAVE, testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

const ERIKA = 'e41ca000-0000-4000-8000-000000000001';

const demo = testRealm('demo', {
  adminEventsEnabled: true,
  bruteForceProtected: true,
  failureFactor: 2,
  smtpServer: { host: '127.0.0.1', port: '1', from: 'id@keyhost.test' },
  waitIncrementSeconds: 600,
  identityProviders: [{ alias: 'github', providerId: 'github', enabled: true }],
});
demo.users?.push(administrator('viewer', 'view-users'), {
  id: ERIKA,
  username: 'erika',
  email: 'erika@example.test',
  enabled: true,
  credentials: [{ type: 'password', value: 'Erika-pass-1!' }],
  clientConsents: [{ clientId: 'web', grantedClientScopes: ['profile', 'email'], createdDate: 1_700_000_000_000 }],
  federatedIdentities: [{ identityProvider: 'github', userId: 'account-1', userName: 'erika.m' }],
});

const scene = shareStarted(
  test,
  async (scope) => ({
    host: await startHost(scope, administered({ realms: [demo] })),
    browser: hasChromium ? await startBrowser(scope) : undefined,
    mail: await startMailServer(scope),
  }),
  /an email was not sent|Failed to send execute actions email/,
);

function started() {
  const { host, browser, mail } = scene();
  if (browser === undefined) throw new Error('the browser did not start');
  return { host, browser, mail };
}

const login = (password: string) =>
  started().host.token('demo', { grant_type: 'password', client_id: 'spa', username: 'erika', password });
const region = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) });
const rowOf = (page: Page, section: string, name: string) =>
  region(page, section)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) });

browserTest(
  'admin console, user: an administrator is seen by the roles of a client, each with its reason',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), `realms/demo/users/${DAVE}/roles`);
    await rowOf(page, 'Assigned roles', 'realm-admin realm-management Admin role').waitFor();
    await region(page, 'Effective roles').getByRole('searchbox').fill('manage-users');
    await rowOf(page, 'Effective roles', 'manage-users realm-management Admin role')
      .getByText('Through composite role realm-admin')
      .waitFor();
    await page.waitForURL('**/roles?search=manage-users');
    await page.goto(page.url().replace(DAVE, ALICE).replace('manage-users', 'reader'));
    const reader = rowOf(page, 'Effective roles', 'reader').getByRole('listitem');
    await reader.last().waitFor();
    await shows(t, () => reader.allInnerTexts(), [
      'Assigned directly',
      'Through group /team and its composite role staff',
    ]);
    await page.getByRole('link', { name: '/team', exact: true }).click();
    await page.getByRole('heading', { name: 'team', exact: true, level: 1 }).waitFor();
    await done();
  },
);

browserTest('admin console, user: roles of realm and clients are assigned by a search, and unassigned', async (t) => {
  const { page, done } = await openSignedIn(t, started(), `realms/demo/users/${ERIKA}/roles`);
  const call = await adminCaller(started().host);
  const mappings = async () => JSON.stringify((await call('GET', `/realms/demo/users/${ERIKA}/role-mappings`)).json);
  for (const [typed, option, held] of [
    ['sta', 'staff', 'staff'],
    ['view-ev', 'view-events realm-management', 'realm-management view-events'],
  ] as const) {
    await page.getByRole('combobox', { name: 'Assign role' }).fill(typed);
    await page.getByRole('option', { name: option, exact: true }).click();
    await page.getByRole('button', { name: `Unassign ${held}`, exact: true }).waitFor();
  }
  t.regex(await mappings(), /staff.*view-events/);
  await page.getByRole('button', { name: 'Unassign realm-management view-events', exact: true }).click();
  await page.getByRole('heading', { name: 'Unassign realm-management view-events from erika?', exact: true }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Unassign', exact: true }).click();
  await page.getByText('view-events unassigned.').waitFor();
  t.false((await mappings()).includes('view-events'));
  await done();
});

browserTest('admin console, user: a reset email has the chosen actions, and a failure is explained', async (t) => {
  const { host, mail } = started();
  const expected = /Failed to load resource/;
  const { page, done } = await openSignedIn(t, started(), `realms/demo/users/${ERIKA}/sign-in`, { expected });
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Send reset email', exact: true }).click();
  await dialog.getByLabel('Update Password').waitFor();
  await shows(t, () => dialog.getByLabel('Update Password').isChecked(), true);
  await dialog.getByLabel('Configure OTP').check();
  await dialog.getByRole('button', { name: 'Send email', exact: true }).click();
  await dialog.getByRole('heading', { name: 'The email was not sent', exact: true }).waitFor();
  await dialog.getByText('ECONNREFUSED').waitFor();
  const call = await adminCaller(host);
  t.is((await call('PUT', '/realms/demo', { smtpServer: mail.settings })).status, 204);
  await dialog.getByLabel('Link expires after', { exact: true }).fill('2');
  await dialog.getByRole('button', { name: 'Send email', exact: true }).click();
  await page.getByText('Email sent to erika@example.test.').waitFor();
  const { text } = await mail.mail(0);
  t.regex(text, /Update password\s+Set up authenticator app/);
  t.regex(text, /2 hours/);
  await page.goto(page.url().replace(ERIKA, DAVE));
  await page.getByRole('button', { name: 'Send reset email', exact: true }).click();
  await dialog.getByText('The user has no email address.').waitFor();
  await shows(t, () => dialog.getByRole('button', { name: 'Send email', exact: true }).isDisabled(), true);
  await done();
});

browserTest('admin console, user: failed sign-ins are counted, and a locked user is unlocked', async (t) => {
  for (let i = 0; i < 2; i++) t.not((await login('wrong')).status, 200);
  t.not((await login('Erika-pass-1!')).status, 200);
  const { page, done } = await openSignedIn(t, started(), `realms/demo/users/${ERIKA}/sign-in`);
  const failures = region(page, 'Failed sign-ins');
  await failures.getByText('Locked until').waitFor();
  await failures.getByRole('button', { name: 'Unlock user', exact: true }).click();
  await page.getByText('User unlocked.').waitFor();
  await failures.getByText('Not locked').waitFor();
  t.is((await login('Erika-pass-1!')).status, 200);
  const call = await adminCaller(started().host);
  const lock = async (permanentLockout: boolean) =>
    t.is((await call('PUT', '/realms/demo', { permanentLockout })).status, 204);
  await lock(true);
  for (let i = 0; i < 2; i++) t.not((await login('wrong')).status, 200);
  await page.reload();
  await failures.getByText('Locked until an administrator unlocks the user').waitFor();
  await failures.getByRole('button', { name: 'Unlock user', exact: true }).click();
  await failures.getByText('Not locked').waitFor();
  t.is((await login('Erika-pass-1!')).status, 200);
  await lock(false);
  await done();
});

browserTest('admin console, user: groups, a consent and a linked account are shown and removed', async (t) => {
  const { page, done } = await openSignedIn(t, started(), `realms/demo/users/${ERIKA}/groups`);
  const call = await adminCaller(started().host);
  const list = async (path: string) =>
    (await call('GET', `/realms/demo/users/${ERIKA}/${path}`)).json as unknown as object[];
  await page.getByText('No groups yet.').waitFor();
  await page.getByRole('combobox', { name: 'Add to group' }).fill('dev');
  await page.getByRole('option', { name: 'dev /team/dev', exact: true }).click();
  await page.getByText('Added to /team/dev.').waitFor();
  t.is((await list('groups')).length, 1);
  await page.getByRole('button', { name: 'Remove from /team/dev', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('No groups yet.').waitFor();
  await page.getByRole('link', { name: 'Sessions', exact: true }).last().click();
  await page.getByRole('cell', { name: 'profile, email' }).waitFor();
  await page.getByRole('button', { name: 'Revoke consent for web', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByText('No consents.').waitFor();
  t.deepEqual(await list('consents'), []);
  await page.getByRole('link', { name: 'Linked accounts', exact: true }).click();
  await page.getByRole('cell', { name: 'erika.m', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Unlink account at github', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink', exact: true }).click();
  await page.getByText('No linked accounts.').waitFor();
  t.deepEqual(await list('federated-identity'), []);
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  await region(page, 'Changes by administrators')
    .getByRole('row', { name: /DELETE GROUP_MEMBERSHIP/ })
    .waitFor();
  await done();
});

browserTest('admin console, user: sign-ins are listed with links to their events', async (t) => {
  t.is((await login('Erika-pass-1!')).status, 200);
  const { page, done } = await openSignedIn(t, started(), `realms/demo/users/${ERIKA}/activity`);
  const sentence = 'erika signed in to spa';
  await region(page, 'User events').getByRole('link', { name: sentence, exact: true }).first().click();
  await page.getByRole('heading', { name: sentence, exact: true, level: 1 }).waitFor();
  await done();
});

browserTest('admin console, user: a client role without users leads to the users', async (t) => {
  const { host } = started();
  const call = await adminCaller(host);
  const [web] = (await call('GET', '/realms/demo/clients?clientId=web')).json as unknown as { id: string }[];
  await call('POST', `/realms/demo/clients/${web?.id}/roles`, { name: 'unused' });
  const role = (await call('GET', `/realms/demo/clients/${web?.id}/roles/unused`)).json as unknown as { id: string };
  const { page, done } = await openSignedIn(t, started(), `realms/demo/clients/${web?.id}/roles/${role.id}`);
  await region(page, 'Users in role').getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByRole('heading', { name: 'Users of demo', exact: true }).waitFor();
  await done();
});

for (const view of [{ colorScheme: 'dark', width: 390, locale: 'de' }, {}] as const) {
  browserTest(`admin console, user: axe finds nothing on any tab, ${JSON.stringify(view)}`, async (t) => {
    const { page, done } = await openSignedIn(t, started(), `realms/demo/users/${ALICE}`, view);
    for (const tab of ['sign-in', 'roles', 'groups', 'sessions', 'linked-accounts', 'activity', 'links']) {
      await page.locator(`.tabs a[href$="/${tab}"]`).click();
      await page.locator('main section').first().waitFor();
      await shows(t, () => page.locator('.loading').count(), 0);
      t.deepEqual(await axeFindings(page), [], tab);
      t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), tab);
    }
    await done();
  });
}
