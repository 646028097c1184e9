import test from 'ava';
import { codeAt } from '../../core/login/steps/otp/one-time-password.js';
import type { ClientRepresentation, RealmRepresentation } from '../../core/model/representation.js';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, CALLBACK, codeRequest, signIn } from '../helpers/form-browser.js';
import { claimsOf, inRealm, TestClock, type TestHost } from '../helpers/host.js';
import { ALICE_LOGIN, introspect, userinfo, WEB } from '../helpers/login.js';
import { codeOf } from '../helpers/read-page.js';
import { shareHost } from '../helpers/shared-host.js';

/*
 * Settings that no other test is about: each changes what its question answers.
 */

type Changes = Partial<RealmRepresentation> | ((realm: RealmRepresentation) => RealmRepresentation);
type Row = [setting: string, off: Changes, on: Changes, ask: (host: TestHost) => Promise<unknown>];

const clock = new TestClock();
const shared = shareHost(test, { realms: [], clock });

const made = (changes: Changes) =>
  inRealm(shared(), (name) =>
    typeof changes === 'function' ? changes(codeRealm(name)) : codeRealm(name, { ...changes }),
  );
/** The realm whose client `web` is changed so. */
const web =
  (change: (client: ClientRepresentation) => Partial<ClientRepresentation>): Changes =>
  (realm) => ({
    ...realm,
    clients: (realm.clients ?? []).map((one) => (one.clientId === 'web' ? { ...one, ...change(one) } : one)),
  });
const attribute = (name: string, value: string) =>
  web(({ attributes }) => ({ attributes: { ...attributes, [name]: value } }));
const extra = (attributes: Record<string, string>) => ({ name: 'extra', protocol: 'openid-connect', attributes });
const scope =
  (name: string, value: string): Changes =>
  (realm) => ({ ...realm, clientScopes: [...(realm.clientScopes ?? []), extra({ [name]: value })] });
const provider = (config: Record<string, string>): Changes => ({
  identityProviders: [
    {
      alias: 'idp',
      providerId: 'oidc',
      enabled: true,
      config: {
        clientId: 'c',
        clientSecret: 's',
        authorizationUrl: 'https://idp.example.test/auth',
        tokenUrl: 'https://idp.example.test/token',
        ...config,
      },
    },
  ],
});
/** A login by these steps alone. */
const steps = (
  executions: object[],
  config: Record<string, string>,
  condition = 'conditional-user-attribute',
): Changes => ({
  browserFlow: 'own',
  authenticationFlows: [
    {
      alias: 'own',
      providerId: 'basic-flow',
      topLevel: true,
      authenticationExecutions: [
        { authenticator: 'auth-username-password-form', requirement: 'REQUIRED', priority: 1 },
        ...executions,
      ],
    },
    {
      alias: 'when',
      providerId: 'basic-flow',
      topLevel: false,
      authenticationExecutions: [
        { authenticator: condition, requirement: 'REQUIRED', authenticatorConfig: 'own' },
        { authenticator: 'deny-access-authenticator', requirement: 'REQUIRED' },
      ],
    },
  ] as never,
  authenticatorConfig: [{ alias: 'own', config }],
});

const grant = (host: TestHost, more: object = {}) => host.token(host.defaultRealm, { ...WEB, ...ALICE_LOGIN, ...more });
const refresh = (host: TestHost, token: unknown) =>
  host.token(host.defaultRealm, { ...WEB, grant_type: 'refresh_token', refresh_token: String(token) });
const member = (name: string) => async (host: TestHost) => (await grant(host)).json[name];
const loginPage = async (host: TestHost) => (await new Browser().open(codeRequest(host).url)).text;
const shows = (text: string) => async (host: TestHost) => (await loginPage(host)).includes(text);
const answered = async (host: TestHost) =>
  [...((await signIn(new Browser(), codeRequest(host).url)).location?.searchParams.keys() ?? [])].sort();
const sent = (name: string) => async (host: TestHost) => {
  const { url } = codeRequest(host, { kc_idp_hint: 'idp', login_hint: 'paula', max_age: '60' });
  return (await new Browser().open(url)).location?.searchParams.has(name);
};
/** True if a login page is still valid after this many seconds. */
const lasts = (seconds: number) => async (host: TestHost) => {
  const browser = new Browser();
  const page = await browser.open(codeRequest(host).url);
  clock.forward(seconds);
  return codeOf(await browser.submit(page, { username: 'alice', password: 'Alice-pass-1!' })) !== undefined;
};
/** How often a refresh token may be used, and how long an offline one. */
const reuses = async (host: TestHost) => {
  const { refresh_token } = (await grant(host)).json;
  const states: number[] = [];
  for (let times = 0; times < 3; times += 1) states.push((await refresh(host, refresh_token)).status);
  return states;
};
const offline = async (host: TestHost) =>
  (await grant(host, { scope: 'openid offline_access' })).json.refresh_expires_in;
