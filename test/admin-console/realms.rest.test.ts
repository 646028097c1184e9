import test from 'ava';
import { adminCaller, administered, administrator } from '../helpers/admin.js';
import { axeFindings, openAdminConsole, openSignedIn, signIn } from '../helpers/admin-console.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { startHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

const demo = testRealm('demo');
const other = testRealm('other');
demo.users?.push(administrator('boss', 'realm-admin'));

const scene = shareStarted(test, async (scope) => ({
  host: await startHost(scope, administered({ realms: [demo, other] })),
  browser: hasChromium ? await startBrowser(scope) : undefined,
}));

function started() {
  const { host, browser } = scene();
  if (browser === undefined) throw new Error('the browser did not start');
  return { host, browser };
}

browserTest('admin console, realms: a realm is created, opened, and deleted by typing its name', async (t) => {
  const { page, done } = await openSignedIn(t, started(), '');
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Create realm', exact: true }).click();
  const create = dialog.getByRole('button', { name: 'Create realm', exact: true });
  await dialog.getByLabel('Realm name').fill('no blanks');
  await dialog.getByText('Use 1 to 64 of the characters A-Z a-z 0-9 . _ -').waitFor();
  await shows(t, () => create.isDisabled(), true);
  await dialog.getByLabel('Realm name').fill('demo');
  await create.click();
  await dialog.getByText('already exists').waitFor();
  await dialog.getByLabel('Realm name').fill('fresh');
  await dialog.getByLabel('Display name').fill('Fresh & new');
  await dialog.getByLabel('Enabled').uncheck();
  await create.click();
  await page.getByRole('heading', { name: 'Settings of fresh', exact: true, level: 1 }).waitFor();
  await shows(t, () => page.getByLabel('Display name').inputValue(), 'Fresh & new');
  const call = await adminCaller(started().host);
  t.like((await call('GET', '/realms/fresh')).json, { displayName: 'Fresh & new', enabled: false });
  await page.getByRole('button', { name: 'Delete realm', exact: true }).click();
  const remove = dialog.getByRole('button', { name: 'Delete realm', exact: true });
  await dialog.getByLabel('To confirm, enter fresh').fill('demo');
  await shows(t, () => remove.isDisabled(), true);
  await dialog.getByLabel('To confirm, enter fresh').fill('fresh');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview', exact: true, level: 1 }).waitFor();
  await page.getByRole('link', { name: 'other', exact: true }).waitFor();
  await shows(t, () => page.getByRole('link', { name: 'fresh', exact: true }).count(), 0);
  t.is((await call('GET', '/realms/fresh')).status, 404);
  await done();
});

browserTest(
  'admin console, realms: a realm is created from a file, chosen or pasted, and under another name',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), '');
    const file = { ...testRealm('copied'), id: 'the-id-of-copied', displayName: 'From a file' };
    const dialog = page.getByRole('dialog');
    const create = dialog.getByRole('button', { name: 'Create realm', exact: true });
    const call = await adminCaller(started().host);
    await page.getByRole('button', { name: 'Create realm', exact: true }).click();
    await dialog.getByLabel('Text of the realm file').fill('[{"realm": "list"}]');
    await dialog.getByText('This is not a realm file: the JSON value must be an object.').waitFor();
    await shows(t, () => create.isDisabled(), true);
    const buffer = Buffer.from(JSON.stringify(file));
    await dialog.getByLabel('Realm file (optional)').setInputFiles({ name: 'a.json', mimeType: 'text/json', buffer });
    await shows(t, () => dialog.getByLabel('Realm name').inputValue(), 'copied');
    await create.click();
    await page.getByRole('heading', { name: 'Settings of copied', exact: true, level: 1 }).waitFor();
    t.like((await call('GET', '/realms/copied')).json, { id: 'the-id-of-copied', displayName: 'From a file' });
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('button', { name: 'Create realm', exact: true }).click();
    await dialog.getByLabel('Text of the realm file').fill(JSON.stringify({ ...file, ssoSessionIdleTimeout: 'soon' }));
    await dialog.getByLabel('Realm name').fill('renamed');
    await create.click();
    await dialog.getByText('ssoSessionIdleTimeout').first().waitFor();
    await dialog.getByLabel('Text of the realm file').fill(JSON.stringify(file));
    await dialog.getByLabel('Realm name').fill('renamed');
    await create.click();
    await page.getByRole('heading', { name: 'Settings of renamed', exact: true, level: 1 }).waitFor();
    const clients = (await call('GET', '/realms/renamed/clients?clientId=spa')).json as object[];
    t.is(clients.length, 1);
    t.not((await call('GET', '/realms/renamed')).json.id, 'the-id-of-copied');
    await done();
  },
);

