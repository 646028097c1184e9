import type { RealmRepresentation } from '../../../core/model/representation.js';
import { created, creating, profileWith, type Toggle, type ToggledRealm, verdict } from './toggle.js';

const login: Toggle['ask'] = async (realm) => verdict(await realm.login());

/** A direct grant that refuses a user for whom the condition holds. */
const refusedIf = (authenticator: string, ...configs: readonly object[]): Partial<RealmRepresentation>[] =>
  configs.map((config) => {
    const step = (name: string, priority: number) => ({
      authenticator: name,
      requirement: 'REQUIRED',
      priority,
      authenticatorFlow: false,
    });
    const flow = (alias: string, topLevel: boolean, authenticationExecutions: object[]) => ({
      alias,
      topLevel,
      providerId: 'basic-flow',
      builtIn: false,
      authenticationExecutions,
    });
    return {
      directGrantFlow: 'own',
      authenticationFlows: [
        flow('own', true, [
          step('direct-grant-validate-username', 10),
          step('direct-grant-validate-password', 20),
          { authenticatorFlow: true, flowAlias: 'refusal', requirement: 'CONDITIONAL', priority: 30 },
        ]),
        flow('refusal', false, [
          { ...step(authenticator, 10), authenticatorConfig: 'config' },
          step('deny-access-authenticator', 20),
        ]),
      ],
      authenticatorConfig: [{ alias: 'config', config }],
    } as never;
  });
/** Whether the login was let through: Keycloak refuses with a page. */
const isLetIn = async ({ login: ask }: ToggledRealm, scope = 'openid') => (await ask({ scope })).status === 200;

const policy = (
  executor: string,
  configuration: object,
  condition: object = { condition: 'any-client', configuration: {} },
) => ({
  clientProfiles: { profiles: [{ name: 'p', executors: [{ executor, configuration }] }] },
  clientPolicies: { policies: [{ name: 'q', enabled: true, conditions: [condition], profiles: ['p'] }] },
});
const executed = (executor: string, ...configs: readonly object[]) =>
  configs.map((config) => policy(executor, config) as Partial<RealmRepresentation>);
/** A policy that refuses password grants if the condition holds. */
const onCondition = (condition: string, ...configs: readonly object[]) =>
  configs.map(
    (configuration) => policy('reject-ropc-grant', {}, { condition, configuration }) as Partial<RealmRepresentation>,
  );
const registrationPolicy = (providerId: string, ...configs: readonly object[]) =>
  configs.map((config) => ({
    components: {
      ...profileWith().components,
      'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy': [
        { name: providerId, providerId, subType: 'anonymous', config },
      ],
    },
  })) as Partial<RealmRepresentation>[];