/** Which codes set up an authenticator app. */
const setsUp = (counter: () => number) => async (host: TestHost) => {
  const browser = new Browser();
  await signIn(browser, codeRequest(host).url);
  const page = await browser.open(codeRequest(host, { kc_action: 'CONFIGURE_TOTP' }).url);
  const secret = /name="totpSecret" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
  const totp = codeAt(Buffer.from(secret), counter(), { digits: 6, algorithm: 'HmacSHA1' });
  return (await browser.submit(page, { totpSecret: secret, totp, userLabel: 'app' })).location !== undefined;
};
const minute = () => Math.floor(clock.now() / 90_000);
const WHEN = { flowAlias: 'when', requirement: 'CONDITIONAL', priority: 2 };
const DENY = {
  authenticator: 'deny-access-authenticator',
  requirement: 'REQUIRED',
  priority: 2,
  authenticatorConfig: 'own',
};
const GROUP = (realm: RealmRepresentation, config: Record<string, string>): RealmRepresentation => ({
  ...realm,
  ...(steps([WHEN], config) as object),
  groups: [{ name: 'team', attributes: { floor: ['3'] }, subGroups: [{ name: 'dev' }] }],
});
const FLOOR = { attribute_name: 'floor', attribute_expected_value: '3' };

const ROWS: Row[] = [
  [
    'defaultOptionalClientScopes',
    withNew({ defaultOptionalClientScopes: [] }),
    withNew({ defaultOptionalClientScopes: ['phone'] }),
    async (host) => (await grant(host, { client_id: 'new', client_secret: 's', scope: 'openid phone' })).status,
  ],
  [
    'defaultRole',
    withNew({}, { serviceAccountsEnabled: true }),
    withNew({ defaultRole: { name: 'everybody' } }, { serviceAccountsEnabled: true }),
    async (host) => {
      const form = { grant_type: 'client_credentials', client_id: 'new', client_secret: 's' };
      return claimsOf(String((await host.token(host.defaultRealm, form)).json.access_token)).realm_access;
    },
  ],
  ['displayName', {}, { displayName: 'The Gazette' }, shows('The Gazette')],
  ['accessCodeLifespanLogin', { accessCodeLifespanLogin: 600 }, { accessCodeLifespanLogin: 60 }, lasts(100)],
  [
    'loginWithEmailAllowed',
    {},
    { loginWithEmailAllowed: false },
    async (host) => (await grant(host, { username: 'alice@example.test' })).status,
  ],
  ['clientSessionIdleTimeout', {}, { clientSessionIdleTimeout: 60 }, member('refresh_expires_in')],
  ['clientSessionMaxLifespan', {}, { clientSessionMaxLifespan: 60 }, member('refresh_expires_in')],
  ['client.session.idle.timeout', {}, attribute('client.session.idle.timeout', '60'), member('refresh_expires_in')],
  ['client.session.max.lifespan', {}, attribute('client.session.max.lifespan', '60'), member('refresh_expires_in')],
  [
    'token.response.type.bearer.lower-case',
    {},
    attribute('token.response.type.bearer.lower-case', 'true'),
    member('token_type'),
  ],
  [
    'offlineSessionMaxLifespanEnabled',
    { offlineSessionMaxLifespan: 60 },
    { offlineSessionMaxLifespan: 60, offlineSessionMaxLifespanEnabled: true },
    offline,
  ],
  [
    'offlineSessionMaxLifespan',
    { offlineSessionMaxLifespanEnabled: true },
    { offlineSessionMaxLifespanEnabled: true, offlineSessionMaxLifespan: 60 },
    offline,
  ],
  ['refreshTokenMaxReuse', { revokeRefreshToken: true }, { revokeRefreshToken: true, refreshTokenMaxReuse: 1 }, reuses],
  ['exclude.issuer.from.auth.response', {}, attribute('exclude.issuer.from.auth.response', 'true'), answered],
  [
    'exclude.session.state.from.auth.response',
    {},
    attribute('exclude.session.state.from.auth.response', 'true'),
    answered,
  ],
  ['frontchannel.logout.session.required', frontchannel('true'), frontchannel('false'), tellsSession],
  ['otpPolicyPeriod', {}, { otpPolicyPeriod: 90 }, setsUp(minute)],
  ['otpPolicyType', {}, { otpPolicyType: 'hotp' }, setsUp(() => 0)],
  [
    'otpPolicyInitialCounter',
    { otpPolicyType: 'hotp' },
    { otpPolicyType: 'hotp', otpPolicyInitialCounter: 50 },
    setsUp(() => 50),
  ],
  [
    'parRequestUriLifespan',
    {},
    { attributes: { parRequestUriLifespan: '7' } },
    async (host) => {
      const body = new URL(codeRequest(host).url).searchParams;
      body.set('client_secret', WEB.client_secret);
      const answer = await fetch(`${host.oidc(host.defaultRealm)}/ext/par/request`, { method: 'POST', body });
      return ((await answer.json()) as { expires_in: number }).expires_in;
    },
  ],
  [
    'include.in.openid.provider.metadata',
    scope('include.in.openid.provider.metadata', 'true'),
    scope('include.in.openid.provider.metadata', 'false'),
    async (host) => {
      const answer = await fetch(`${host.realm(host.defaultRealm)}/.well-known/openid-configuration`);
      return ((await answer.json()) as { scopes_supported: string[] }).scopes_supported.includes('extra');
    },
  ],
  [
    'display.on.consent.screen',
    consenting('true'),
    consenting('false'),
    async (host) =>
      (await signIn(new Browser(), codeRequest(host, { scope: 'openid extra' }).url)).text.includes('The extra scope'),
  ],
  ['user.attribute.postal_code', address({}), address({ 'user.attribute.postal_code': 'street' }), claim('address')],
  ['user.attribute.formatted', address({}), address({ 'user.attribute.formatted': 'street' }), claim('address')],
  ['user.attribute.region', address({}), address({ 'user.attribute.region': 'street' }), claim('address')],
  [
    'access.token.claim of oidc-allowed-origins-mapper',
    mapped('oidc-allowed-origins-mapper', { 'access.token.claim': 'false' }),
    mapped('oidc-allowed-origins-mapper', {}),
    claim('allowed-origins'),
  ],
  [
    'introspection.token.claim of oidc-audience-resolve-mapper',
    mapped('oidc-audience-resolve-mapper', { 'access.token.claim': 'false', 'introspection.token.claim': 'false' }),
    mapped('oidc-audience-resolve-mapper', { 'access.token.claim': 'false' }),
    async (host) => (await introspect(host, String((await grant(host)).json.access_token))).json.aud,
  ],
  [
    'id.token.claim of oidc-usersessionmodel-note-mapper',
    noting({}),
    noting({ 'id.token.claim': 'true' }),
    async (host) => 'noted' in claimsOf(String((await grant(host, { scope: 'openid' })).json.id_token)),
  ],
  [
    'userinfo.token.claim of oidc-usersessionmodel-note-mapper',
    noting({}),
    noting({ 'userinfo.token.claim': 'true' }),
    async (host) =>
      'noted' in (await userinfo(host, String((await grant(host, { scope: 'openid' })).json.access_token))).json,
  ],
  [
    'introspection.token.claim of oidc-usersessionmodel-note-mapper',
    noting({}),
    noting({ 'introspection.token.claim': 'true' }),
    async (host) => 'noted' in (await introspect(host, String((await grant(host)).json.access_token))).json,
  ],
  [
    'lightweight.claim of oidc-usersessionmodel-note-mapper',
    noting({ 'access.token.claim': 'true' }, true),
    noting({ 'access.token.claim': 'true', 'lightweight.claim': 'true' }, true),
    async (host) => 'noted' in claimsOf(String((await grant(host)).json.access_token)),
  ],
  ['gui.order', ordered('2'), ordered('1'), firstConsent],
  ['hideOnLoginPage', provider({}), provider({ hideOnLoginPage: 'true' }), shows('social-idp')],
  ['pkceEnabled', provider({ pkceEnabled: 'true' }), provider({ pkceEnabled: 'false' }), sent('code_challenge')],
  ['loginHint', provider({}), provider({ loginHint: 'true' }), sent('login_hint')],
  ['passMaxAge', provider({}), provider({ passMaxAge: 'true' }), sent('max_age')],
  [
    'denyErrorMessage',
    steps([DENY], {}),
    steps([DENY], { denyErrorMessage: 'Not on Sundays' }),
    async (host) => (await signIn(new Browser(), codeRequest(host).url)).text.includes('Not on Sundays'),
  ],
  [
    'credentials',
    used({ credentials: 'otp', included: 'true' }),
    used({ credentials: 'password', included: 'true' }),
    isIn,
  ],
  [
    'included',
    used({ credentials: 'password', included: 'false' }),
    used({ credentials: 'password', included: 'true' }),
    isIn,
  ],
  [
    'include_group_attributes',
    (realm) => GROUP(realm, FLOOR),
    (realm) => GROUP(realm, { ...FLOOR, include_group_attributes: 'true' }),
    isIn,
  ],
];

