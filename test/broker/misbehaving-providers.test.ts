import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import * as jose from 'jose';
import { IdentityProviderTimeout } from '../../core/broker/module.js';
import { replacing } from '../../core/di/module.js';
import { messageOf, type PartnerScene, socialLink, startWithPartner } from '../helpers/external-idp.js';
import { type FakeProvider, type Misbehaviour, startFakeProvider } from '../helpers/fake-provider.js';
import { Browser, codeRequest, type Visit } from '../helpers/form-browser.js';
import { codeOf, heading } from '../helpers/read-page.js';

const SECRET = 'the-client-secret';

/** Enables events that are not stored by default. */
const EVENTS = { enabledEventTypes: ['LOGIN', 'LOGIN_ERROR', 'IDENTITY_PROVIDER_LOGIN_ERROR'] };

interface Scene extends PartnerScene {
  readonly provider: FakeProvider;
  /** Logs a new browser in by the provider. */
  signIn(browser?: Browser): Promise<Visit>;
}

async function scene(
  t: ExecutionContext,
  config: Record<string, string> = {},
  providerTimeoutMs = 120_000,
): Promise<Scene> {
  const provider = await startFakeProvider(t);
  const { url } = provider;
  const started = await startWithPartner(t, {
    demo: EVENTS,
    replace: [replacing(IdentityProviderTimeout, providerTimeoutMs)],
    config: {
      authorizationUrl: `${url}/auth`,
      tokenUrl: `${url}/token`,
      userInfoUrl: `${url}/userinfo`,
      issuer: url,
      jwksUrl: `${url}/jwks`,
      clientSecret: SECRET,
      ...config,
    },
  });
  return {
    ...started,
    provider,
    async signIn(browser = new Browser()) {
      const { location } = await leave(started, browser);
      return browser.open(provider.back(location));
    },
  };
}

/** Opens the address of the provider's login page. */
async function leave({ host }: PartnerScene, browser: Browser, changes: Record<string, string> = {}) {
  const { location, status } = await browser.open(socialLink(await browser.open(codeRequest(host, changes).url)));
  if (status !== 303 || location === undefined) throw new Error(`not sent to the provider: ${status}`);
  return { location };
}

/** Asserts that no user is signed in, that the event has the reason, and that no log or page contains a secret. */
async function refusedLogin(t: ExecutionContext, scene: Scene, page: Visit, message: string, reason: RegExp) {
  t.is(page.status, 502, page.text);
  t.is(messageOf(page), message);
  const [event] = await scene.host.stored('demo');
  t.like(event, { type: 'IDENTITY_PROVIDER_LOGIN_ERROR', details: { identity_provider: 'partner' } });
  t.regex(event?.details.reason ?? '', reason);
  t.is(await scene.user('fay'), undefined);
  const told = `${JSON.stringify(scene.host.log)}${JSON.stringify(event)}${page.text}`;
  for (const secret of [SECRET, 'the-secret-code', 'the-secret-access-token', 'eyJ'])
    t.false(told.includes(secret), secret);
  t.false(scene.host.log.some(({ level }) => level === 'error'));
}

const UNEXPECTED = 'The identity provider could not sign you in. Please try again.';
const BAD_SIGNATURE = 'Invalid signature in the response from the identity provider. Contact your administrator.';
const soon = Math.floor(Date.now() / 1000);

const WRONG: readonly (readonly [string, Misbehaviour, RegExp, string?])[] = [
  ['of another request', { claims: { nonce: 'other' } }, /nonce/],
  ['without the nonce', { claims: { nonce: undefined } }, /nonce/],
  ['of another issuer', { claims: { iss: 'https://evil.example.test' } }, /"iss"/],
  ['for another client', { claims: { aud: 'other' } }, /"aud"/],
  ['for several that does not say who asked', { claims: { aud: ['keyhost', 'other'] } }, /no "azp"/],
  ['that another client asked for', { claims: { aud: ['keyhost', 'other'], azp: 'other' } }, /another client/],
  ['that has expired', { claims: { exp: soon - 60, iat: soon - 120 } }, /"exp"/],
  ['that never expires', { claims: { exp: undefined } }, /"exp"/],
  ['about nobody', { claims: { sub: undefined } }, /no "sub"/],
  ['about a name that cannot be', { claims: { sub: 'a\nb' }, userinfo: { sub: 'a\nb' } }, /not a valid account ID/],
  [
    'without a signature',
    { idToken: new jose.UnsecuredJWT({ sub: 'u1' }).encode() },
    /token of the provider is invalid/,
  ],
  ['that is none', { idToken: 'nonsense' }, /token of the provider is invalid/],
];

test('misbehaving provider: an ID token for another login signs nobody in', async (t) => {
  const stage = await scene(t);
  for (const [what, behaves, reason] of WRONG) {
    stage.provider.behaves = behaves;
    await t.notThrowsAsync(async () => refusedLogin(t, stage, await stage.signIn(), UNEXPECTED, reason), what);
  }
});

