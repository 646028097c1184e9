import test from 'ava';
import { adminCaller, administered, administrator, ownRealm } from '../helpers/admin.js';
import { onePolicy } from '../helpers/client-policies.js';
import type { TestHost } from '../helpers/host.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

const profilesOf = ({ defaultRealm }: TestHost) => `/realms/${defaultRealm}/client-policies/profiles`;
const policiesOf = ({ defaultRealm }: TestHost) => `/realms/${defaultRealm}/client-policies/policies`;
const PKCE = { executor: 'pkce-enforcer', configuration: { 'auto-configure': true } };

test('client policies: Keycloak’s client writes profiles and policies, which are stored, exported and imported', async (t) => {
  const { host, admin } = await ownRealm(shared(), { adminEventsEnabled: true, adminEventsDetailsEnabled: true });
  t.deepEqual(await admin.clientPolicies.listProfiles({ includeGlobalProfiles: true }), {
    profiles: [],
    globalProfiles: [],
  });
  t.deepEqual(await admin.clientPolicies.listPolicies({ includeGlobalPolicies: true }), {
    policies: [],
    globalPolicies: [],
  });
  const profiles = [
    { name: 'safe', description: 'What is safe', executors: [PKCE] },
    { name: 'none', executors: [] },
  ];
  await admin.clientPolicies.createProfiles({ profiles, globalProfiles: [] });
  t.deepEqual(await admin.clientPolicies.listProfiles({}), { profiles });
  await admin.clientPolicies.updatePolicy({
    policies: [
      { name: 'all', enabled: true, conditions: [{ condition: 'any-client' }], profiles: ['safe', 'none'] },
      { name: 'later', profiles: ['safe'] },
    ],
  });
  const policies = [
    { name: 'all', enabled: true, conditions: [{ condition: 'any-client' }], profiles: ['safe', 'none'] },
    { name: 'later', profiles: ['safe'], enabled: false, conditions: [] },
  ];
  t.deepEqual(await admin.clientPolicies.listPolicies({}), { policies });
  // As in Keycloak, a profile can be removed before the policy that refers to it: tools replace profiles first, then
  // policies.
  await admin.clientPolicies.createProfiles({ profiles: [] });
  const told = host.log.filter(({ level }) => level === 'warn').map(({ message }) => message);
  t.true(
    told.some((line) =>
      line.startsWith(`realm ${host.defaultRealm}: client profile "safe" not found: the policies that use it`),
    ),
    told.join(),
  );
  await admin.clientPolicies.createProfiles({ profiles });

  const call = await adminCaller(host);
  const events = (await call('GET', `/realms/${host.defaultRealm}/admin-events`)).json as unknown as {
    resourcePath: string;
  }[];
  t.is(events.length, 4);
  t.like(events[0], {
    operationType: 'UPDATE',
    resourceType: 'REALM',
    resourcePath: 'client-policies/profiles',
    representation: JSON.stringify({ profiles }),
  });
  const exported = (await call('POST', `/realms/${host.defaultRealm}/partial-export?exportClients=true`)).json;
  t.like(exported, { clientProfiles: { profiles }, clientPolicies: { policies } });
  const shown = (await call('GET', `/realms/${host.defaultRealm}`)).json;
  t.like(shown, { clientProfiles: { profiles }, clientPolicies: { policies } });
  const copy = { realm: 'copy', enabled: true, clientProfiles: { profiles }, clientPolicies: { policies } };
  t.is((await call('POST', '/realms', copy)).status, 201);
  t.deepEqual((await call('GET', '/realms/copy/client-policies/policies')).json, { policies });
  t.is((await call('PUT', '/realms/copy', { clientPolicies: {} })).status, 204);
  t.deepEqual((await call('GET', '/realms/copy/client-policies/policies')).json, { policies: [] });
});