/** A realm with a client that names no scopes, and the scope `phone`. */
function withNew(changes: Partial<RealmRepresentation>, more: object = {}): Changes {
  const client = { clientId: 'new', secret: 's', directAccessGrantsEnabled: true, ...more };
  return (realm) => ({
    ...realm,
    ...changes,
    clients: [...(realm.clients ?? []), client],
    clientScopes: [
      ...(realm.clientScopes ?? []).filter(({ name }) => name !== 'phone'),
      { name: 'phone', protocol: 'openid-connect' },
    ],
  });
}

/** `web` has this mapper, and no scope but `basic`. */
function mapped(protocolMapper: string, config: Record<string, string>, isLight = false): Changes {
  return web(({ attributes }) => ({
    webOrigins: ['https://app.example.test'],
    defaultClientScopes: ['basic'],
    attributes: { ...attributes, 'client.use.lightweight.access.token.enabled': String(isLight) },
    protocolMappers: [{ name: 'own', protocol: 'openid-connect', protocolMapper, config }],
  }));
}

function noting(config: Record<string, string>, isLight = false): Changes {
  const note = { 'claim.name': 'noted', 'user.session.note': 'AUTH_TIME', 'jsonType.label': 'String' };
  return mapped('oidc-usersessionmodel-note-mapper', { ...note, ...config }, isLight);
}

