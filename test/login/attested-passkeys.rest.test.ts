import { arrival, fillIn, inScene, shareScene } from '../helpers/login-scene.js';
import { addAuthenticator } from '../helpers/passkeys.js';

/** The model of Chromium's virtual authenticator. */
const AAGUID = '01020304-0506-0708-0102-030405060708';
const policy = (prefix: string, acceptable: string) => ({
  [`${prefix}AttestationConveyancePreference`]: 'direct',
  [`${prefix}AcceptableAaguids`]: [acceptable],
  [`${prefix}AuthenticatorAttachment`]: 'platform',
});

const scene = shareScene(
  {
    ...policy('webAuthnPolicy', AAGUID.toUpperCase()),
    ...policy('webAuthnPolicyPasswordless', '00000000-0000-0000-0000-000000000000'),
  },
  { browser: true, argv: ['--http-host', 'localhost'] },
);

inScene(
  scene,
  'a realm that names models of authenticators takes those that attest it, and no others',
  async (t, stage) => {
    const context = await stage.browser.newContext();
    const page = await context.newPage();
    await addAuthenticator(context, page);
    await page.goto(stage.request({ kc_action: 'webauthn-register' }));
    await fillIn(page);
    await page.locator('#kc-submit').click();
    t.is((await arrival(page, stage)).get('kc_action_status'), 'success');
    const alice = await stage.host.users.byUsername(await stage.host.loadedRealm('demo'), 'alice');
    const stored = alice?.credentials.find(({ type }) => type === 'webauthn');
    t.like(JSON.parse(stored?.credentialData ?? ''), { aaguid: AAGUID, attestationStatementFormat: 'packed' });
    await page.goto(stage.request({ kc_action: 'webauthn-register-passwordless' }));
    await page.locator('#kc-submit').click();
    await page.getByText('Passkey registration failed.').waitFor();
    await page.locator('#kc-cancel').click();
    t.is((await arrival(page, stage)).get('kc_action_status'), 'cancelled');
    await context.close();
  },
);