test('client policies: providers that do not exist are refused by name, and other errors in Keycloak’s words', async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  const PROFILES = profilesOf(host);
  const POLICIES = policiesOf(host);
  const profile = (...executors: object[]) => ({ profiles: [{ name: 'p', executors }] });
  const configured = (executor: string, configuration: object) => profile({ executor, configuration });
  const refused: [string, unknown, string | RegExp][] = [
    [PROFILES, undefined, 'Passing null clientProfiles not allowed'],
    [PROFILES, null, 'Passing null clientProfiles not allowed'],
    [PROFILES, [], 'the body: must be an object'],
    [PROFILES, { profiles: [{ name: 'p' }, { name: 'p' }] }, 'proposed client profile name duplicated.'],
    [PROFILES, { profiles: [{ description: 'x' }] }, 'client profile without its name not allowed.'],
    [PROFILES, { profiles: [{ name: '' }] }, 'client profile without its name not allowed.'],
    [
      PROFILES,
      { profiles: [{ name: 'fapi-1-baseline' }] },
      "Proposed profile name 'fapi-1-baseline' is duplicated as a global profile",
    ],
    [PROFILES, { globalProfiles: [{ name: 'mine' }] }, 'Global profiles cannot be updated'],
    [PROFILES, configured('dpop-bind-enforcer', {}), /executor "dpop-bind-enforcer" is not supported/],
    [PROFILES, configured('pkce-enforcr', {}), /did you mean "pkce-enforcer"\?/],
    [PROFILES, profile({ configuration: {} }), /"executor" is missing/],
    [PROFILES, configured('pkce-enforcer', { 'auto-configure': 'perhaps' }), /auto-configure: must be a boolean/],
    [
      PROFILES,
      configured('pkce-enforcer', { 'auto-configur': true }),
      /unknown key \(did you mean "auto-configure"\?\)/,
    ],
    [
      PROFILES,
      configured('secure-redirect-uris-enforcer', { 'allow-permitted-domains': ['('] }),
      /"\(" is not a regular/,
    ],
    [PROFILES, configured('secret-rotation', { 'expiration-period': 60 }), /must not be longer than expiration-period/],
    [POLICIES, undefined, 'Passing null clientPolicies not allowed'],
    [POLICIES, { policies: [{ name: 'a', profiles: ['nope'] }] }, 'Policy a contains invalid profile nope'],
    [POLICIES, { policies: [{ name: 'a', profiles: ['safe', 'safe'] }] }, 'Policy a contains duplicated profiles'],
    [POLICIES, { policies: [{ name: 'a' }, { name: 'a' }] }, 'proposed client policy name duplicated'],
    [POLICIES, { policies: [{ profiles: [] }] }, 'client policy without name not allowed'],
    [POLICIES, { globalPolicies: [{}] }, 'Global policies cannot be updated'],
    [
      POLICIES,
      { policies: [{ name: 'a', profiles: ['fapi-1-baseline'] }] },
      /Keyhost does not support "fapi-1-baseline", a global profile of Keycloak/,
    ],
    [
      POLICIES,
      { policies: [{ name: 'a', conditions: [{ condition: 'client-kind' }] }] },
      /condition "client-kind" is not supported/,
    ],
    [
      POLICIES,
      {
        policies: [{ name: 'a', conditions: [{ condition: 'client-access-type', configuration: { type: 'secret' } }] }],
      },
      /type.*must be one of confidential, public, bearer-only/,
    ],
    // Keycloak stores this key without effect, so the policy would apply to everyone except the intended clients.
    ...['negative-logic', 'is_negative_logic'].map((name): [string, unknown, RegExp] => [
      POLICIES,
      { policies: [{ name: 'a', conditions: [{ condition: 'any-client', configuration: { [name]: true } }] }] },
      /unknown key \(did you mean "is-negative-logic"\?\)/,
    ]),
  ];
  t.is((await call('PUT', PROFILES, { profiles: [{ name: 'safe', executors: [PKCE] }] })).status, 204);
  for (const [path, body, words] of refused) {
    const headers = { 'content-type': 'application/json' };
    const { status, json } = await call('PUT', path, body === null ? 'null' : body, headers);
    t.is(status, 400, JSON.stringify(body));
    const { errorMessage } = json as unknown as { errorMessage: string };
    if (typeof words === 'string') t.is(errorMessage, words);
    else t.regex(errorMessage, words);
  }
  t.deepEqual((await call('GET', PROFILES)).json, { profiles: [{ name: 'safe', executors: [PKCE] }] });
  const whole = await call('PUT', `/realms/${host.defaultRealm}`, onePolicy([['holder-of-key-enforcer']]));
  t.is(whole.status, 400);
  t.regex(whole.text, /executor \\"holder-of-key-enforcer\\" is not supported/);
  // Values as the admin console and other tools write them.
  const off = { 'negative-logic': false, is_negative_logic: 'false' };
  const policies = [{ name: 'a', conditions: [{ condition: 'any-client', configuration: off }] }];
  t.is((await call('PUT', POLICIES, { policies })).status, 204);
  t.like((await call('GET', POLICIES)).json, { policies });
  t.is((await call('PUT', PROFILES, configured('pkce-enforcer', { 'auto-configure': 'true' }))).status, 204);
  t.is((await call('PUT', PROFILES, profile({ executor: 'pkce-enforcer', configuration: null }))).status, 204);
});

