import test from 'ava';
import * as openid from 'openid-client';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, CALLBACK, signIn, type Visit } from '../helpers/form-browser.js';
import { fetchAnswer, inRealm, TestClock, type TestHost } from '../helpers/host.js';
import { heading } from '../helpers/read-page.js';
import { shareHost } from '../helpers/shared-host.js';
import { codeOfApp, flow, inner, STEPPING, step, withApp } from '../helpers/stepping-realm.js';

const ALICE = { username: 'alice', password: 'Alice-pass-1!' };

function realm(name: string, changes: Partial<RealmRepresentation> = {}): RealmRepresentation {
  const base = codeRealm(name, { providers: {}, ...changes });
  const clients = [
    ...(base.clients ?? []),
    {
      clientId: 'bank',
      publicClient: true,
      redirectUris: [CALLBACK],
      attributes: { 'minimum.acr.value': 'gold', 'oauth2.device.authorization.grant.enabled': 'true' },
    },
    { clientId: 'shop', publicClient: true, redirectUris: [CALLBACK], attributes: { 'default.acr.values': 'gold' } },
    {
      clientId: 'own',
      publicClient: true,
      redirectUris: [CALLBACK],
      attributes: { 'acr.loa.map': '{"password":1,"strong":2}' },
    },
  ];
  return { ...base, users: withApp(base.users), clients };
}

interface Claims {
  readonly acr?: unknown;
  readonly sid?: unknown;
  readonly auth_time?: number;
  readonly refreshToken: string;
}

/** An application that uses openid-client, for one client of the host. */
async function application(host: TestHost, clientId = 'one') {
  const config = await openid.discovery(new URL(host.realm(host.defaultRealm)), clientId, undefined, openid.None(), {
    execute: [openid.allowInsecureRequests],
  });
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const challenge = await openid.calculatePKCECodeChallenge(pkceCodeVerifier);
  return {
    config,
    url: (parameters: Record<string, string> = {}) =>
      openid.buildAuthorizationUrl(config, {
        redirect_uri: CALLBACK,
        scope: 'openid',
        code_challenge: challenge,
        code_challenge_method: 'S256',
        ...parameters,
      }).href,
    /** The claims of the ID token for the response. */
    async claims({ location, text }: Visit): Promise<Claims> {
      if (location === undefined) throw new Error(`there is no redirect: ${text}`);
      const tokens = await openid.authorizationCodeGrant(config, location, { pkceCodeVerifier, idTokenExpected: true });
      return { ...tokens.claims(), refreshToken: tokens.refresh_token ?? '' };
    },
  };
}

const error = ({ location }: Visit) => location?.searchParams.get('error');
const PASSWORD = 'Sign in to your account';
const CODE = 'Enter your one-time code';
const essential = (...values: string[]) => ({
  claims: JSON.stringify({ id_token: { acr: { essential: true, values } } }),
});

/** The tests move it, one after another. */
const clock = new TestClock();
const shared = shareHost(test, { realms: [], clock });

async function scene(changes: Partial<RealmRepresentation> = STEPPING) {
  const host = await inRealm(shared(), (name) => realm(name, changes));
  let steps = 0;
  /** A code that was not used yet. */
  const otp = () => {
    clock.forward(steps++ === 0 ? 0 : 30);
    return { otp: codeOfApp(clock.now()) };
  };
  return { host, otp };
}

