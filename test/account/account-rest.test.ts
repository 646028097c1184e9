import test from 'ava';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { accountRealm, accountUser, PASSWORD } from '../helpers/account.js';
import { type Answer, fetchAnswer, inRealm, TestClock, type TestHost } from '../helpers/host.js';
import { bearer, logIn, NL, serviceToken } from '../helpers/login.js';
import { idIn, NAKED } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const key = (id: string, userLabel: string) => ({
  id,
  type: 'webauthn',
  userLabel,
  secretData: '{"value":"never shown"}',
});
const LINK = { identityProvider: 'github', userId: '1', userName: 'erin-there' };
const users = [
  accountUser('erin', {
    credentials: [{ type: 'password', value: PASSWORD }, key('p1', 'one'), key('p2', 'two')],
    federatedIdentities: [LINK],
    attributes: { nickname: ['E.'] },
    clientConsents: [{ clientId: 'asks', grantedClientScopes: ['profile'], createdDate: 1, lastUpdatedDate: 2 }],
  }),
  accountUser('frank', { credentials: [{ type: 'password', value: PASSWORD }, key('franks', 'his')] }),
  accountUser('reader', { realmRoles: [], clientRoles: { account: ['view-profile'] } }),
  accountUser('nobody', { realmRoles: [] }),
];
const realm = (name: string, changes: Partial<RealmRepresentation> = {}) =>
  accountRealm(
    users,
    {
      internationalizationEnabled: true,
      supportedLocales: ['en', 'de'],
      identityProviders: [{ alias: 'github', providerId: 'github', displayName: 'GitHub', enabled: true }],
      ...changes,
    },
    name,
  );
/** The test that moves the clock is the first one. */
const clock = new TestClock();
const shared = shareHost(test, { realms: [], clock });

const tokenOf = async (host: TestHost, username = 'erin') =>
  (await logIn(host, { username, password: PASSWORD })).access_token;

function call(host: TestHost, token: string, method: string, path = '', body?: unknown, headers = {}): Promise<Answer> {
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  return fetchAnswer(`${host.realm(host.defaultRealm)}/account${path}`, {
    method,
    headers: { accept: 'application/json', 'content-type': 'application/json', ...bearer(token), ...headers },
    ...json,
  });
}

test('Account REST API: a token reads and changes the profile as Keycloak’s console does', async (t) => {
  const host = await inRealm(shared(), realm);
  const token = await tokenOf(host);
  const { json, headers } = await call(host, token, 'GET');
  t.is(headers.get('cache-control'), 'no-store');
  t.like(json, { username: 'erin', email: 'erin@example.test', emailVerified: true, firstName: 'Erin' });
  t.deepEqual(Object.keys(json), [
    'id',
    'username',
    'email',
    'firstName',
    'lastName',
    'emailVerified',
    'userProfileMetadata',
    'attributes',
  ]);
  const { attributes } = json.userProfileMetadata as unknown as {
    attributes: { name: string; readOnly: boolean; required: boolean }[];
  };
  t.deepEqual(
    attributes.map(({ name, readOnly, required }) => [name, readOnly, required]),
    [
      ['username', true, true],
      ['email', false, true],
      ['firstName', false, true],
      ['lastName', false, true],
    ],
  );
  t.false('userProfileMetadata' in (await call(host, token, 'GET', '/?userProfileMetadata=false')).json);
  const sent = {
    ...json,
    firstName: 'Érin',
    username: 'root',
    enabled: false,
    emailVerified: false,
    id: 'x',
    attributes: { role: ['admin'] },
  };
  t.is((await call(host, token, 'POST', '/', sent)).status, 204);
  t.like((await call(host, token, 'GET')).json, {
    username: 'erin',
    firstName: 'Érin',
    emailVerified: true,
    attributes: {},
  });
  const refused = await call(host, token, 'POST', '/', { ...json, email: 'x', lastName: null });
  t.deepEqual(
    [refused.status, refused.json],
    [
      400,
      {
        errors: [
          { field: 'email', errorMessage: 'invalidEmailMessage', params: ['email'] },
          { field: 'lastName', errorMessage: 'error-user-attribute-required', params: ['lastName'] },
        ],
      },
    ],
  );
  for (const body of [[], 'x', { email: 1 }, { attributes: [] }, null])
    t.is((await call(host, token, 'POST', '/', body)).status, 400);
  t.deepEqual((await call(host, token, 'GET', '/supportedLocales')).json, ['en', 'de']);
});