test('misbehaving provider: an ID token with another signer signs nobody in', async (t) => {
  const stage = await scene(t);
  const { privateKey } = await jose.generateKeyPair('ES256');
  stage.provider.behaves = { key: privateKey };
  await refusedLogin(t, stage, await stage.signIn(), BAD_SIGNATURE, /signature/);
  // With the client's secret, which is no secret of the provider alone.
  stage.provider.behaves = { header: { alg: 'HS256' }, key: Buffer.from(SECRET.padEnd(32, '.')) };
  await refusedLogin(t, stage, await stage.signIn(), UNEXPECTED, /token of the provider is invalid/);
});

test('misbehaving provider: a wrong token response ends on a page', async (t) => {
  const stage = await scene(t);
  const answers: [Misbehaviour, RegExp][] = [
    [{ status: 400, body: `{"error":"invalid_grant","error_description":"${SECRET}"}` }, /answered 400 invalid_grant$/],
    [{ status: 500, body: `<h1>the-secret-code</h1>` }, /answered 500$/],
    [{ body: 'the-secret-access-token' }, /is not a JSON object/],
    [{ body: '[]' }, /is not a JSON object/],
    [{ body: '{"access_token":"the-secret-access-token"}' }, /no ID token/],
    [{ body: JSON.stringify('x'.repeat(300_000)) }, /longer than/],
    [{ userinfo: { sub: 'somebody else' } }, /another user/],
    [{ userinfo: 'nonsense' }, /userinfo endpoint is not a JSON object/],
  ];
  for (const [behaves, reason] of answers) {
    stage.provider.behaves = behaves;
    await refusedLogin(t, stage, await stage.signIn(), UNEXPECTED, reason);
  }
  stage.provider.behaves = {};
  t.truthy(codeOf(await stage.signIn()), 'and then it is all right again');
});

test('misbehaving provider: an unreachable provider ends on a page', async (t) => {
  const stage = await scene(t, { tokenUrl: 'http://127.0.0.1:1/token' });
  await refusedLogin(t, stage, await stage.signIn(), UNEXPECTED, /request to the .* failed: .*ECONNREFUSED/);
});

