import { pbkdf2Sync, randomBytes } from 'node:crypto';
import type { Json, JsonObject, JsonSchema } from '../json-schema.js';
import type { AuthenticatorDescription } from '../kinds/authenticator.js';
import type { Plugin, ProviderDefinition } from '../plugin.js';
import { sample } from './conformance/sample.js';

/** A client of `testRealm` that may do all that clients may: code flow, password grant, service account. */
export const APP = { client_id: 'app', client_secret: 'app-secret' } as const;

/** One round only: the password is public, and a start does not wait for a slow hash. */
function password(value: string): JsonObject {
  const salt = randomBytes(16);
  const hash = pbkdf2Sync(value, salt, 1, 32, 'sha256');
  return {
    type: 'password',
    secretData: JSON.stringify({ value: hash.toString('base64'), salt: salt.toString('base64') }),
    credentialData: JSON.stringify({ algorithm: 'pbkdf2-sha256', hashIterations: 1, additionalParameters: {} }),
  };
}

const user = (username: string, more: JsonObject = {}): JsonObject => ({
  username,
  enabled: true,
  email: `${username}@example.test`,
  emailVerified: true,
  firstName: username.slice(0, 1).toUpperCase() + username.slice(1),
  lastName: 'Example',
  credentials: [password(username)],
  ...more,
});

/**
 * A realm file for tests: users `alice`, `bob` and `dave` (a realm admin), each with the username as password; the client
 * `app` with the secret `app-secret`. Keys are ES256, which are quick to make.
 * @param changes replace top-level keys, such as `providers`
 */
export function testRealm(name: string, changes: JsonObject = {}): JsonObject {
  return {
    realm: name,
    enabled: true,
    defaultSignatureAlgorithm: 'ES256',
    clients: [
      {
        clientId: APP.client_id,
        secret: APP.client_secret,
        redirectUris: ['http://localhost/*'],
        directAccessGrantsEnabled: true,
        serviceAccountsEnabled: true,
        attributes: { 'pkce.code.challenge.method': 'none' },
      },
    ],
    users: [user('alice'), user('bob'), user('dave', { clientRoles: { 'realm-management': ['realm-admin'] } })],
    ...changes,
  };
}

/**
 * The realm with every provider of the plugins enabled, each with the key of its kind in the realm file. What the realm says
 * itself stays: a flow gets the steps that no flow names, and a provider keeps its configuration.
 */
export function withEnabled(realm: JsonObject, plugins: readonly Plugin[]): JsonObject {
  let result = realm;
  for (const definition of plugins.flatMap(({ providers }) => providers)) {
    result = { ...result, ...(SWITCHES[definition.spi.id] ?? byProviders)(result, definition) };
  }
  return result;
}

type Switch = (realm: JsonObject, definition: ProviderDefinition) => JsonObject;

const list = (value: unknown) => (Array.isArray(value) ? (value as JsonObject[]) : []);
const record = (value: unknown) => (value ?? {}) as JsonObject;

const byProviders: Switch = (realm, { spi, id }) => {
  const providers = record(realm.providers);
  const ofKind = record(providers[spi.id]);
  return { providers: { ...providers, [spi.id]: { ...ofKind, [id]: { enabled: true, ...record(ofKind[id]) } } } };
};

const AS_IT_IS: JsonObject = {};

/** @param term of the password policy */
function withTerm({ passwordPolicy }: JsonObject, term: string): JsonObject {
  const terms = typeof passwordPolicy === 'string' && passwordPolicy !== '' ? [passwordPolicy, term] : [term];
  return { passwordPolicy: terms.join(' and ') };
}

const plain = (executor: string): JsonObject => ({ executor, configuration: {} });

function configurationOf(settings: unknown): Json {
  return settings === undefined ? {} : sample(settings as JsonSchema);
}

/** @param name of the policy, and of its profile */
function withPolicy(
  realm: JsonObject,
  name: string,
  condition: JsonObject,
  executors: readonly JsonObject[],
): JsonObject {
  const [ofProfiles, ofPolicies] = [record(realm.clientProfiles), record(realm.clientPolicies)];
  const policy = { name, enabled: true, conditions: [condition], profiles: [name] };
  return {
    clientProfiles: { ...ofProfiles, profiles: [...list(ofProfiles.profiles), { name, executors }] },
    clientPolicies: { ...ofPolicies, policies: [...list(ofPolicies.policies), policy] },
  };
}
const PROFILES = 'org.keycloak.userprofile.UserProfileProvider';
const PROFILE = 'kc.user.profile.config';

interface Profile {
  readonly attributes: readonly { readonly name: string; readonly validations?: JsonObject }[];
}

/** What a realm's profile names where it has none: anything may be an attribute. */
const OPEN_PROFILE = {
  attributes: ['username', 'email', 'firstName', 'lastName'].map((name) => ({
    name,
    permissions: { view: ['admin', 'user'], edit: ['admin', 'user'] },
  })),
  unmanagedAttributePolicy: 'ENABLED',
};

const POLICIES = 'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy';
const KEYS = 'org.keycloak.keys.KeyProvider';