test('Account REST API: sessions that links began are one device of each application, by its name', async (t) => {
  const host = await inRealm(shared(), (name) => {
    const { clients = [], ...rest } = realm(name);
    const named = clients.map((one) => (one.clientId === 'nl' ? { ...one, name: 'The newsletter' } : one));
    return { ...rest, clients: named };
  });
  const requested_subject = (await host.store.users.byUsername(host.defaultRealm, 'erin'))?.id ?? '';
  const begin = { ...NL, grant_type: NAKED, requested_subject, scope: 'newsletterscope42', audience: 'newsletter-api' };
  for (let count = 0; count < 2; count += 1) t.is((await host.token(host.defaultRealm, begin)).status, 200);
  const token = await tokenOf(host);
  const devices = (await call(host, token, 'GET', '/sessions/devices')).json as unknown as {
    device: string;
    current: boolean;
    sessions: { id: string }[];
  }[];
  t.deepEqual(
    devices.map(({ device, current, sessions }) => [device, current, sessions.length]),
    [
      ['Other', true, 1],
      ['The newsletter', false, 2],
    ],
  );
  for (const { id } of devices[1]?.sessions ?? []) {
    t.is((await call(host, token, 'DELETE', `/sessions/${id}`)).status, 204);
  }
  t.is(((await call(host, token, 'GET', '/sessions/devices')).json as unknown as object[]).length, 1);
});

/** The types in Keycloak 26.7.3, in its order; the action for a password is `updateAction`. */
const TYPES: readonly [type: string, category: string, icon: string, action: string][] = [
  ['password', 'basic-authentication', 'Password', 'UPDATE_PASSWORD'],
  ['otp', 'two-factor', 'OTP', 'CONFIGURE_TOTP'],
  ['recovery-authn-codes', 'two-factor', 'RecoveryAuthnCodes', 'CONFIGURE_RECOVERY_AUTHN_CODES'],
  ['webauthn', 'two-factor', 'WebAuthn', 'webauthn-register'],
  ['webauthn-passwordless', 'passwordless', 'WebAuthnPasswordless', 'webauthn-register-passwordless'],
];

test('Account REST API: credential types are listed as in Keycloak, and a type that does not exist is not', async (t) => {
  const others = TYPES.slice(1).map(([type]) => ({
    type,
    secretData: '{"value":"never shown"}',
    credentialData: '{}',
  }));
  const credentials = [{ type: 'password', value: PASSWORD }, ...others, { type: 'unknown', secretData: '{}' }];
  const host = await inRealm(shared(), (name) => {
    const flows = [{ alias: 'plain', authenticationExecutions: ['username', 'password'].map(direct) }];
    const own = accountRealm([accountUser('erin', { credentials })], { directGrantFlow: 'plain' }, name);
    return { ...own, authenticationFlows: flows };
  });
  const { json, text } = await call(host, await tokenOf(host), 'GET', '/credentials');
  t.notRegex(text, /never shown/);
  t.deepEqual(
    (json as unknown as Record<string, unknown>[]).map(({ userCredentialMetadatas: _, removeable: __, ...one }) => one),
    TYPES.map(([type, category, icon, action]) => ({
      type,
      category,
      displayName: `${type}-display-name`,
      helptext: `${type}-help-text`,
      iconCssClass: `kcAuthenticator${icon}Class`,
      [type === 'password' ? 'updateAction' : 'createAction']: action,
    })),
  );
});

const direct = (what: string) => ({ authenticator: `direct-grant-validate-${what}`, requirement: 'REQUIRED' });