test.serial(
  'step-up: a session adds only the missing levels, keeps them as long as the flow says, and tokens have the level',
  async (t) => {
    const { host, otp } = await scene();
    const app = await application(host);
    const discovered = app.config.serverMetadata().acr_values_supported;
    t.deepEqual(discovered, ['silver', 'gold']);
    const browser = new Browser();
    const plain = await signIn(browser, app.url(), ALICE);
    const first = await app.claims(plain);
    t.is(first.acr, 'silver');
    t.is((await app.claims(await browser.open(app.url({ acr_values: 'silver' })))).acr, 'silver');
    clock.forward(60);
    const asked = await browser.open(app.url({ acr_values: 'gold' }));
    t.is(heading(asked), CODE);
    const wrong = await browser.submit(asked, { otp: '000000' });
    t.deepEqual([heading(wrong), wrong.status], [CODE, 200]);
    const gold = await app.claims(await browser.submit(wrong, otp()));
    t.is(gold.acr, 'gold');
    t.is(gold.sid, first.sid);
    t.true(Number(gold.auth_time) > Number(first.auth_time));
    t.is((await openid.refreshTokenGrant(app.config, gold.refreshToken)).claims()?.acr, 'gold');
    t.is((await app.claims(await browser.open(app.url({ acr_values: '2' })))).acr, 'gold');
    t.is((await app.claims(await browser.open(app.url({ prompt: 'none', acr_values: 'gold' })))).acr, 'gold');
    clock.forward(301);
    t.is(error(await browser.open(app.url({ prompt: 'none', acr_values: 'gold' }))), 'login_required');
    t.is((await app.claims(await browser.open(app.url({ prompt: 'none' })))).acr, 'silver');
    t.is(heading(await browser.open(app.url({ acr_values: 'gold' }))), CODE);
  },
);

test.serial('step-up: a new login shows all steps up to the level, and may request any level', async (t) => {
  const { host, otp } = await scene();
  const app = await application(host);
  for (const parameters of [{ acr_values: 'gold' }, essential('gold'), { acr_values: 'unknown gold' }]) {
    const browser = new Browser();
    const page = await signIn(browser, app.url(parameters), ALICE);
    t.is(heading(page), CODE, JSON.stringify(parameters));
    t.is((await app.claims(await browser.submit(page, otp()))).acr, 'gold');
  }
  for (const parameters of [{ acr_values: 'gold silver' }, { acr_values: 'unknown' }, essential('silver', 'gold')]) {
    const claims = await app.claims(await signIn(new Browser(), app.url(parameters), ALICE));
    t.is(claims.acr, 'silver', JSON.stringify(parameters));
  }
});

test.serial(
  'step-up: an unreachable essential level is an error at once; a voluntary one is met as far as the flow goes',
  async (t) => {
    const { host, otp } = await scene();
    const app = await application(host);
    for (const parameters of [essential('3'), essential('platinum'), essential()]) {
      const answer = await new Browser().open(app.url(parameters));
      t.is(error(answer), 'unmet_authentication_requirements', JSON.stringify(parameters));
    }
    const browser = new Browser();
    const page = await signIn(browser, app.url({ acr_values: '3' }), ALICE);
    t.is(heading(page), CODE);
    t.is((await app.claims(await browser.submit(page, otp()))).acr, 'gold');
    t.is((await app.claims(await browser.open(app.url({ acr_values: '3' })))).acr, 'gold');
  },
);

test.serial(
  'step-up: a client may have a level by default, one that is never gone below, and names of its own',
  async (t) => {
    const { host, otp } = await scene();
    const shop = await application(host, 'shop');
    t.is((await app0(shop, { acr_values: 'silver' })).acr, 'silver');
    const bank = await application(host, 'bank');
    for (const [app, parameters, acr] of [
      [shop, {}, 'gold'],
      [bank, {}, 'gold'],
      [bank, { acr_values: 'silver' }, 'gold'],
      // An essential acr is one of the requested values, even if the login has reached more.
      [bank, essential('silver'), 'silver'],
    ] as const) {
      const browser = new Browser();
      const page = await signIn(browser, app.url(parameters), ALICE);
      t.is(heading(page), CODE, JSON.stringify(parameters));
      t.is((await app.claims(await browser.submit(page, otp()))).acr, acr);
    }
    const own = await application(host, 'own');
    t.is((await app0(own, {})).acr, 'password');
    t.is(heading(await signIn(new Browser(), own.url({ acr_values: 'strong' }), ALICE)), CODE);
  },
);

async function app0(app: Awaited<ReturnType<typeof application>>, parameters: Record<string, string>) {
  return app.claims(await signIn(new Browser(), app.url(parameters), ALICE));
}

