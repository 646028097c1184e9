import test from 'ava';
import { IdentityProviderTimeout } from '../../core/broker/module.js';
import { replacing } from '../../core/di/module.js';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { adminCaller, administered } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { freshCode, redeem } from '../helpers/codes.js';
import { approve, beginDevice, deviceRealm, poll } from '../helpers/device.js';
import { socialLink, startWithPartner } from '../helpers/external-idp.js';
import { startFakeProvider } from '../helpers/fake-provider.js';
import { Browser, codeRequest, signIn, type Visit } from '../helpers/form-browser.js';
import { type Answer, claimsOf, inRealm, TestClock, type TestHost } from '../helpers/host.js';
import { ALICE_LOGIN, introspect, logIn, userinfo, WEB } from '../helpers/login.js';
import { ALICE, idIn } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';
import { codeOfApp, STEPPING, withApp } from '../helpers/stepping-realm.js';

const RIGHT = 'Alice-pass-1!';
const LOCKS: Partial<RealmRepresentation> = {
  bruteForceProtected: true,
  failureFactor: 3,
  waitIncrementSeconds: 60,
  maxFailureWaitSeconds: 900,
  maxDeltaTimeSeconds: 3600,
  // The clock does not advance between guesses.
  quickLoginCheckMilliSeconds: 0,
};
const GUEST = 'urn:test:guest';
const guest = `import { GrantType, provide } from '@keyhost/spi';
export default { name: 'guest', api: 1, providers: [
  provide(GrantType, { id: '${GUEST}', eventType: 'LOGIN', open: () => ({ create: () => ({
    authorize: async ({ form }) => ({
      userId: form.user, login: 'session', ...(form.for === undefined ? {} : { audience: [form.for] }),
    }),
  }) }) }),
] };`;

const clock = new TestClock();
const shared = shareHost(
  test,
  administered({ realms: [], clock, plugins: [{ module: 'guest' }], packages: { guest } }),
);
const providers = { 'oauth2-grant-type': { [GUEST]: { enabled: true } } };
const own = (changes: Partial<RealmRepresentation>, realm = codeRealm) =>
  inRealm(shared(), (name) => realm(name, { providers, ...changes }));

const guess = (host: TestHost, password: string) => host.token(host.defaultRealm, { ...WEB, ...ALICE_LOGIN, password });
const byForm = (host: TestHost, password: string) =>
  signIn(new Browser(), codeRequest(host).url, { username: 'alice', password });
const words = ({ text }: Visit) => /Invalid username or password\.|Account is disabled[^<]*/.exec(text)?.[0];
const refusal = ({ status, json }: Answer) => [status, json.error as unknown];
async function lock(host: TestHost, guesses = 3): Promise<void> {
  for (let i = 0; i < guesses; i += 1) await guess(host, `wrong-${i}`);
}
/** The number of events with this error: with the clock stopped, events have no order. */
const errors = async (host: TestHost, wanted: string) =>
  (await host.stored(host.defaultRealm)).filter(({ error }) => error === wanted).length;

test.serial(
  'T843 · locked users: a code and a device code give no tokens for a user who was locked after the login',
  async (t) => {
    for (const [changes, eventError] of [
      [LOCKS, 'user_temporarily_disabled'],
      [{ ...LOCKS, permanentLockout: true }, 'user_disabled'],
    ] as const) {
      const host = await own(changes, deviceRealm);
      const device = await beginDevice(host, { client_id: 'tv' });
      const late = await beginDevice(host, { client_id: 'restless' });
      await approve(host, device.user_code);
      await approve(host, late.user_code);
      const { url, verifier } = codeRequest(host, { redirect_uri: 'http://127.0.0.1:9999/cb' });
      const back = await signIn(new Browser(), url);
      const code = back.location?.searchParams.get('code') ?? '';
      t.not(code, '');
      await lock(host);
      const before = await errors(host, eventError);
      t.deepEqual(refusal(await poll(host, device.device_code)), [400, 'invalid_grant']);
      t.is(await errors(host, eventError), before + 1);
      t.deepEqual(refusal(await redeem(host, { code, verifier, session: '' })), [400, 'invalid_grant']);
      t.is(await errors(host, eventError), before + 2);
      // The lock is over: the refused code remains used up, but a device that did not poll gets its tokens.
      clock.forward(61);
      t.deepEqual(refusal(await poll(host, device.device_code)), [400, 'invalid_grant']);
      const answer = await poll(host, late.device_code, { client_id: 'restless' });
      t.is(answer.status, eventError === 'user_disabled' ? 400 : 200, answer.text);
    }
  },
);

