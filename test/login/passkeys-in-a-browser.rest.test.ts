import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { arrival, fillIn, inScene, shareScene } from '../helpers/login-scene.js';
import { addAuthenticator } from '../helpers/passkeys.js';
import { secondFactorFlows } from '../helpers/second-factors.js';
import { shows } from '../helpers/shows.js';

/** Runs in the page: `asked` records how the page has asked the browser for a passkey. */
const ASKED = `globalThis.asked = [];
const get = navigator.credentials?.get.bind(navigator.credentials);
if (get) navigator.credentials.get = (options) => {
  const answer = get(options);
  asked.push(options.mediation ?? 'button');
  return answer;
};`;

const scene = shareScene(
  {
    internationalizationEnabled: true,
    supportedLocales: ['en', 'de'],
    ...secondFactorFlows(),
    webAuthnPolicyPasswordlessPasskeysEnabled: true,
  },
  // Browsers allow no passkeys for IP addresses.
  { browser: true, argv: ['--http-host', 'localhost'] },
);

const folder = mkdtemp(join(tmpdir(), 'keyhost-passkeys-'));

async function photograph(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(await folder, `${name}.png`), fullPage: true });
}

/** Removes the session, but not the authenticators. */
function signOut(context: BrowserContext): Promise<void> {
  return context.clearCookies();
}

inScene(scene, 'a user adds a passkey as second factor, in another language, and logs in with it', async (t, stage) => {
  t.log(`screenshots: ${await folder}`);
  const context = await stage.browser.newContext({ locale: 'de', viewport: { width: 390, height: 800 } });
  const page = await context.newPage();
  const authenticator = await addAuthenticator(context, page, { transport: 'usb', hasUserVerification: false });
  await page.goto(stage.request({ kc_action: 'webauthn-register' }));
  await fillIn(page);
  await page.locator('h1', { hasText: 'Passkey einrichten' }).waitFor();
  await photograph(page, 'register-narrow');
  t.true(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0);
  await page.locator('#authenticatorLabel').fill('Mein Schlüssel');
  await page.locator('#kc-submit').click();
  t.is((await arrival(page, stage)).get('kc_action_status'), 'success');
  await signOut(context);
  await page.goto(stage.request());
  await fillIn(page);
  await page.locator('h1', { hasText: 'Anmeldung mit Passkey' }).waitFor();
  await photograph(page, 'login-narrow');
  await page.locator('#kc-submit').click();
  t.truthy((await arrival(page, stage)).get('code'));

  // Another authenticator cannot answer: the page shows an error, and the right one can still be used.
  await signOut(context);
  const { session, id } = authenticator;
  const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId: id });
  await session.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: false });
  await session.send('WebAuthn.clearCredentials', { authenticatorId: id });
  await page.goto(stage.request());
  await fillIn(page);
  await page.locator('#kc-submit').click();
  await page.locator('.alert-error').waitFor();
  await photograph(page, 'login-refused-narrow');
  for (const credential of credentials)
    await session.send('WebAuthn.addCredential', { authenticatorId: id, credential });
  await page.locator('#kc-submit').click();
  t.truthy((await arrival(page, stage)).get('code'));

  // A copy of the authenticator continues from an older counter.
  await signOut(context);
  await session.send('WebAuthn.clearCredentials', { authenticatorId: id });
  for (const credential of credentials)
    await session.send('WebAuthn.addCredential', { authenticatorId: id, credential });
  await page.goto(stage.request());
  await fillIn(page);
  await page.locator('#kc-submit').click();
  await page.getByText('Ungültiger Passkey. Bitte versuchen Sie es erneut.').waitFor();
  await context.close();
});

inScene(scene, 'a user adds a passkey and from then on logs in without name and password', async (t, stage) => {
  const context = await stage.browser.newContext();
  await context.addInitScript(ASKED);
  const page = await context.newPage();
  const { session, id } = await addAuthenticator(context, page);
  await page.goto(stage.request({ kc_action: 'webauthn-register-passwordless' }));
  await fillIn(page, 'Dave-pass-1!', 'dave');
  await page.locator('h1', { hasText: 'Set up passkey' }).waitFor();
  await photograph(page, 'register-wide');
  await page.locator('#kc-submit').click();
  t.is((await arrival(page, stage)).get('kc_action_status'), 'success');
  const dave = await stage.host.users.byUsername(await stage.host.loadedRealm('demo'), 'dave');
  const passkey = dave?.credentials.find(({ type }) => type === 'webauthn-passwordless');
  t.is(passkey?.userLabel, 'Passkey');
  t.deepEqual(JSON.parse(passkey?.credentialData ?? '').transports, ['internal']);

  // The browser can offer it together with the username; here it uses it at once.
  await signOut(context);
  await page.goto(stage.request());
  t.truthy((await arrival(page, stage)).get('code'));
  // The button replaces a pending offer of the browser.
  await signOut(context);
  const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId: id });
  await session.send('WebAuthn.clearCredentials', { authenticatorId: id });
  await page.goto(stage.request());
  await page.waitForFunction(`asked.includes('conditional')`);
  for (const credential of credentials) {
    await session.send('WebAuthn.addCredential', { authenticatorId: id, credential });
  }
  await page.locator('#kc-passkey').click();
  t.truthy((await arrival(page, stage)).get('code'));
  const events = await stage.host.stored('demo');
  t.like(
    events.find(({ type }) => type === 'LOGIN'),
    { userId: dave?.id },
  );
  await context.close();
});

inScene(
  scene,
  'the button of the username form asks for a passkey, and the password stays beside it',
  async (t, stage) => {
    const context = await stage.browser.newContext();
    // Browsers that do not fill in passkeys have the button.
    await context.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    await context.addInitScript(ASKED);
    const page = await context.newPage();
    const { session, id } = await addAuthenticator(context, page, { automaticPresenceSimulation: false });
    await page.goto(stage.request());
    await page.locator('#kc-passkey').waitFor();
    await photograph(page, 'username-form-wide');
    await page.locator('#kc-passkey').click();
    // The passkey is not touched; the user gives up and types the password.
    await page.waitForFunction(`asked.includes('button')`);
    await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: id });
    await fillIn(page, 'wrong');
    await page.getByText('Invalid username or password.').waitFor();
    await addAuthenticator(context, page);
    await page.locator('#kc-passkey').click();
    await page.getByText('The passkey request was cancelled or timed out.').waitFor();
    await photograph(page, 'username-form-refused-wide');
    await fillIn(page, 'Dave-pass-1!', 'dave');
    t.truthy((await arrival(page, stage)).get('code'));
    await context.close();
  },
);

inScene(scene, 'without scripts or without passkeys the page says what is needed', async (t, stage) => {
  for (const javaScriptEnabled of [false, true]) {
    const context = await stage.browser.newContext({ javaScriptEnabled });
    if (javaScriptEnabled) await context.addInitScript('delete globalThis.PublicKeyCredential');
    const page = await context.newPage();
    await page.goto(stage.request({ kc_action: 'webauthn-register' }));
    await shows(t, () => page.locator('#kc-passkey').isVisible(), false);
    await fillIn(page, 'Dave-pass-1!', 'dave');
    const needed = page.locator('.needed:visible');
    await needed.waitFor();
    const text = await needed.textContent();
    t.regex(text ?? '', javaScriptEnabled ? /does not support passkeys/ : /require JavaScript/);
    await photograph(page, javaScriptEnabled ? 'unsupported' : 'without-script');
    await context.close();
  }
});