test('misbehaving provider: a provider that never answers ends on a page', async (t) => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', () => resolve()));
  t.teardown(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const tokenUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/token`;
  const stage = await scene(t, { tokenUrl }, 50);
  await refusedLogin(t, stage, await stage.signIn(), UNEXPECTED, /no answer within 50 ms/);
});

test('misbehaving provider: an answer of another issuer, or an invalid one, is refused before any request', async (t) => {
  const stage = await scene(t);
  const message = 'Invalid response from the identity provider. Please try again.';
  for (const [answer, reason] of [
    [{ iss: 'https://evil.example.test' }, /another issuer/],
    [{ code: undefined }, /no code/],
  ] as const) {
    stage.provider.behaves = { answer };
    await refusedLogin(t, stage, await stage.signIn(), message, reason);
  }
  stage.provider.behaves = { answer: { code: undefined, error: 'server_error', error_description: SECRET } };
  await refusedLogin(t, stage, await stage.signIn(), UNEXPECTED, /answered server_error/);
  t.is(stage.provider.asked.length, 0);
  stage.provider.behaves = { answer: { iss: stage.provider.url } };
  t.truthy(codeOf(await stage.signIn()));
});

test('misbehaving provider: a user who cancels the login there returns to the login page', async (t) => {
  const stage = await scene(t);
  stage.provider.behaves = { answer: { code: undefined, error: 'access_denied' } };
  const browser = new Browser();
  const page = await stage.signIn(browser);
  t.is(page.status, 200);
  t.is(heading(page), 'Sign in to your account');
  t.is(messageOf(page), 'Access was denied at Partner & Co. Try again, or sign in another way.');
  t.true((await stage.events()).includes('IDENTITY_PROVIDER_LOGIN_ERROR access_denied'));
  t.truthy(codeOf(await browser.submit(page, { username: 'alice', password: 'Alice-pass-1!' })));
});

test('misbehaving provider: an answer is valid once, in the browser and for the provider that it was sent to', async (t) => {
  const stage = await scene(t);
  const { config } = (await stage.admin.identityProviders.findOne({ alias: 'partner' })) ?? {};
  await stage.admin.identityProviders.create({
    alias: 'second',
    providerId: 'oidc',
    config: { ...config, clientSecret: 's' },
  });
  const browser = new Browser();
  const { location } = await leave(stage, browser);
  const back = stage.provider.back(location);
  const { searchParams } = location;
  t.like(Object.fromEntries(searchParams), {
    client_id: 'keyhost',
    scope: 'openid profile email',
    code_challenge_method: 'S256',
  });
  t.is(searchParams.get('redirect_uri'), `${stage.host.realm('demo')}/broker/partner/endpoint`);

  const stranger = await new Browser().open(back);
  t.is(stranger.status, 400, 'login CSRF: another browser has not asked');
  const forged = new URL(back);
  forged.searchParams.set(
    'state',
    `${'A'.repeat(43)}.${(searchParams.get('state') ?? '').split('.').slice(1).join('.')}`,
  );
  for (const wrong of [
    forged.href,
    back.replace('/broker/partner/', '/broker/second/'),
    back.replace(/state=[^&]*/, ''),
  ]) {
    t.is((await browser.open(wrong)).status, 400, wrong);
  }
  t.is(stage.provider.asked.length, 0, 'no code was shown to anybody');
  const [first, second] = await Promise.all([browser.open(back), browser.open(back)]);
  t.deepEqual([first, second].map((visit) => codeOf(visit) !== undefined).sort(), [false, true]);
  t.is(stage.provider.asked.length, 1);
  t.is((await browser.open(back)).status, 400);
});

test('misbehaving provider: a rotated key of the provider is fetched', async (t) => {
  const stage = await scene(t);
  t.truthy(codeOf(await stage.signIn()));
  await stage.provider.rotate();
  t.truthy(codeOf(await stage.signIn()));
});

test('misbehaving provider: the realm authenticates to the provider as configured', async (t) => {
  const credentials = async (clientAuthMethod: string) => {
    const stage = await scene(t, { clientAuthMethod, clientSecret: 's:+ cret' });
    t.truthy(codeOf(await stage.signIn()));
    const { form, authorization } = stage.provider.asked[0] ?? {
      form: new URLSearchParams(),
      authorization: undefined,
    };
    return { stage, form, basic: Buffer.from(authorization?.slice('Basic '.length) ?? '', 'base64').toString() };
  };
  t.is((await credentials('client_secret_basic')).basic, 'keyhost:s%3A%2B+cret');
  t.is((await credentials('client_secret_basic_unencoded')).basic, 'keyhost:s:+ cret');
  t.is((await credentials('client_secret_post')).form.get('client_secret'), 's:+ cret');
  const { stage, form } = await credentials('private_key_jwt');
  t.is(form.get('client_secret'), null);
  const keys = jose.createRemoteJWKSet(new URL(`${stage.host.oidc('demo')}/certs`));
  const { payload } = await jose.jwtVerify(form.get('client_assertion') ?? '', keys, {
    issuer: 'keyhost',
    subject: 'keyhost',
    audience: `${stage.provider.url}/token`,
  });
  t.truthy(payload.jti);
});

test('misbehaving provider: a login reports that the key of the client assertion is unavailable', async (t) => {
  const provider = await startFakeProvider(t);
  const stage = await startWithPartner(t, {
    demo: {
      ...EVENTS,
      defaultSignatureAlgorithm: 'ES256',
      components: { 'org.keycloak.keys.KeyProvider': [{ name: 'away', providerId: 'away' }] },
    },
    plugins: [{ module: 'away' }],
    packages: {
      away: `import { KeyProvider, provide } from '@keyhost/spi';
        const away = async () => { throw new Error('away'); };
        export default { name: 'away', api: 1, providers: [
          provide(KeyProvider, { id: 'away', open: () => ({ create: () => ({ keys: away, sign: away }) }) })] };`,
    },
    config: {
      clientAuthMethod: 'private_key_jwt',
      authorizationUrl: `${provider.url}/auth`,
      tokenUrl: `${provider.url}/token`,
      issuer: provider.url,
    },
  });
  const browser = new Browser();
  const { location } = await leave(stage, browser);
  t.is((await browser.open(provider.back(location))).status, 502);
  t.like((await stage.host.stored('demo'))[0], {
    error: 'identity_provider_login_failure',
    details: { reason: 'the client assertion cannot be signed' },
  });
});

test('misbehaving provider: one on a private network is not called unless the operator allows it', async (t) => {
  const provider = await startFakeProvider(t);
  const stage = await startWithPartner(t, {
    demo: EVENTS,
    argv: ['--outbound-private-networks', '10.0.0.0/8'],
    config: { authorizationUrl: `${provider.url}/auth`, tokenUrl: `${provider.url}/token`, issuer: provider.url },
  });
  const browser = new Browser();
  const { location } = await leave(stage, browser);
  const page = await browser.open(provider.back(location));
  t.is(page.status, 502);
  t.is(provider.asked.length, 0);
  t.regex((await stage.host.stored('demo'))[0]?.details.reason ?? '', /is not a public address/);
});

test('misbehaving provider: an ID token that has just expired is valid within allowedClockSkew', async (t) => {
  for (const [allowedClockSkew, isIn] of [
    ['0', false],
    ['3600', true],
  ] as const) {
    const { signIn, provider } = await scene(t, { allowedClockSkew });
    provider.behaves = { claims: { exp: Math.floor(Date.now() / 1000) - 60 } };
    t.is(codeOf(await signIn()) !== undefined, isIn, allowedClockSkew);
  }
});
