import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import type { Page } from 'playwright-core';
import { KEYCLOAK_SETTINGS } from '../../core/config/settings/keycloak-settings.js';
import { adminCaller, administered, administrator } from '../helpers/admin.js';
import { axeFindings, openSignedIn } from '../helpers/admin-console.js';
import { browserTest, hasChromium, startBrowser } from '../helpers/browser.js';
import { startHost } from '../helpers/host.js';
import { startMailServer } from '../helpers/mail-server.js';
import { testRealm } from '../helpers/realms.js';
import { shareStarted } from '../helpers/shared-host.js';
import { shows } from '../helpers/shows.js';

const SECRET = 'kept-mail-password';
const demo = testRealm('demo', { attributes: { unknown: 'stays' } });
demo.users?.push(
  { ...administrator('boss', 'realm-admin'), email: 'boss@example.test' },
  administrator('keeper', 'manage-realm'),
  administrator('viewer', 'view-realm'),
  administrator('lister', 'query-users'),
);

const scene = shareStarted(
  test,
  async (scope) => {
    const shown: unknown[] = [];
    const mail = await startMailServer(scope, {
      disabledCommands: ['STARTTLS'],
      onAuth({ username, password }, _session, done) {
        shown.push(password);
        if (password === SECRET) done(null, { user: String(username) });
        else done(new Error('the words of the mail server'));
      },
    });
    demo.smtpServer = { ...mail.settings, auth: 'true', user: 'mailer', password: SECRET, debug: 'false' };
    return {
      host: await startHost(scope, administered({ realms: [demo] })),
      browser: hasChromium ? await startBrowser(scope) : undefined,
      mail,
      shown,
    };
  },
  /Failed to send email/,
);

function started() {
  const { browser, ...others } = scene();
  if (browser === undefined) throw new Error('the browser did not start');
  return { browser, ...others };
}

const asUser = (username: string) => ({ as: { realm: 'demo', username, password: username } });
const SAVED = 'Saved. Changes take effect with the next request.';

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(SAVED).waitFor();
}

/** By section: an edit of it, and the resulting members of the realm. */
const EDITS: readonly (readonly [section: string, edit: (page: Page) => Promise<unknown>, stored: object])[] = [
  [
    '',
    async (page) => {
      await page.getByLabel('Display name').fill('House of demo');
      await page.getByLabel('Require SSL').selectOption({ label: 'None' });
    },
    { displayName: 'House of demo', sslRequired: 'none', enabled: true },
  ],
  [
    '/login',
    async (page) => {
      await page.getByLabel('User registration').check();
      await page.getByLabel('Login with email').uncheck();
      await page.getByLabel('Duplicate emails').check();
    },
    { registrationAllowed: true, loginWithEmailAllowed: false, duplicateEmailsAllowed: true, rememberMe: false },
  ],
  [
    '/login',
    (page) => page.getByLabel('Login with email').check(),
    { loginWithEmailAllowed: true, duplicateEmailsAllowed: false },
  ],
  [
    '/events',
    async (page) => {
      await page.getByLabel('Save user events').check();
      await page.getByLabel('Expiration', { exact: true }).fill('2');
      await page.getByLabel('Expiration: unit').selectOption('Days');
    },
    { eventsEnabled: true, eventsExpiration: 172_800, adminEventsEnabled: false },
  ],
  [
    '/security',
    async (page) => {
      await page.getByLabel('Brute force mode').selectOption('Lockout permanently after temporary lockout');
      await page.getByLabel('Max login failures').fill('7');
    },
    { bruteForceProtected: true, permanentLockout: true, maxTemporaryLockouts: 1, failureFactor: 7 },
  ],
  [
    '/security',
    (page) => page.getByLabel('Brute force mode').selectOption('Lockout permanently'),
    { bruteForceProtected: true, permanentLockout: true, maxTemporaryLockouts: 0 },
  ],
  [
    '/security',
    (page) => page.getByLabel('Brute force mode').selectOption('Lockout temporarily'),
    { bruteForceProtected: true, permanentLockout: false, failureFactor: 7 },
  ],
  ['/security', (page) => page.getByLabel('Brute force mode').selectOption('Disabled'), { bruteForceProtected: false }],
  [
    '/sessions',
    async (page) => {
      await page.getByLabel('SSO session idle', { exact: true }).fill('1.5');
      await page.getByLabel('SSO session idle: unit').selectOption('Hours');
    },
    { ssoSessionIdleTimeout: 5400, ssoSessionMaxLifespan: 36_000 },
  ],
  [
    '/tokens',
    async (page) => {
      await page.getByLabel('Default signature algorithm').selectOption('ES256');
      await page.getByLabel('Revoke refresh token').check();
      await page.getByLabel('Refresh token max reuse').fill('2');
      await page.getByLabel(/^Lifetime of the request URI for pushed authorization requests$/).fill('2');
    },
    {
      defaultSignatureAlgorithm: 'ES256',
      revokeRefreshToken: true,
      refreshTokenMaxReuse: 2,
      attributes: { unknown: 'stays', parRequestUriLifespan: '120' },
    },
  ],
];