test.serial(
  'step-up: a device of a client that needs a level is approved by a login of that level alone',
  async (t) => {
    const { host, otp } = await scene();
    const form = new URLSearchParams({ client_id: 'bank', scope: 'openid' });
    const { json } = await fetchAnswer(`${host.oidc(host.defaultRealm)}/auth/device`, { method: 'POST', body: form });
    const browser = new Browser();
    const page = await signIn(browser, String(json.verification_uri_complete), ALICE);
    t.is(heading(page), CODE);
    t.regex((await browser.submit(page, otp())).text, /Check that it shows this code/);
  },
);

test.serial('step-up: nobody registers if a level beyond registration is requested', async (t) => {
  const { host } = await scene({ ...STEPPING, registrationAllowed: true });
  const bank = await application(host, 'bank');
  t.is(error(await new Browser().open(bank.url({ prompt: 'create' }))), 'invalid_request');
  const page = await new Browser().open(bank.url());
  t.false(page.text.includes('kc-registration'));
  const own = await application(host, 'own');
  t.true((await new Browser().open(own.url({ acr_values: 'strong' }))).text.includes('kc-registration'));
});

test.serial('step-up: a step-up belongs to its session: without it, or in another user’s, it fails', async (t) => {
  const { host, otp } = await scene();
  const app = await application(host);
  const browser = new Browser();
  await signIn(browser, app.url(), ALICE);
  const page = await browser.open(app.url({ acr_values: 'gold' }));
  browser.cookies.delete('KEYCLOAK_IDENTITY');
  const alone = await browser.submit(page, otp());
  t.deepEqual([alone.status, alone.location], [400, undefined]);
  t.is(browser.cookies.get('KEYCLOAK_IDENTITY'), undefined);
  const again = new Browser();
  await signIn(again, app.url(), ALICE);
  const session = again.cookies.get('KEYCLOAK_IDENTITY') ?? '';
  const asked = await again.open(app.url({ acr_values: 'gold' }));
  const other = new Browser();
  await signIn(other, app.url(), ALICE);
  again.cookies.set('KEYCLOAK_IDENTITY', other.cookies.get('KEYCLOAK_IDENTITY') ?? '');
  t.is((await again.submit(asked, otp())).status, 400);
  again.cookies.set('KEYCLOAK_IDENTITY', session);
  t.is(heading(await again.open(app.url({ acr_values: 'gold' }))), CODE);
});

test.serial(
  'step-up: a re-authentication shows all steps again, and a session whose first level has expired begins again',
  async (t) => {
    const { host, otp } = await scene({
      ...STEPPING,
      ssoSessionIdleTimeout: 99_999,
      ssoSessionMaxLifespan: 99_999,
    });
    const app = await application(host);
    const browser = new Browser();
    const page = await signIn(browser, app.url({ acr_values: 'gold' }), ALICE);
    await browser.submit(page, otp());
    const forced = await browser.open(app.url({ prompt: 'login', acr_values: 'gold' }));
    t.is(heading(forced), PASSWORD);
    const second = await browser.submit(forced, ALICE);
    t.is(heading(second), CODE);
    t.is((await app.claims(await browser.submit(second, otp()))).acr, 'gold');
    clock.forward(36_001);
    t.is((await app.claims(await browser.open(app.url()))).acr, '0');
    const anew = await browser.open(app.url({ acr_values: 'silver' }));
    t.is(heading(anew), PASSWORD);
    t.regex(anew.text, /name="username"[^>]*readonly/);
    t.is((await app.claims(await browser.submit(anew, ALICE))).acr, 'silver');
  },
);