/** Kinds that another key of the realm switches. */
const SWITCHES: Readonly<Record<string, Switch>> = {
  'grpc-service': (realm, definition) => ({
    ...byProviders(realm, definition),
    clientScopes: [
      ...list(realm.clientScopes),
      ...scopesOf(definition).map((name) => ({ name, protocol: 'openid-connect' })),
    ],
  }),
  'events-listener': (realm, { id }) => ({
    eventsListeners: [...new Set([...list(realm.eventsListeners), id])] as Json[],
  }),
  'client-registration-policy': (realm, { id }) => {
    const components = record(realm.components);
    const own = list(components[POLICIES]);
    // The test has put it where it belongs.
    if (own.some(({ providerId }) => providerId === id)) return AS_IT_IS;
    const added = ['anonymous', 'authenticated'].map((subType) => ({ name: id, providerId: id, subType, config: {} }));
    return { components: { ...components, [POLICIES]: [...own, ...added] } };
  },
  // Beside the keys of the host, and before them.
  keys: (realm, { id }) => {
    const components = record(realm.components);
    const own = list(components[KEYS]);
    if (own.some(({ providerId }) => providerId === id)) return AS_IT_IS;
    const generated = { name: 'rsa-generated', providerId: 'rsa-generated', config: { priority: ['100'] } };
    const added = { id: `keys-${id}`, name: id, providerId: id, config: { priority: ['500'] } };
    return { components: { ...components, [KEYS]: [...(own.length === 0 ? [generated] : own), added] } };
  },
  eventsStore: (realm, definition) => ({
    ...byProviders(realm, definition),
    ...{ eventsEnabled: realm.eventsEnabled ?? true, adminEventsEnabled: realm.adminEventsEnabled ?? true },
  }),
  'client-policy-condition': (realm, { id, declaration: { settings } }) => {
    const policies = list(record(realm.clientPolicies).policies);
    if (policies.some(({ conditions }) => list(conditions).some(({ condition }) => condition === id))) return AS_IT_IS;
    // They have a say in nearly everything, and refuse little of it.
    const harmless = ['secure-client-authentication-assertion', 'registration-access-token-rotation-disabled'];
    return withPolicy(realm, id, { condition: id, configuration: configurationOf(settings) }, harmless.map(plain));
  },
  'client-policy-executor': (realm, { id, declaration: { settings } }) => {
    const profiles = list(record(realm.clientProfiles).profiles);
    if (profiles.some(({ executors }) => list(executors).some(({ executor }) => executor === id))) return AS_IT_IS;
    const own = { executor: id, configuration: configurationOf(settings) };
    return withPolicy(realm, id, { condition: 'any-client', configuration: {} }, [own]);
  },
  theme: (realm, { id }) => ({ loginTheme: realm.loginTheme ?? id }),
  'required-action': (realm, { id }) => {
    const actions = list(realm.requiredActions);
    if (actions.some(({ alias, providerId }) => (providerId ?? alias) === id)) return AS_IT_IS;
    return { requiredActions: [...actions, { alias: id, providerId: id, name: id, enabled: true }] };
  },
  vault: (realm, definition) => ({
    ...byProviders(realm, definition),
    clients: [
      ...list(realm.clients),
      { clientId: `app-${definition.id}`, secret: '${vault.conformance}', serviceAccountsEnabled: true },
    ],
  }),
  // No client gets in by it before the test gives one what it needs: the realm has one, `app-ID`.
  'client-authenticator': (realm, { id }) => ({
    clients: [
      ...list(realm.clients),
      { clientId: `app-${id}`, clientAuthenticatorType: id, serviceAccountsEnabled: true, standardFlowEnabled: false },
    ],
  }),
  'password-policy': (realm, { id, declaration: { value, defaultValue } }) => {
    const isGiven = value !== undefined && defaultValue === undefined;
    return withTerm(realm, isGiven ? `${id}(${sample(value as JsonSchema)})` : id);
  },
  // Nobody sees it who may not see their account.
  'account-page': (realm, definition) => ({
    ...byProviders(realm, definition),
    users: list(realm.users).map((one) => ({
      ...one,
      clientRoles: { account: ['view-profile', 'manage-account'], ...record(one.clientRoles) },
    })),
  }),
  // An attribute of its own has it, unless the test has put it where it belongs.
  validator: (realm, { id, declaration: { settings } }) => {
    const components = record(realm.components);
    const [component = {}] = list(components[PROFILES]);
    const config = record(component.config);
    const [text] = Array.isArray(config[PROFILE]) ? config[PROFILE] : [];
    const profile = text === undefined ? OPEN_PROFILE : (JSON.parse(String(text)) as Profile);
    if (profile.attributes.some((one) => Object.hasOwn((one as Profile['attributes'][0]).validations ?? {}, id)))
      return AS_IT_IS;
    const needed = (settings as JsonSchema | undefined)?.required?.[0];
    const added = {
      name: `checked-by-${id}`,
      permissions: { view: ['admin', 'user'], edit: ['admin', 'user'] },
      // What has a default has it.
      validations: { [id]: needed === undefined ? {} : sample(settings as JsonSchema) },
    };
    const changed = JSON.stringify({ ...profile, attributes: [...profile.attributes, added] });
    const own = { providerId: 'declarative-user-profile', ...component, config: { ...config, [PROFILE]: [changed] } };
    return { components: { ...components, [PROFILES]: [own] } };
  },
  'password-hashing': (realm, { id }) => withTerm(realm, `hashAlgorithm(${id})`),
  'protocol-mapper': (realm, { id }) => ({
    clients: list(realm.clients).map((client) => ({
      ...client,
      protocolMappers: [...list(client.protocolMappers), mapper(id)],
    })),
  }),
  'form-action': (realm, { id }) => {
    const own = list(realm.authenticationFlows);
    const allowed = { registrationAllowed: realm.registrationAllowed ?? true };
    if (names(own, id)) return allowed;
    const form = own.find(({ providerId }) => providerId === 'form-flow')?.alias ?? 'test registration form';
    const flows = own.some(({ alias }) => alias === form) ? own : [...own, ...REGISTRATION];
    return {
      ...allowed,
      registrationFlow: realm.registrationFlow ?? 'test registration',
      authenticationFlows: flows.map((one) => (one.alias === form ? withEntry(one, { authenticator: id }) : one)),
    };
  },
  authenticator: (realm, { id, declaration }) => {
    const { category } = (declaration.describe ?? {}) as Partial<AuthenticatorDescription>;
    // A condition stands in a flow of its own, in front of something that lets everybody pass.
    const inner = category === 'condition' ? [flow(`test ${id}`, [id, 'allow-access-authenticator'], false)] : [];
    const entry: JsonObject =
      inner.length === 0 ? { authenticator: id } : { flowAlias: `test ${id}`, requirement: 'CONDITIONAL' };
    const own = list(realm.authenticationFlows);
    // The test has put it where it belongs.
    if (names(own, id)) return AS_IT_IS;
    const flows = [...own, ...LOGINS.filter(({ alias }) => own.every((one) => one.alias !== alias))];
    const isThere = (alias: unknown) => flows.some((one) => one.alias === alias);
    const [browserFlow, directGrantFlow] = [realm.browserFlow, realm.directGrantFlow].map((alias, index) =>
      isThere(alias) ? alias : LOGINS[index]?.alias,
    ) as [Json, Json];
    const isLogin = ({ alias }: JsonObject) => alias === browserFlow || alias === directGrantFlow;
    return {
      browserFlow,
      directGrantFlow,
      authenticationFlows: [...flows.map((one) => (isLogin(one) ? withEntry(one, entry) : one)), ...inner],
    };
  },
};