test('admin console: it offers only settings that the host acts on', async (t) => {
  const folder = join(process.cwd(), 'core/admin-console/app/src/pages/realm-settings');
  const files = (await readdir(folder)).filter((name) => /^(?!email).+-texts\.ts$/.test(name));
  const labels = await Promise.all(
    files.map(async (name) => /labels: \{([^}]*)\}/.exec(await readFile(join(folder, name), 'utf8'))?.[1] ?? ''),
  );
  const names = labels.flatMap((text) => [...text.matchAll(/(\w+): '/g)].map(([, name = '']) => name));
  const states = { ...KEYCLOAK_SETTINGS['realm attribute'], ...KEYCLOAK_SETTINGS.Realm };
  const idle = names.filter((name) => name !== 'mode' && states[name]?.state !== 'works');
  t.deepEqual(idle, []);
  t.true(names.length > 40);
});

browserTest(
  'admin console, realm settings: each section is edited at its own address, and the realm has what was saved',
  async (t) => {
    const call = await adminCaller(started().host);
    for (const [section, edit, stored] of EDITS) {
      const { page, done } = await openSignedIn(t, started(), `realms/demo/settings${section}`, asUser('boss'));
      await edit(page);
      await save(page);
      t.like((await call('GET', '/realms/demo')).json, stored, section);
      await done();
    }
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/settings/sessions', asUser('boss'));
    // No number is no value, which the host would leave as it is.
    await page.getByLabel('SSO session idle', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('input:focus:invalid').waitFor();
    // A rejected value is reported at its field and stays there.
    await page.getByLabel('SSO session idle', { exact: true }).fill('0');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.field-errors').waitFor();
    await shows(t, () => page.getByLabel('SSO session idle', { exact: true }).getAttribute('aria-invalid'), 'true');
    await page.getByRole('button', { name: 'Discard changes', exact: true }).click();
    await shows(t, () => page.getByLabel('SSO session idle', { exact: true }).inputValue(), '90');
    await done();
  },
);

browserTest('admin console, realm settings: a realm is disabled after a confirmation', async (t) => {
  const { page, done } = await openSignedIn(t, started(), 'realms/demo/settings');
  const dialog = page.getByRole('dialog', { name: 'Disable the realm demo?' });
  await page.getByLabel('Enabled').click();
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await shows(t, () => page.getByLabel('Enabled').isChecked(), true);
  await page.getByLabel('Enabled').click();
  await dialog.getByRole('button', { name: 'Disable realm', exact: true }).click();
  await save(page);
  const call = await adminCaller(started().host);
  t.like((await call('GET', '/realms/demo')).json, { enabled: false });
  await page.getByLabel('Enabled').click();
  await save(page);
  t.like((await call('GET', '/realms/demo')).json, { enabled: true });
  await done();
});

browserTest(
  'admin console, realm settings: an email server is tested before it is saved, with its stored password that is not shown',
  async (t) => {
    const { host, mail, shown } = started();
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/settings/email', asUser('boss'));
    const test = page.getByRole('button', { name: 'Send a test email', exact: true });
    await page.getByLabel('From display name').fill('Typed, not saved');
    await test.click();
    await page.getByText('Test email sent. Check the inbox.').waitFor();
    t.regex((await mail.mail(0)).headers.from ?? '', /Typed, not saved/);
    await page.getByLabel('Send the test email to').fill('ops@example.test');
    await test.click();
    t.deepEqual((await mail.mail(1)).envelope.to, ['ops@example.test']);
    await page.getByLabel('Send the test email to').fill('');
    t.deepEqual(shown, [SECRET, SECRET]);
    t.false((await page.content()).includes(SECRET));
    await page.getByRole('button', { name: 'Replace Password', exact: true }).click();
    await page.keyboard.type('wrong');
    await test.click();
    const failed = page.getByRole('alert').filter({ hasText: 'The test email was not sent' });
    await failed.getByText('EAUTH 535').waitFor();
    // The words of the mail server are for who administers the host.
    await shows(t, () => failed.locator('pre').innerText(), 'EAUTH 535');
    await page.getByRole('button', { name: 'Keep current Password', exact: true }).click();
    await shows(t, () => failed.count(), 0);
    // A stored password is never sent to another server.
    await page.getByLabel('Port').fill('1');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/must be sent again, as smtpServer\.port changes/).waitFor();
    await page.getByLabel('Port').fill(String(mail.settings.port));
    await save(page);
    const stored = await host.store.realms.get('demo');
    t.like(stored?.representation.smtpServer, {
      password: SECRET,
      fromDisplayName: 'Typed, not saved',
      debug: 'false',
    });
    await done();
    const call = await adminCaller(host);
    const [root] = (await call('GET', '/realms/master/users?username=root')).json as { id: string }[];
    await call('PUT', `/realms/master/users/${root?.id}`, { email: 'root@example.test' });
    const server = { ...mail.settings, auth: 'true', user: 'mailer', password: 'wrong' };
    const told = await call('POST', '/realms/demo/testSMTPConnection', server);
    t.regex(String(told.json.error_description), /EAUTH: .*the words of the mail server/);
  },
);

browserTest(
  'admin console, realm settings: a second editor sees what the first has saved, and no password',
  async (t) => {
    const { page, done } = await openSignedIn(t, started(), 'realms/demo/settings/email', asUser('boss'));
    await page.getByRole('button', { name: 'Replace Password', exact: true }).click();
    await page.keyboard.type('typed-password');
    await page.getByLabel('Reply to', { exact: true }).fill('mine@example.test');
    const call = await adminCaller(started().host);
    const { smtpServer } = (await call('GET', '/realms/demo')).json as { smtpServer: object };
    await call('PUT', '/realms/demo', { smtpServer: { ...smtpServer, replyTo: 'theirs@example.test' } });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const conflict = page.getByRole('alert');
    await conflict.getByRole('row', { name: /Reply to .*theirs@example\.test mine@example\.test/ }).waitFor();
    await shows(t, () => conflict.getByText('typed-password', { exact: true }).count(), 0);
    await page.getByRole('button', { name: 'Discard my changes', exact: true }).click();
    await shows(t, () => page.getByLabel('Reply to', { exact: true }).inputValue(), 'theirs@example.test');
    await done();
  },
);

browserTest(
  'admin console, realm settings: an admin with view rights changes nothing, and the email server is for realm-admin',
  async (t) => {
    const viewed = await openSignedIn(t, started(), 'realms/demo/settings/tokens', asUser('viewer'));
    await viewed.page.getByText('Read-only. Editing requires the role manage-realm.').waitFor();
    await shows(t, () => viewed.page.getByLabel('Revoke refresh token').isDisabled(), true);
    await shows(t, () => viewed.page.getByLabel('Access token lifespan', { exact: true }).isEditable(), false);
    await shows(t, () => viewed.page.getByRole('button', { name: 'Save', exact: true }).count(), 0);
    await viewed.done();
    const kept = await openSignedIn(t, started(), 'realms/demo/settings/email', asUser('keeper'));
    await kept.page.getByText('Editing the mail server requires the role realm-admin').waitFor();
    const buttons = kept.page.getByRole('button', { name: /^(Save|Send a test email|Replace Password)$/ });
    await shows(t, () => buttons.count(), 0);
    await kept.page.getByRole('link', { name: 'Login', exact: true }).click();
    await kept.page.getByLabel('Remember me').check();
    await save(kept.page);
    await kept.done();
    const listed = await openSignedIn(t, started(), 'realms/demo/settings', asUser('lister'));
    await listed.page.getByText('Viewing the settings requires the role view-realm.').waitFor();
    await shows(t, () => listed.page.getByLabel('Display name').count(), 0);
    await listed.done();
  },
);

browserTest('admin console, realm settings: axe finds nothing, on a phone, in the dark and in German', async (t) => {
  const view = { width: 390, colorScheme: 'dark', locale: 'de' } as const;
  const { page, done } = await openSignedIn(t, started(), 'realms/demo/settings', view);
  const sections = page.getByRole('navigation', { name: 'Abschnitte der Einstellungen' }).getByRole('link');
  await page.getByRole('heading', { name: 'Einstellungen von demo', exact: true }).waitFor();
  for (const section of await sections.allInnerTexts()) {
    await sections.filter({ hasText: section }).focus();
    await page.keyboard.press('Enter');
    await page.locator('form.card').waitFor();
    t.deepEqual(await axeFindings(page), [], section);
    t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), section);
  }
  await done();
});