test.serial(
  'step-up: where the flow knows no levels a login is level 1 and single sign-on level 0, which an essential acr does not take',
  async (t) => {
    const { host } = await scene({});
    const document = await fetchAnswer(`${host.realm(host.defaultRealm)}/.well-known/openid-configuration`);
    t.deepEqual(document.json.acr_values_supported, ['0', '1']);
    const plain = await application(host);
    const browser = new Browser();
    const otpPage = await signIn(browser, plain.url(essential('1')), ALICE);
    t.is(heading(otpPage), CODE);
    const done = await browser.submit(otpPage, {
      otp: codeOfApp(clock.now()),
    });
    t.is((await plain.claims(done)).acr, '1');
    t.is((await plain.claims(await browser.open(plain.url({ acr_values: '1' })))).acr, '0');
    t.is(heading(await browser.open(plain.url(essential('1')))), PASSWORD);
    t.is(error(await browser.open(plain.url({ ...essential('1'), prompt: 'none' }))), 'login_required');
    t.is(error(await browser.open(plain.url(essential('2')))), 'unmet_authentication_requirements');
  },
);

test.serial(
  'step-up: a second step may be for those with a role, an attribute or a scope, or for all others; or the end',
  async (t) => {
    const conditional = (condition: string, config: Record<string, string>, last = 'auth-otp-form') => ({
      browserFlow: 'stepping',
      authenticationFlows: [
        flow('stepping', step('auth-username-password-form'), inner('more', 'CONDITIONAL')),
        flow('more', step(condition, 'REQUIRED', 'it'), step(last)),
      ],
      authenticatorConfig: [{ id: 'it', alias: 'it', config }],
      attributes: {},
    });
    const role = 'conditional-user-role';
    const attribute = 'conditional-user-attribute';
    const cases: [string, Record<string, string>, boolean][] = [
      [role, { condUserRole: 'default-roles-NAME' }, true],
      [role, { condUserRole: 'default-roles-NAME', negate: 'true' }, false],
      [role, { condUserRole: 'account.manage-account' }, true],
      [role, { condUserRole: 'nobody-has-it' }, false],
      [role, { condUserRole: 'nobody-has-it', negate: 'true' }, true],
      [attribute, { attribute_name: 'email', attribute_expected_value: 'alice@example.test' }, true],
      [attribute, { attribute_name: 'email', attribute_expected_value: '.*@example.test' }, false],
      [attribute, { attribute_name: 'email', attribute_expected_value: '.*@example.test', regex: 'true' }, true],
      [attribute, { attribute_name: 'none', attribute_expected_value: 'x', not: 'true' }, true],
      ['conditional-client-scope', { client_scope: 'phone' }, false],
      ['conditional-client-scope', { client_scope: 'profile' }, true],
    ];
    for (const [condition, config, applies] of cases) {
      const host = await inRealm(shared(), (name) => {
        const own = Object.entries(config).map(([key, value]) => [key, value.replace('NAME', name)]);
        return realm(name, conditional(condition, Object.fromEntries(own)));
      });
      const app = await application(host);
      const page = await signIn(new Browser(), app.url(), ALICE);
      t.is(heading(page) === CODE, applies, `${condition} ${JSON.stringify(config)}`);
      t.is(page.location?.searchParams.has('code') === true, !applies, condition);
    }
    const host = await inRealm(shared(), (name) =>
      realm(name, conditional(role, { condUserRole: `default-roles-${name}` }, 'deny-access-authenticator')),
    );
    const app = await application(host);
    const end = await signIn(new Browser(), app.url(), ALICE);
    t.deepEqual([end.status, /Access denied/.test(end.text)], [400, true]);
    const open = await inRealm(shared(), (name) => realm(name, conditional('conditional-of-somebody-else', {})));
    const nobody = await signIn(new Browser(), (await application(open)).url(), ALICE);
    t.deepEqual([nobody.status, nobody.location], [400, undefined], 'what nobody can decide lets nobody past');
  },
);

test.serial('step-up: invalid levels are reported at their places in the realm file', async (t) => {
  const bad = scene({
    ...STEPPING,
    attributes: { 'acr.loa.map': '{"gold":"high"}' },
    authenticatorConfig: [{ id: 'one', alias: 'one', config: { 'loa-condition-level': 'high' } }],
  });
  const refused = (await t.throwsAsync(bad)) as unknown as { problems: { path: string }[] };
  t.deepEqual(refused.problems.map(({ path }) => path).sort(), [
    'attributes["acr.loa.map"]',
    'authenticatorConfig[0].config.loa-condition-level',
  ]);
});