browserTest('admin console, realms: an import shows a report before and after, which can be downloaded', async (t) => {
  const { page, done } = await openSignedIn(t, started(), '');
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Create realm', exact: true }).click();
  const text = JSON.stringify(
    {
      realm: 'reported',
      enabled: true,
      clients: [
        { clientId: 'web', publicClient: true },
        { clientId: 'api', secret: '**********' },
      ],
      components: { 'org.keycloak.storage.UserStorageProvider': [{ name: 'directory', providerId: 'ldap' }] },
    },
    undefined,
    2,
  );
  await dialog.getByLabel('Text of the realm file').fill(text.replace('"enabled": true', '"enabled": "perhaps"'));
  await dialog.getByRole('heading', { name: 'A mistake prevents the import', exact: true }).waitFor();
  await dialog.getByText('Line 3:3').waitFor();
  await dialog.getByLabel('Text of the realm file').fill(text);
  await dialog.getByText('The file has 2 clients, 0 groups and 0 users.').waitFor();
  await dialog.getByRole('button', { name: 'Create realm', exact: true }).click();
  await page.getByRole('dialog', { name: 'The realm reported was created' }).waitFor();
  const secrets = dialog.locator('section.notice').filter({ hasText: 'A client has no secret and gets a new one' });
  await shows(t, () => secrets.getByRole('listitem').allInnerTexts(), ['api']);
  const warnings = await dialog.locator('details').getByRole('listitem').allInnerTexts();
  for (const path of ['UserStorageProvider', 'clients[1].secret'])
    t.true(
      warnings.some((warning) => warning.includes(path)),
      `${path}: ${warnings.join('\n')}`,
    );
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download report', exact: true }).click(),
  ]);
  t.is(download.suggestedFilename(), 'reported-import.txt');
  t.deepEqual(await axeFindings(page), []);
  await dialog.getByRole('button', { name: 'Open the realm', exact: true }).click();
  await page.getByRole('heading', { name: 'Settings of reported', exact: true, level: 1 }).waitFor();
  await done();
});

browserTest(
  'admin console, realms: an admin who may only create realms has all rights over a new one, and others see no button',
  async (t) => {
    const { host } = started();
    const call = await adminCaller(host);
    await call('POST', '/realms/master/users', administrator('founder'));
    const [founder] = (await call('GET', '/realms/master/users?username=founder')).json as { id: string }[];
    const role = (await call('GET', '/realms/master/roles/create-realm')).json;
    t.is((await call('POST', `/realms/master/users/${founder?.id}/role-mappings/realm`, [role])).status, 204);
    const as = { username: 'founder', password: 'founder' };
    const { page, done } = await openSignedIn(t, started(), '', { as });
    await page.getByRole('button', { name: 'Create realm', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Realm name').fill('founded');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Settings of founded', exact: true, level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Email', exact: true }).click();
    await page.getByLabel('Host', { exact: true }).fill('mail.example.test');
    await page.getByLabel('From', { exact: true }).fill('id@example.test');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved. Changes take effect with the next request.').waitFor();
    await done();
    const boss = await openAdminConsole(t, started(), '?realm=demo');
    await signIn(boss.page, { realm: 'demo', username: 'boss', password: 'boss' });
    await boss.page.getByRole('link', { name: 'demo', exact: true }).waitFor();
    await shows(t, () => boss.page.getByRole('button', { name: 'Create realm', exact: true }).count(), 0);
    // Deleting one's own realm ends the session.
    await boss.page.getByRole('link', { name: 'Realm settings', exact: true }).click();
    await boss.page.getByRole('button', { name: 'Delete realm', exact: true }).click();
    await boss.page.getByLabel('To confirm, enter demo').fill('demo');
    await boss.page.keyboard.press('Enter');
    await boss.page.getByText('You are signed out.').waitFor();
    await shows(t, () => boss.page.getByRole('textbox', { name: 'Realm' }).inputValue(), 'master');
    t.is((await call('GET', '/realms/demo')).status, 404);
    await boss.done();
  },
);

browserTest('admin console, realms: a realm that differs from its file says so, and leads to the file', async (t) => {
  const { page, done } = await openSignedIn(t, started(), 'realms/other/settings');
  const name = 'This realm has edits that are not in its realm file';
  const drifted = page.getByRole('heading', { name, exact: true });
  await page.getByLabel('Display name').fill('By hand');
  await shows(t, () => drifted.count(), 0);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await drifted.waitFor();
  await page.getByRole('link', { name: 'View the realm file', exact: true }).click();
  await page.getByRole('heading', { name: 'Edits that are not in the file', exact: true }).waitFor();
  await done();
});

browserTest('admin console, realms: axe finds nothing, on a phone, in the dark and in German', async (t) => {
  const view = { width: 390, colorScheme: 'dark', locale: 'de' } as const;
  const { page, done } = await openSignedIn(t, started(), '', view);
  await page.getByRole('button', { name: 'Realm erstellen', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Text der Realm-Datei').fill('{');
  await page.getByText('Das ist keine Realm-Datei').waitFor();
  t.deepEqual(await axeFindings(page), []);
  await page.goto(`${started().host.publicUrl}/admin/desk/realms/other/settings`);
  await page.getByRole('button', { name: 'Realm löschen', exact: true }).click();
  await page.getByRole('dialog').waitFor();
  t.deepEqual(await axeFindings(page), []);
  t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
  await done();
});
