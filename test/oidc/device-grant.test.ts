import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import * as client from 'openid-client';
import type { UserRepresentation } from '../../core/model/representation.js';
import { approve, BOX, beginDevice, deviceRealm, enterCode, poll, TV, toConsent } from '../helpers/device.js';
import { Browser, codeRequest } from '../helpers/form-browser.js';
import { type Answer, claimsOf, startHost, TestClock } from '../helpers/host.js';
import { introspect, post, userinfo } from '../helpers/login.js';
import { ALICE } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const clock = new TestClock();
const host = shareHost(test, { realms: [deviceRealm(), deviceRealm('other')], clock });

/** Checks the exact text of a refusal. */
function refused(t: ExecutionContext, answer: Answer, error: string, description: string): void {
  t.is(answer.status, 400, answer.text);
  t.deepEqual(answer.json as object, { error, error_description: description });
}

const PENDING = ['authorization_pending', 'The authorization request is still pending'] as const;
const UNKNOWN = ['invalid_grant', 'Device code not valid'] as const;

/** The errors of the grant's events about this client; '' for successful ones. */
async function told(clientId = 'tv') {
  const events = await host().stored('demo');
  const ofGrant = events.filter((event) => event.clientId === clientId && /^OAUTH2_DEVICE_CODE_/.test(event.type));
  return new Map(ofGrant.map((event) => [event.error ?? '', event]));
}