test('client policies: a caller who sees the realm sees its policies, and one who manages it writes them', async (t) => {
  const users = [administrator('reader', 'view-realm'), administrator('clerk', 'manage-clients', 'view-users')];
  const { host } = await ownRealm(shared(), { users });
  const reader = await adminCaller(host, { realm: host.defaultRealm, username: 'reader', password: 'reader' });
  const clerk = await adminCaller(host, { realm: host.defaultRealm, username: 'clerk', password: 'clerk' });
  for (const path of [profilesOf(host), policiesOf(host)]) {
    t.is((await reader('GET', path)).status, 200);
    t.is((await reader('PUT', path, {})).status, 403);
    t.is((await clerk('GET', path)).status, 403);
  }
});

test('client policies: settings of an executor without settings are stored as in Keycloak, and reported', async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  const profiles = [
    { name: 'p', executors: [{ executor: 'secure-session', configuration: { clientSessionIdleTimeout: 7200 } }] },
  ];
  const answer = await call('PUT', profilesOf(host), { profiles });
  t.deepEqual(
    [answer.status, answer.headers.get('keyhost-ignored')],
    [204, 'profiles[0].executors[0].configuration.clientSessionIdleTimeout'],
  );
  t.deepEqual((await call('GET', profilesOf(host))).json, { profiles });
});

test('client policies: the console gets executors and conditions with the fields of their forms', async (t) => {
  const { host } = await ownRealm(shared());
  const call = await adminCaller(host);
  const { componentTypes } = (await call('GET', '/serverinfo')).json as unknown as {
    componentTypes: Record<
      string,
      { id: string; properties: { name: string; type: string; defaultValue?: unknown }[] }[]
    >;
  };
  const ids = (kind: string) =>
    (componentTypes[`org.keycloak.services.clientpolicy.${kind}Provider`] ?? []).map(({ id }) => id);
  t.deepEqual(ids('executor.ClientPolicyExecutor'), [
    'auth-flow-enforcer',
    'confidential-client',
    'consent-required',
    'downscope-assertion-grant-enforcer',
    'full-scope-disabled',
    'jwt-claim-enforcer',
    'pkce-enforcer',
    'registration-access-token-rotation-disabled',
    'reject-implicit-grant',
    'reject-request',
    'reject-ropc-grant',
    'saml-avoid-redirect',
    'saml-secure-client-uris',
    'saml-signature-enforcer',
    'secret-rotation',
    'secure-client-authentication-assertion',
    'secure-client-authenticator',
    'secure-client-uris',
    'secure-client-uris-pattern',
    'secure-logout',
    'secure-par-content',
    'secure-redirect-uris-enforcer',
    'secure-response-type',
    'secure-session',
    'secure-signature-algorithm',
    'secure-signature-algorithm-signed-jwt',
    'suppress-refresh-token-rotation',
    'use-lightweight-access-token',
  ]);
  t.deepEqual(ids('condition.ClientPolicyCondition'), [
    'acr-condition',
    'any-client',
    'client-access-type',
    'client-attributes',
    'client-roles',
    'client-scopes',
    'client-type',
    'client-updater-context',
    'client-updater-source-groups',
    'client-updater-source-host',
    'client-updater-source-roles',
    'grant-type',
    'identity-provider-alias',
  ]);
  const [pkce] = (
    componentTypes['org.keycloak.services.clientpolicy.executor.ClientPolicyExecutorProvider'] ?? []
  ).filter(({ id }) => id === 'pkce-enforcer');
  t.like(pkce?.properties[0], { name: 'auto-configure', type: 'boolean', defaultValue: false });
});