test('Account REST API: sessions, credentials, applications and links are the caller’s own', async (t) => {
  const host = await inRealm(shared(), realm);
  const token = await tokenOf(host);
  const franks = await tokenOf(host, 'frank');
  await tokenOf(host);
  const sessions = (await call(host, token, 'GET', '/sessions')).json as unknown as {
    id: string;
    current: boolean;
    clients: object[];
  }[];
  t.deepEqual(
    sessions.map(({ current }) => current),
    [true, false],
  );
  t.like(sessions[0]?.clients[0], { clientId: 'web' });
  const [device] = (await call(host, token, 'GET', '/sessions/devices')).json as unknown as {
    sessions: object[];
    current: boolean;
  }[];
  t.deepEqual([device?.sessions.length, device?.current], [2, true]);
  const [other] = (await call(host, franks, 'GET', '/sessions')).json as unknown as { id: string }[];
  t.is((await call(host, token, 'DELETE', `/sessions/${other?.id}`)).status, 404);
  t.is((await call(host, token, 'DELETE', `/sessions/${sessions[1]?.id}`)).status, 204);
  t.is((await call(host, franks, 'GET', '/sessions')).status, 200);

  const containers = (await call(host, token, 'GET', '/credentials')).json as unknown as {
    type: string;
    removeable: boolean;
  }[];
  t.deepEqual(
    containers.map(({ type, removeable }) => [type, removeable]),
    [
      ['password', false],
      ['webauthn', true],
    ],
  );
  t.notRegex(JSON.stringify(containers), /never shown|secretData|credentialData/);
  const passwordId = JSON.stringify(containers).match(/"id":"([^"]+)","type":"password"/)?.[1];
  for (const [method, path, body, status] of [
    ['PUT', '/credentials/p1/label', 'first', 204],
    ['PUT', '/credentials/p1/label', 'two', 400],
    ['PUT', '/credentials/p1/label', { x: 1 }, 400],
    ['PUT', '/credentials/franks/label', 'mine', 404],
    ['DELETE', '/credentials/franks', undefined, 404],
    ['DELETE', `/credentials/${passwordId}`, undefined, 400],
    ['DELETE', '/credentials/p2', undefined, 204],
    ['DELETE', '/credentials/p2', undefined, 404],
    ['DELETE', '/credentials/%', undefined, 400],
    ['DELETE', '/linked-accounts/nowhere', undefined, 404],
    ['DELETE', '/linked-accounts/github', undefined, 204],
    ['DELETE', '/linked-accounts/github', undefined, 400],
    ['DELETE', '/applications/nothing/consent', undefined, 404],
    ['PATCH', '/sessions', undefined, 405],
    ['GET', '/nothing', undefined, 404],
  ] as const) {
    t.is((await call(host, token, method, path, body)).status, status, `${method} ${path}`);
  }
  t.like(((await call(host, token, 'GET', '/linked-accounts')).json as unknown as object[])[0], {
    connected: false,
    providerAlias: 'github',
    social: true,
  });
  const [asks] = (await call(host, token, 'GET', '/applications?name=asks')).json as unknown as object[];
  t.like(asks, { clientId: 'asks', inUse: false, userConsentRequired: true });
  t.like((await call(host, token, 'GET', '/applications/asks/consent')).json, { createdDate: 1 });
  t.is((await call(host, token, 'DELETE', '/applications/asks/consent')).status, 204);
  t.is((await call(host, token, 'GET', '/applications/asks/consent')).status, 204);
  t.is((await call(host, token, 'DELETE', '/sessions')).status, 204);
  t.is((await call(host, token, 'GET')).status, 200, 'its own session stays');
  t.is((await call(host, token, 'DELETE', '/sessions?current=true')).status, 204);
  t.is((await call(host, token, 'GET')).status, 401);
  const types = (await host.stored(host.defaultRealm)).map(({ type }) => type);
  for (const type of ['LOGOUT', 'REMOVE_CREDENTIAL', 'REMOVE_FEDERATED_IDENTITY', 'REVOKE_GRANT'])
    t.true(types.includes(type), type);
});

test.serial(
  'Account REST API: only tokens of users, for the account, with its roles, are accepted; sensitive changes need a recent login',
  async (t) => {
    const host = await inRealm(shared(), (name) => realm(name, { accessTokenLifespan: 3000 }));
    const naked = {
      ...NL,
      grant_type: NAKED,
      requested_subject: idIn(host.defaultRealm),
      scope: 'newsletterscope42',
      audience: 'newsletter-api',
    };
    const impersonated = await host.token(host.defaultRealm, naked);
    t.is(impersonated.status, 200);
    t.is((await call(host, await serviceToken(host), 'GET')).status, 403);
    for (const token of ['x', String(impersonated.json.access_token), '']) {
      const answer = await call(host, token, 'GET');
      t.is(answer.status, 401);
      t.true(answer.headers.get('www-authenticate')?.startsWith(`Bearer realm="${host.defaultRealm}"`));
    }
    const reader = await tokenOf(host, 'reader');
    t.is((await call(host, reader, 'GET')).status, 200);
    for (const [method, path] of [
      ['POST', '/'],
      ['DELETE', '/sessions'],
      ['GET', '/applications'],
      ['DELETE', '/credentials/p1'],
    ] as const) {
      t.is((await call(host, reader, method, path, method === 'POST' ? {} : undefined)).status, 403, path);
    }
    t.is(
      (await call(host, await tokenOf(host, 'nobody'), 'GET')).status,
      401,
      'without a role it is not for the account',
    );
    const token = await tokenOf(host);
    const allowed = { origin: 'http://127.0.0.1:9999' };
    const cors = await call(host, token, 'GET', '', undefined, allowed);
    t.is(cors.headers.get('access-control-allow-origin'), allowed.origin);
    t.is(
      (await call(host, token, 'GET', '', undefined, { origin: 'http://evil.test' })).headers.get(
        'access-control-allow-origin',
      ),
      null,
    );
    const preflight = await fetchAnswer(`${host.realm(host.defaultRealm)}/account/sessions`, {
      method: 'OPTIONS',
      headers: allowed,
    });
    t.deepEqual(
      [preflight.status, preflight.headers.get('access-control-allow-methods')],
      [204, 'GET, DELETE, OPTIONS'],
    );
    clock.forward(301);
    for (const [method, path, body] of [
      ['DELETE', '/credentials/p1', undefined],
      ['DELETE', '/linked-accounts/github', undefined],
      ['POST', '/', { email: 'new@example.test' }],
    ] as const) {
      const answer = await call(host, token, method, path, body);
      t.is(answer.status, 401, path);
      t.regex(answer.headers.get('www-authenticate') ?? '', /error="insufficient_user_authentication", max_age="300"/);
    }
    t.is((await call(host, token, 'POST', '/', { firstName: 'Later' })).status, 204);
  },
);