test.serial('T844 · locked users: a plugin’s grant signs in no locked user, and a lock ends no login', async (t) => {
  const host = await own(LOCKS);
  const before = await logIn(host);
  const byPlugin = () => host.token(host.defaultRealm, { ...WEB, grant_type: GUEST, user: idIn(host.defaultRealm) });
  t.is((await byPlugin()).status, 200);
  await lock(host);
  t.deepEqual(refusal(await byPlugin()), [400, 'invalid_grant']);
  // A stranger's guesses must end no session.
  const { refresh_token } = before;
  const refreshed = await host.token(host.defaultRealm, { ...WEB, grant_type: 'refresh_token', refresh_token });
  t.is(refreshed.status, 200, refreshed.text);
  clock.forward(61);
  t.is((await byPlugin()).status, 200);
});

test.serial(
  'T845 · locked users: a user locked for good gets one answer to right and wrong passwords, at every door',
  async (t) => {
    const host = await own({ ...LOCKS, permanentLockout: true });
    await lock(host);
    const wrong = await guess(host, 'wrong');
    const right = await guess(host, RIGHT);
    t.deepEqual(refusal(right), [400, 'invalid_grant']);
    t.is(right.text, wrong.text);
    t.is(right.json.error_description, 'Invalid user credentials');
    const wrongPage = await byForm(host, 'wrong');
    const rightPage = await byForm(host, RIGHT);
    t.deepEqual([rightPage.status, words(rightPage)], [wrongPage.status, words(wrongPage)]);
    t.is(words(rightPage), 'Invalid username or password.');
    t.is(await errors(host, 'user_disabled'), 4);
  },
);

test.serial('T846 · locked users: wrong passwords of a disabled user are counted', async (t) => {
  const host = await own(LOCKS);
  const call = await adminCaller(host);
  const path = `/realms/${host.defaultRealm}/users/${idIn(host.defaultRealm)}`;
  t.is((await call('PUT', path, { enabled: false })).status, 204);
  await lock(host);
  const right = await guess(host, RIGHT);
  t.is(right.json.error_description, 'Invalid user credentials', 'not whether it is right');
  t.is(await errors(host, 'user_temporarily_disabled'), 1);
  clock.forward(61);
  t.is((await guess(host, RIGHT)).json.error_description, 'Account disabled');
});

test.serial(
  'T847 · locked users: a disabled client gets no token, and its roles are in none, by any mapper',
  async (t) => {
    const everywhere = { 'access.token.claim': 'true', 'id.token.claim': 'true', 'userinfo.token.claim': 'true' };
    const mapper = (name: string, protocolMapper: string, config: Record<string, string>) => ({
      name,
      protocol: 'openid-connect',
      protocolMapper,
      config: { ...everywhere, ...config },
    });
    const host = await inRealm(shared(), (name) => {
      const realm = codeRealm(name, { providers });
      return {
        ...realm,
        roles: { ...realm.roles, client: { ...realm.roles?.client, shop: [{ name: 'buyer' }] } },
        clients: [
          ...(realm.clients ?? []).map((client) =>
            client.clientId === 'web'
              ? {
                  ...client,
                  protocolMappers: [
                    mapper('a', 'oidc-audience-mapper', { 'included.client.audience': 'shop' }),
                    mapper('b', 'oidc-audience-mapper', { 'included.custom.audience': 'shop' }),
                    mapper('c', 'oidc-hardcoded-claim-mapper', {
                      'claim.name': 'resource_access',
                      'jsonType.label': 'JSON',
                      'claim.value': '{"shop":{"roles":["buyer"]},"web":{"roles":["editor"]}}',
                    }),
                    mapper('d', 'oidc-usermodel-client-role-mapper', { 'claim.name': 'all', multivalued: 'true' }),
                  ],
                }
              : client,
          ),
          { clientId: 'shop', secret: 'shop' },
        ],
        users: (realm.users ?? []).map((user) =>
          user.username === 'alice' ? { ...user, clientRoles: { ...user.clientRoles, shop: ['buyer'] } } : user,
        ),
      };
    });
    const call = await adminCaller(host);
    const shop = (await host.realms.get(host.defaultRealm))?.clients.get('shop')?.id;
    const enable = async (enabled: boolean) =>
      t.is(
        (await call('PUT', `/realms/${host.defaultRealm}/clients/${shop}`, { clientId: 'shop', enabled })).status,
        204,
      );
    const login = await logIn(host);
    t.true(login.access_token !== '' && JSON.stringify(claimsOf(login.access_token)).includes('buyer'));
    t.true([claimsOf(login.access_token).aud].flat().includes('shop'));
    await enable(false);
    const { refresh_token } = login;
    const { json } = await host.token(host.defaultRealm, { ...WEB, grant_type: 'refresh_token', refresh_token });
    const byPlugin = { ...WEB, grant_type: GUEST, user: idIn(host.defaultRealm), for: 'shop', scope: 'openid' };
    const answers = [json, (await host.token(host.defaultRealm, byPlugin)).json];
    for (const { access_token, id_token } of answers) {
      for (const token of [access_token, id_token]) {
        const told = JSON.stringify(claimsOf(String(token)));
        t.false(told.includes('shop') || told.includes('buyer'), told);
      }
      const told =
        (await userinfo(host, String(access_token))).text + (await introspect(host, String(access_token))).text;
      t.false(told.includes('shop') || told.includes('buyer'), told);
    }
    await enable(true);
    t.true(JSON.stringify(claimsOf((await logIn(host)).access_token)).includes('buyer'));
  },
);