test.serial(
  'device grant: openid-client waits for the user, and gets tokens of the login that the browser made',
  async (t) => {
    const own = await startHost(t, { realms: [deviceRealm()] });
    const config = await client.discovery(new URL(own.realm('demo')), 'quick', undefined, client.None(), {
      execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
    });
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const device = await client.initiateDeviceAuthorization(config, {
      scope: 'openid email',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const waiting = client.pollDeviceAuthorizationGrant(config, device, { code_verifier: pkceCodeVerifier });
    const browser = new Browser();
    const done = await approve(own, device.user_code, browser);
    t.is(done.location?.href, `${own.realm('demo')}/device/status`);
    const tokens = await waiting;
    t.like(tokens.claims(), { sub: ALICE, aud: 'quick', email: 'alice@example.test' });
    t.like(await client.fetchUserInfo(config, tokens.access_token, ALICE), { preferred_username: 'alice' });
    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
    t.is(renewed.claims()?.sub, ALICE);
    const silent = await browser.open(codeRequest(own, { prompt: 'none' }).url);
    t.is(silent.location?.searchParams.get('session_state'), String(tokens.claims()?.sid), 'one session for both');
  },
);

test.serial(
  'device grant: a device waits, is slowed down if it polls too often, and gets the result of its code',
  async (t) => {
    const { device_code, user_code } = await beginDevice(host(), { ...TV, scope: 'openid', nonce: 'n-1' });
    refused(t, await poll(host(), device_code), ...PENDING);
    t.is((await told()).size, 0, 'nobody is told of a device that waits');
    refused(t, await poll(host(), device_code), 'slow_down', 'Slow down');
    t.is((await told()).get('slow_down')?.type, 'OAUTH2_DEVICE_CODE_TO_TOKEN_ERROR');
    clock.forward(5);
    refused(t, await poll(host(), device_code), ...PENDING);
    await approve(host(), user_code);
    refused(t, await poll(host(), device_code), 'slow_down', 'Slow down');
    clock.forward(5);
    const { status, json, text } = await poll(host(), device_code);
    t.is(status, 200, text);
    const access = claimsOf(String(json.access_token)) as Record<string, unknown>;
    t.like(access, { sub: ALICE, azp: 'tv', scope: 'openid profile email' });
    t.regex(String(access.jti), /^onrtdg:/);
    t.like(claimsOf(String(json.id_token)) as object, { nonce: 'n-1', aud: 'tv' });
    const event = (await told()).get('');
    t.like(event, { type: 'OAUTH2_DEVICE_CODE_TO_TOKEN', userId: ALICE });
    t.is(event?.details.code_id, access.sid as string);
    t.is((await userinfo(host(), String(json.access_token))).status, 200);
    clock.forward(5);
    refused(t, await poll(host(), device_code), ...UNKNOWN);
    t.is((await userinfo(host(), String(json.access_token))).status, 200, 'asking once more takes nothing away');
  },
);

test.serial(
  'device grant: an expired code is distinguished from an unknown one, even if it was approved',
  async (t) => {
    const { device_code, user_code } = await beginDevice(host());
    await approve(host(), user_code);
    clock.forward(600);
    refused(t, await poll(host(), device_code), 'expired_token', 'Device code is expired');
    t.true((await told()).has('expired_oauth2_device_code'));
    clock.forward(15);
    refused(t, await poll(host(), device_code), ...UNKNOWN);
  },
);

test.serial('device grant: a denial is reported to the device every time', async (t) => {
  const { device_code, user_code } = await beginDevice(host());
  const browser = new Browser();
  const consent = await toConsent(browser, await enterCode(browser, host(), user_code));
  const denied = await browser.submit(consent, { cancel: 'No' });
  t.is(denied.location?.href, `${host().realm('demo')}/device/status?error=access_denied`);
  for (let i = 0; i < 2; i += 1) {
    refused(t, await poll(host(), device_code), 'access_denied', 'The end user denied the authorization request');
    clock.forward(5);
  }
  t.true((await told()).has('access_denied'));
});

test.serial('device grant: a device code belongs to its client and realm', async (t) => {
  const { device_code, user_code } = await beginDevice(host());
  await approve(host(), user_code);
  refused(t, await poll(host(), device_code, BOX), ...UNKNOWN);
  refused(t, await poll(host(), device_code, {}, 'other'), ...UNKNOWN);
  refused(t, await poll(host(), `${device_code}x`), ...UNKNOWN);
  refused(t, await poll(host(), user_code), ...UNKNOWN);
  t.true((await told('box')).has('invalid_oauth2_device_code'));
  const code = { grant_type: 'authorization_code', code: device_code, redirect_uri: 'http://127.0.0.1:9999/cb' };
  t.is((await post(host(), 'token', { ...TV, ...code })).status, 400);
  t.is((await poll(host(), device_code)).status, 200, 'nobody else used it up, or slowed its owner down');
});

test.serial('device grant: the client must be allowed to, and send its code', async (t) => {
  const { device_code } = await beginDevice(host());
  const web = { client_id: 'web2', client_secret: 'web2-secret' };
  refused(
    t,
    await poll(host(), device_code, web),
    ...(['invalid_grant', 'Client not allowed OAuth 2.0 Device Authorization Grant'] as const),
  );
  t.true((await told('web2')).has('not_allowed'));
  refused(t, await poll(host(), ''), 'invalid_request', 'Missing parameter: device_code');
  t.is((await poll(host(), device_code, { client_id: 'box', client_secret: 'wrong' })).status, 401);
});

test.serial('device grant: a challenge asks for its verifier, and a wrong one uses nothing up', async (t) => {
  const verifier = client.randomPKCECodeVerifier();
  const code_challenge = await client.calculatePKCECodeChallenge(verifier);
  const proving = { client_id: 'proving' };
  const { device_code, user_code } = await beginDevice(host(), {
    ...proving,
    code_challenge,
    code_challenge_method: 'S256',
  });
  refused(t, await poll(host(), device_code, proving), ...PENDING);
  await approve(host(), user_code);
  const attempts: [Record<string, string>, string][] = [
    [{}, 'PKCE code verifier not specified'],
    [{ code_verifier: 'short' }, 'PKCE verification failed: Invalid code verifier'],
    [{ code_verifier: 'x'.repeat(43) }, 'PKCE verification failed: Code mismatch'],
  ];
  for (const [form, description] of attempts) {
    clock.forward(5);
    refused(t, await poll(host(), device_code, { ...proving, ...form }), 'invalid_grant', description);
  }
  clock.forward(5);
  t.is((await poll(host(), device_code, { ...proving, code_verifier: verifier })).status, 200);

  const plain = await beginDevice(host());
  await approve(host(), plain.user_code);
  refused(
    t,
    await poll(host(), plain.device_code, { code_verifier: verifier }),
    ...(['invalid_grant', 'PKCE code verifier specified but challenge not present in authorization'] as const),
  );
});

test.serial('device grant: of many polls at the same time one brings tokens', async (t) => {
  for (const form of [TV, { client_id: 'restless' }]) {
    const { device_code, user_code } = await beginDevice(host(), form);
    await approve(host(), user_code);
    const answers = await Promise.all(Array.from({ length: 12 }, () => poll(host(), device_code, form)));
    t.is(answers.filter(({ status }) => status === 200).length, 1);
    for (const { status, json } of answers) {
      if (status !== 200) t.true(['slow_down', 'invalid_grant'].includes(String(json.error)), String(json.error));
    }
  }
});

test.serial('device grant: a user who was disabled, or whose session has ended, gets no tokens', async (t) => {
  const { sessions } = host().store;
  const tv = host().realms.cached('demo')?.clients.get('tv')?.id ?? '';
  const mishaps: [string, (sessionId: string) => Promise<unknown>, string][] = [
    ['a logout', (id) => sessions.end({ realm: 'demo', id, offline: false }), 'Session not active'],
    [
      'a logout of the client alone',
      (id) => sessions.detach({ realm: 'demo', id, offline: false }, tv),
      'Session not active',
    ],
    ['a disabled user', () => changeAlice({ enabled: false }), 'User disabled'],
    ['a user logged out everywhere', () => logOutEverywhere(), 'Session not active'],
  ];
  for (const [what, happen, description] of mishaps) {
    const { device_code, user_code } = await beginDevice(host());
    const before = new Set((await sessions.list('demo', {})).map(({ id }) => id));
    await approve(host(), user_code);
    const made = (await sessions.list('demo', {})).filter(({ id }) => !before.has(id));
    t.is(made.length, 1, what);
    await happen(made[0]?.id ?? '');
    refused(t, await poll(host(), device_code), 'invalid_grant', description);
    await changeAlice({ enabled: true });
    clock.forward(5);
    refused(t, await poll(host(), device_code), ...UNKNOWN);
  }
  t.true((await told()).has('user_disabled') && (await told()).has('user_session_not_found'));
});

test.serial('device grant: offline_access begins an offline session, for users who may have one', async (t) => {
  const { device_code, user_code } = await beginDevice(host(), { ...TV, scope: 'openid offline_access' });
  await approve(host(), user_code);
  const { json, text } = await poll(host(), device_code);
  t.is((claimsOf(String(json.refresh_token)) as Record<string, unknown>).typ, 'Offline', text);
  const refresh = { grant_type: 'refresh_token', refresh_token: String(json.refresh_token) };
  t.is((await post(host(), 'token', { ...TV, ...refresh })).status, 200);
});

test.serial('device grant: consent that was withdrawn before the device came is not used', async (t) => {
  const careful = { client_id: 'careful' };
  const { device_code, user_code } = await beginDevice(host(), careful);
  await approve(host(), user_code);
  await changeAlice({ clientConsents: [] });
  refused(
    t,
    await poll(host(), device_code, careful),
    ...(['invalid_scope', 'Client no longer has requested consent from user'] as const),
  );
});

test.serial('device grant: the tokens go with the session of the browser', async (t) => {
  const { device_code, user_code } = await beginDevice(host(), BOX);
  await approve(host(), user_code);
  const { json } = await poll(host(), device_code, BOX);
  const token = String(json.access_token);
  t.true((await introspect(host(), token)).json.active);
  await host().store.sessions.end({ realm: 'demo', id: String(json.session_state), offline: false });
  t.false((await introspect(host(), token)).json.active);
});

test.serial('device grant: codes, decisions and the pace of polling outlive the host', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-device-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const own = new TestClock();
  const start = () => startHost(t, { realms: [deviceRealm()], argv: ['--data-dir', dir], clock: own });
  const first = await start();
  const waiting = await beginDevice(first);
  const approved = await beginDevice(first);
  const taken = await beginDevice(first);
  refused(t, await poll(first, waiting.device_code), ...PENDING);
  for (const { user_code } of [approved, taken]) await approve(first, user_code);
  t.is((await poll(first, taken.device_code)).status, 200);
  await first.close();
  const second = await start();
  refused(t, await poll(second, waiting.device_code), 'slow_down', 'Slow down');
  refused(t, await poll(second, taken.device_code), ...UNKNOWN);
  t.is((await poll(second, approved.device_code)).status, 200);
  t.is((await enterCode(new Browser(), second, taken.user_code)).status, 400);
});

async function changeAlice(changes: Partial<UserRepresentation>): Promise<void> {
  const realm = host().realms.cached('demo');
  const alice = realm && (await host().users.byId(realm, ALICE));
  if (realm === undefined || alice === undefined) throw new Error('alice is not there');
  await host().users.update(realm, alice, { ...alice.representation, ...changes });
}

async function logOutEverywhere(): Promise<void> {
  clock.forward(2);
  await changeAlice({ notBefore: Math.floor(clock.now() / 1000) });
}