/** Conditions of flows, client policies and registration policies. */
export const POLICY_TOGGLES: readonly Toggle[] = [
  {
    setting: 'condUserRole negate',
    realms: refusedIf(
      'conditional-user-role',
      { condUserRole: 'r1', negate: 'false' },
      { condUserRole: 'r1', negate: 'true' },
      { condUserRole: 'app.c1' },
      { condUserRole: 'nope' },
    ),
    ask: (realm) => isLetIn(realm),
  },
  {
    setting: 'attribute_name attribute_expected_value not regex include_group_attributes',
    realms: refusedIf(
      'conditional-user-attribute',
      { attribute_name: 'age', attribute_expected_value: '42' },
      { attribute_name: 'age', attribute_expected_value: '43' },
      { attribute_name: 'age', attribute_expected_value: '43', not: 'true' },
      { attribute_name: 'age', attribute_expected_value: '4.', regex: 'true' },
      { attribute_name: 'team', attribute_expected_value: 'red', include_group_attributes: 'true' },
      { attribute_name: 'team', attribute_expected_value: 'red', include_group_attributes: 'false' },
    ),
    ask: (realm) => isLetIn(realm),
  },
  {
    setting: 'client_scope negate',
    realms: refusedIf(
      'conditional-client-scope',
      { client_scope: 'email' },
      { client_scope: 'email', negate: 'true' },
      { client_scope: 'phone' },
    ),
    ask: async (realm) => [await isLetIn(realm), await isLetIn(realm, 'openid phone')],
  },
  {
    setting: 'credentials included',
    realms: refusedIf(
      'conditional-credential',
      { credentials: 'otp', included: 'true' },
      { credentials: 'password', included: 'true' },
      { credentials: 'password', included: 'false' },
    ),
    ask: (realm) => isLetIn(realm),
  },
  {
    setting: 'secure-redirect-uris-enforcer',
    realms: executed(
      'secure-redirect-uris-enforcer',
      {},
      { 'allow-http-scheme': true },
      { 'allow-wildcard-context-path': true },
      { 'allow-open-redirect': true },
      { 'allow-private-use-uri-scheme': true },
      { 'allow-ipv4-loopback-address': true },
      { 'allow-ipv6-loopback-address': true },
      { 'allow-permitted-domains': ['good.test'] },
      { 'oauth-2-1-compliant': true },
      { 'allow-http-scheme': true, 'allow-wildcard-context-path': true },
    ),
    ask: creating(
      ...[
        'https://good.test/cb',
        'http://good.test/cb',
        'https://x.test/*',
        '*',
        'com.app:/cb',
        'myapp://cb',
        'http://127.0.0.1/cb',
        'http://127.0.0.1:8080/cb',
        'http://[::1]/cb',
        'http://localhost/cb',
      ].map((redirect) => ({ redirectUris: [redirect] })),
    ),
  },
  {
    setting: 'allowed-patterns client-uri-fields',
    realms: executed(
      'secure-client-uris-pattern',
      { 'allowed-patterns': ['^https://x\\.test/.*'] },
      { 'allowed-patterns': ['^https://x\\.test/.*'], 'client-uri-fields': ['redirectUris'] },
      { 'allowed-patterns': ['^https://x\\.test/.*'], 'client-uri-fields': ['baseUrl', 'adminUrl'] },
    ),
    ask: creating(
      { redirectUris: ['https://x.test/a'] },
      { redirectUris: ['https://y.test/a'] },
      { redirectUris: ['https://x.test/a'], baseUrl: 'https://y.test/' },
      { redirectUris: ['https://x.test/a'], webOrigins: ['https://x.test'] },
    ),
  },
  {
    setting: 'auto-configure',
    realms: [
      'pkce-enforcer',
      'consent-required',
      'full-scope-disabled',
      'reject-ropc-grant',
      'reject-implicit-grant',
    ].flatMap((executor) => executed(executor, { 'auto-configure': true }, { 'auto-configure': false })),
    ask: async (realm) => {
      const switches = { implicitFlowEnabled: true, directAccessGrantsEnabled: true, fullScopeAllowed: true };
      const asked = { ...switches, redirectUris: ['https://x.test/a'], consentRequired: false };
      const verdicts = await creating(asked)(realm);
      const made = await created(realm);
      const { 'pkce.code.challenge.method': pkce } = (made?.attributes ?? {}) as Record<string, string>;
      const switched = [...Object.keys(switches), 'consentRequired'].map((name) => made?.[name]);
      return [verdicts, pkce, ...switched, await login(realm)];
    },
  },
  {
    setting: 'conditions of client policies',
    realms: [
      ...onCondition('client-access-type', ...['confidential', 'public'].map((type) => ({ type: [type] }))),
      ...onCondition(
        'client-scopes',
        { type: 'Default', scopes: ['email'] },
        { type: 'Optional', scopes: ['phone'] },
        { type: 'Any', scopes: ['phone'] },
      ),
      ...onCondition('grant-type', { grant_types: ['password'] }, { grant_types: ['client_credentials'] }),
      ...onCondition(
        'client-roles',
        { roles: ['c1'] },
        { roles: ['none'] },
        { roles: ['none'], 'is-negative-logic': true },
      ),
    ],
    ask: async (realm) => [await login(realm), verdict(await realm.login({ scope: 'openid phone' }))],
  },
  {
    setting: 'trusted-hosts',
    realms: registrationPolicy(
      'trusted-hosts',
      ...[
        ['true', 'true', '127.0.0.1', 'localhost'],
        ['true', 'true', '127.0.0.1', 'app.test'],
        ['true', 'false', '10.0.0.1'],
      ].map(([sender, uris, ...hosts]) => ({
        'host-sending-registration-request-must-match': [sender],
        'client-uris-must-match': [uris],
        'trusted-hosts': hosts,
      })),
    ),
    ask: async ({ register }) => {
      const answers = [
        await register({ redirect_uris: ['https://app.test/cb'] }),
        await register({ redirect_uris: ['https://x.test/'] }),
      ];
      return answers.map(({ status, json }) => [status, json.error]);
    },
  },
  {
    setting: 'max-clients consent-required scope client-disabled',
    realms: [
      ...registrationPolicy('max-clients', ...['3', '100', '0'].map((most) => ({ 'max-clients': [most] }))),
      ...['consent-required', 'scope', 'client-disabled'].flatMap((id) => registrationPolicy(id, {})),
    ],
    ask: async ({ register, admin }) => {
      const { status, json } = await register({ redirect_uris: ['https://app.test/cb'] });
      if (status !== 201) return [status, json.error];
      const [made] = (await admin('GET', `/clients?clientId=${String(json.client_id)}`)).json as unknown as [
        Record<string, unknown>,
      ];
      return [status, made.consentRequired, made.fullScopeAllowed, made.enabled];
    },
  },
];