/** Where people register in a test realm: by the host's own actions, and those of a plugin. */
const REGISTRATION: readonly JsonObject[] = [
  {
    ...{ alias: 'test registration', providerId: 'basic-flow', topLevel: true },
    authenticationExecutions: [
      { authenticator: 'registration-page-form', flowAlias: 'test registration form', requirement: 'REQUIRED' },
    ],
  },
  {
    ...flow('test registration form', ['registration-user-creation', 'registration-password-action'], false),
    providerId: 'form-flow',
  },
];

/** The words of scope that the methods of a service ask for. */
function scopesOf({ declaration }: ProviderDefinition): string[] {
  const methods = Object.values((declaration.methods ?? {}) as Readonly<Record<string, { scope?: string }>>);
  return [...new Set(methods.flatMap(({ scope }) => (scope === undefined ? [] : [scope])))];
}

/** True where one of the flows names the provider. */
function names(flows: readonly JsonObject[], id: string): boolean {
  return flows.some((one) => list(one.authenticationExecutions).some(({ authenticator }) => authenticator === id));
}

function mapper(id: string): JsonObject {
  const everywhere = ['access', 'id', 'userinfo', 'introspection'].map((target) => [`${target}.token.claim`, 'true']);
  return { name: id, protocol: 'openid-connect', protocolMapper: id, config: Object.fromEntries(everywhere) };
}

function flow(alias: string, steps: readonly string[], topLevel = true): JsonObject {
  const empty = { alias, providerId: 'basic-flow', topLevel, authenticationExecutions: [] };
  return steps.reduce<JsonObject>((made, authenticator) => withEntry(made, { authenticator }), empty);
}

/** The flow with one more entry, which is required unless it says otherwise. */
function withEntry(flow: JsonObject, entry: JsonObject): JsonObject {
  const before = list(flow.authenticationExecutions);
  const priority = Math.max(0, ...before.map((one) => Number(one.priority ?? 0))) + 1;
  const last = { requirement: 'REQUIRED', ...entry, priority };
  return { ...flow, authenticationExecutions: [...before, last] };
}

/** How users of a test realm sign in before the steps of a plugin. */
const LOGINS: readonly JsonObject[] = [
  flow('test browser', ['auth-username-password-form']),
  flow('test direct grant', ['direct-grant-validate-username', 'direct-grant-validate-password']),
];
