import test from 'ava';
import * as client from 'openid-client';
import type { Browser as Chromium } from 'playwright-core';
import { Browser as FormBrowser, signIn } from '../helpers/form-browser.js';
import { fillIn, type LoginScene, shareScene } from '../helpers/login-scene.js';
import { ALICE } from '../helpers/realms.js';

const scene = shareScene();

async function loginInChromium(browser: Chromium, url: URL, { application }: LoginScene): Promise<URL> {
  const page = await browser.newPage();
  await page.goto(url.href);
  await fillIn(page);
  await page.waitForURL((at) => at.href.startsWith(application.callback));
  return new URL(page.url());
}

async function loginByForm(url: URL): Promise<URL> {
  const { location } = await signIn(new FormBrowser(), url.href);
  if (location === undefined) throw new Error('the login did not redirect');
  return location;
}

for (const method of ['client_secret_basic', 'client_secret_post'] as const) {
  test(`openid-client: openid-client, unpatched, logs alice in and does all that follows, by ${method}`, async (t) => {
    const { host, browser, application } = scene();
    if (browser === undefined) t.log('SKIPPED: no Chromium; the login is by the form browser');
    const secret = 's3cret:+/%&é';
    const proof = method === 'client_secret_basic' ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret);
    const config = await client.discovery(new URL(host.realm('demo')), 'web', undefined, proof, {
      execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
    });
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const expectedNonce = client.randomNonce();
    const expectedState = client.randomState();
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: application.callback,
      scope: 'openid email profile',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      nonce: expectedNonce,
      state: expectedState,
      max_age: '3600',
    });
    const back = browser === undefined ? await loginByForm(url) : await loginInChromium(browser, url, scene());
    const checks = { pkceCodeVerifier, expectedNonce, expectedState, idTokenExpected: true, maxAge: 3600 };
    const tokens = await client.authorizationCodeGrant(config, back, checks);
    t.like(tokens.claims(), { sub: ALICE, aud: 'web', email: 'alice@example.test', nonce: expectedNonce });
    t.like(await client.fetchUserInfo(config, tokens.access_token, ALICE), { preferred_username: 'alice' });
    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    t.is(renewed.claims()?.sub, ALICE);
    t.true((await client.tokenIntrospection(config, renewed.access_token)).active);
    await client.tokenRevocation(config, renewed.refresh_token ?? '');
    t.false((await client.tokenIntrospection(config, renewed.access_token)).active);
  });
}

test('openid-client: it understands a refusal: the user is not signed in, and no page may be shown', async (t) => {
  const { host, application } = scene();
  const config = await client.discovery(new URL(host.realm('demo')), 'web', undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  });
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: application.callback,
    scope: 'openid',
    prompt: 'none',
    state: 'a-state',
  });
  const { location } = await new FormBrowser().open(url.href);
  if (location === undefined) return t.fail('there is no redirect');
  const error = await t.throwsAsync(client.authorizationCodeGrant(config, location, { expectedState: 'a-state' }), {
    instanceOf: client.AuthorizationResponseError,
  });
  t.is(error?.error, 'login_required');
});