/** A login that is denied if these credentials were used. */
function used(config: Record<string, string>): Changes {
  return steps([WHEN], config, 'conditional-credential');
}

async function isIn(host: TestHost): Promise<boolean> {
  return codeOf(await signIn(new Browser(), codeRequest(host).url)) !== undefined;
}

/** `web` has an address claim with this configuration. */
function address(config: Record<string, string>): Changes {
  const mapper = { name: 'address', protocol: 'openid-connect', protocolMapper: 'oidc-address-mapper' };
  return web(() => ({ protocolMappers: [{ ...mapper, config: { 'access.token.claim': 'true', ...config } }] }));
}

function claim(name: string) {
  return async (host: TestHost) => claimsOf(String((await grant(host)).json.access_token))[name];
}

function frontchannel(value: string): Changes {
  const attributes = {
    'frontchannel.logout.url': 'https://app.example.test/bye',
    'frontchannel.logout.session.required': value,
  };
  return web((client) => ({ frontchannelLogout: true, attributes: { ...client.attributes, ...attributes } }));
}

/** True if the logout page gives the application the ID of the ended session. */
async function tellsSession(host: TestHost): Promise<boolean> {
  const browser = new Browser();
  const { url, verifier } = codeRequest(host);
  const code = codeOf(await signIn(browser, url)) ?? '';
  const form = { ...WEB, grant_type: 'authorization_code', redirect_uri: CALLBACK, code, code_verifier: verifier };
  const { id_token = '' } = (await host.token(host.defaultRealm, form)).json as { id_token?: string };
  const { text } = await browser.open(`${host.oidc(host.defaultRealm)}/logout?id_token_hint=${id_token}`);
  return /app\.example\.test\/bye[^"]*sid=/.test(text);
}

function consenting(value: string): Changes {
  return asking([extra({ 'display.on.consent.screen': value, 'consent.screen.text': 'The extra scope' })]);
}

/** Two scopes that a user is asked for, the second of which may come first. */
function ordered(place: string): Changes {
  const scopes = { extra: ['First text', '1'], more: ['Second text', place === '1' ? '0' : '2'] } as const;
  return asking(
    Object.entries(scopes).map(([name, [text, at]]) => ({
      ...extra({ 'consent.screen.text': text, 'gui.order': at }),
      name,
    })),
  );
}

async function firstConsent(host: TestHost): Promise<string | undefined> {
  const { text } = await signIn(new Browser(), codeRequest(host, { scope: 'openid extra more' }).url);
  return /First text|Second text/.exec(text)?.[0];
}

/** `web` asks users for these scopes. */
function asking(scopes: ReturnType<typeof extra>[]): Changes {
  return (realm) => ({
    ...realm,
    clientScopes: [...(realm.clientScopes ?? []), ...scopes],
    clients: (realm.clients ?? []).map((one) =>
      one.clientId === 'web'
        ? { ...one, consentRequired: true, optionalClientScopes: scopes.map(({ name }) => name) }
        : one,
    ),
  });
}

for (const [setting, off, on, ask] of ROWS) {
  test.serial(`settings: ${setting} changes a response`, async (t) => {
    t.notDeepEqual(await ask(await made(on)), await ask(await made(off)));
  });
}