test.serial(
  'T848 · locked users: an address is verified by the document of an identity provider that has it',
  async (t) => {
    const provider = await startFakeProvider(t);
    const { url } = provider;
    const { host, user } = await startWithPartner(t, {
      replace: [replacing(IdentityProviderTimeout, 120_000)],
      provider: { trustEmail: true },
      config: {
        authorizationUrl: `${url}/auth`,
        tokenUrl: `${url}/token`,
        userInfoUrl: `${url}/userinfo`,
        issuer: url,
        jwksUrl: `${url}/jwks`,
        clientSecret: 's',
      },
    });
    const address = (sub: string) => `${sub}@fake.test`;
    /** The claims of the ID token and of userinfo, and whether the email is verified afterwards. */
    const cases: [string, object, object, boolean][] = [
      ['of-token', { email: address('of-token'), email_verified: true }, {}, true],
      ['not', { email: address('not'), email_verified: false }, {}, false],
      ['trusted', { email: address('trusted') }, {}, true],
      ['flag-of-token', { email: undefined, email_verified: true }, { email: address('flag-of-token') }, false],
      [
        'denied',
        { email: undefined, email_verified: true },
        { email: address('denied'), email_verified: false },
        false,
      ],
      ['flag-of-info', { email: address('flag-of-info') }, { email: address('another'), email_verified: true }, false],
      ['same', { email: address('same') }, { email: address('SAME'), email_verified: 'true' }, true],
      [
        'denied-by-info',
        { email: address('denied-by-info') },
        { email: address('denied-by-info'), email_verified: false },
        false,
      ],
      [
        'of-info',
        { email: undefined, email_verified: undefined },
        { email: address('of-info'), email_verified: true },
        true,
      ],
    ];
    for (const [sub, claims, info, verified] of cases) {
      provider.behaves = { claims: { sub, preferred_username: sub, ...claims }, userinfo: { sub, ...info } };
      const browser = new Browser();
      const { location } = await browser.open(socialLink(await browser.open(codeRequest(host).url)));
      const back = await browser.open(provider.back(location as URL));
      t.is(back.location?.searchParams.has('code'), true, back.text);
      t.deepEqual(
        [(await user(sub))?.view.email, (await user(sub))?.view.emailVerified],
        [address(sub), verified],
        sub,
      );
    }
  },
);

test.serial(
  'T849 · locked users: an essential acr is one of the values that were asked for, or there is no login',
  async (t) => {
    const host = await inRealm(shared(), (name) => {
      const realm = codeRealm(name, { ...STEPPING, providers: {} });
      return { ...realm, users: withApp(realm.users) };
    });
    const asking = (acr: object) => ({ claims: JSON.stringify({ id_token: { acr } }) });
    const browser = new Browser();
    const first = codeRequest(host, { acr_values: 'gold' });
    const otp = await signIn(browser, first.url);
    const back = await browser.submit(otp, { otp: codeOfApp(clock.now()) });
    const tokens = async (code: string, verifier: string) => {
      const { json } = await redeem(host, { code, verifier, session: '' });
      return json as { id_token?: string; refresh_token?: string };
    };
    const { id_token } = await tokens(back.location?.searchParams.get('code') ?? '', first.verifier);
    t.is(claimsOf(id_token ?? '').acr, 'gold');
    // The session has the level gold.
    for (const [acr, expected] of [
      [{ essential: true, values: ['silver'] }, 'silver'],
      [{ essential: true, value: 'silver' }, 'silver'],
      [{ essential: true, values: ['1'] }, '1'],
      [{ essential: true, values: ['silver', 'gold'] }, 'gold'],
      [{ essential: true }, 'gold'],
      [{ essential: true, values: ['silver', 'platinum'] }, 'silver'],
      [{ essential: true, values: ['platinum'] }, undefined],
      [{ essential: true, values: ['9'] }, undefined],
    ] as const) {
      const fresh = await freshCode(host, asking(acr), browser);
      const given = await tokens(fresh.code, fresh.verifier);
      const what = JSON.stringify(acr);
      t.is(given.id_token && (claimsOf(given.id_token).acr as unknown), expected, what);
      if (given.refresh_token === undefined) continue;
      const { refresh_token } = given;
      const next = await host.token(host.defaultRealm, { ...WEB, grant_type: 'refresh_token', refresh_token });
      t.is(claimsOf(String(next.json.id_token)).acr as unknown, expected, what);
    }
    t.is(idIn('demo'), ALICE);
  },
);
