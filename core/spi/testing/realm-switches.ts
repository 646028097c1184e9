import type { Json, JsonObject, JsonSchema } from '../json-schema.js';
import type { ProviderDefinition } from '../plugin.js';
import type { AuthenticatorDescription } from '../spis/authenticator.js';
import { settingTexts } from '../spis/setting-texts.js';
import { sample } from './conformance/sample.js';
import { list, record } from './realm-parts.js';
import { flow, LOGINS, namesProvider, REGISTRATION, withEntry } from './test-flows.js';

/**
 * Returns the members of a realm that must change to enable a provider.
 * @param settings the provider's settings, if its SPI has any
 */
export type EnableProvider = (realm: JsonObject, definition: ProviderDefinition, settings: JsonObject) => JsonObject;

/** Enables a provider in the realm's `providers`. */
export function enableInProviders(realm: JsonObject, { spi, id }: ProviderDefinition): JsonObject {
  const providers = record(realm.providers);
  const ofSpi = record(providers[spi.id]);
  return { providers: { ...providers, [spi.id]: { ...ofSpi, [id]: { enabled: true, ...record(ofSpi[id]) } } } };
}

const NO_CHANGE: JsonObject = {};

/** @param term of the password policy */
function addPolicyTerm({ passwordPolicy }: JsonObject, term: string): JsonObject {
  const terms = typeof passwordPolicy === 'string' && passwordPolicy !== '' ? [passwordPolicy, term] : [term];
  return { passwordPolicy: terms.join(' and ') };
}

const executorEntry = (executor: string): JsonObject => ({ executor, configuration: {} });

/** Converts settings to the form of a realm's `components`. */
function settingLists(settings: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, [value].flat().map(String) as Json[]]),
  );
}

/** Returns `config` with the settings in the form of flows, mappers and actions; no member if there are no settings. */
function configMember(settings: JsonObject): { readonly config?: JsonObject } {
  return Object.keys(settings).length === 0 ? {} : { config: settingTexts(settings) };
}

/** Returns the entry of a flow for a provider, and the members of the realm that contain its settings. */
function entryWithSettings(
  realm: JsonObject,
  id: string,
  settings: JsonObject,
): [entry: JsonObject, ofRealm: JsonObject] {
  const { config } = configMember(settings);
  if (config === undefined) return [{ authenticator: id }, {}];
  const alias = `test ${id}`;
  const authenticatorConfig = [...list(realm.authenticatorConfig), { alias, config }];
  return [{ authenticator: id, authenticatorConfig: alias }, { authenticatorConfig }];
}

/** @param name the name of the policy and of its profile */
function addClientPolicy(
  realm: JsonObject,
  name: string,
  condition: JsonObject,
  executors: readonly JsonObject[],
): JsonObject {
  const ofProfiles = record(realm.clientProfiles);
  const ofPolicies = record(realm.clientPolicies);
  const policy = { name, enabled: true, conditions: [condition], profiles: [name] };
  return {
    clientProfiles: { ...ofProfiles, profiles: [...list(ofProfiles.profiles), { name, executors }] },
    clientPolicies: { ...ofPolicies, policies: [...list(ofPolicies.policies), policy] },
  };
}
const PROFILE_COMPONENT = 'org.keycloak.userprofile.UserProfileProvider';
const PROFILE_SETTING = 'kc.user.profile.config';

interface Profile {
  readonly attributes: readonly { readonly name: string; readonly validations?: JsonObject }[];
}

/** The user profile of a realm without one: every attribute is allowed. */
const OPEN_PROFILE = {
  attributes: ['username', 'email', 'firstName', 'lastName'].map((name) => ({
    name,
    permissions: { view: ['admin', 'user'], edit: ['admin', 'user'] },
  })),
  unmanagedAttributePolicy: 'ENABLED',
};

const POLICY_COMPONENT = 'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy';
const KEY_COMPONENT = 'org.keycloak.keys.KeyProvider';

/** The functions that enable providers by other keys of a realm than `providers`, by SPI. */
export const ENABLERS: Readonly<Record<string, EnableProvider>> = {
  'grpc-service': (realm, definition) => ({
    ...enableInProviders(realm, definition),
    clientScopes: [
      ...list(realm.clientScopes),
      ...scopesOf(definition).map((name) => ({ name, protocol: 'openid-connect' })),
    ],
  }),
  'events-listener': (realm, { id }) => ({
    eventsListeners: [...new Set([...list(realm.eventsListeners), id])] as Json[],
  }),
  'client-registration-policy': (realm, { id }, settings) => {
    const components = record(realm.components);
    const existing = list(components[POLICY_COMPONENT]);
    // The test has configured the provider itself.
    if (existing.some(({ providerId }) => providerId === id)) return NO_CHANGE;
    const config = settingLists(settings);
    const added = ['anonymous', 'authenticated'].map((subType) => ({ name: id, providerId: id, subType, config }));
    return { components: { ...components, [POLICY_COMPONENT]: [...existing, ...added] } };
  },
  // In addition to the host's own keys, with a higher priority.
  keys: (realm, { id }, settings) => {
    const components = record(realm.components);
    const existing = list(components[KEY_COMPONENT]);
    if (existing.some(({ providerId }) => providerId === id)) return NO_CHANGE;
    const generated = { name: 'rsa-generated', providerId: 'rsa-generated', config: { priority: ['100'] } };
    const added = {
      id: `keys-${id}`,
      name: id,
      providerId: id,
      config: { priority: ['500'], ...settingLists(settings) },
    };
    return {
      components: { ...components, [KEY_COMPONENT]: [...(existing.length === 0 ? [generated] : existing), added] },
    };
  },
  eventsStore: (realm, definition) => ({
    ...enableInProviders(realm, definition),
    eventsEnabled: realm.eventsEnabled ?? true,
    adminEventsEnabled: realm.adminEventsEnabled ?? true,
  }),
  'client-policy-condition': (realm, { id }, settings) => {
    const policies = list(record(realm.clientPolicies).policies);
    if (policies.some(({ conditions }) => list(conditions).some(({ condition }) => condition === id))) return NO_CHANGE;
    // These executors run for nearly all events, and refuse few requests.
    const harmlessExecutors = ['secure-client-authentication-assertion', 'registration-access-token-rotation-disabled'];
    return addClientPolicy(realm, id, { condition: id, configuration: settings }, harmlessExecutors.map(executorEntry));
  },
  'client-policy-executor': (realm, { id }, settings) => {
    const profiles = list(record(realm.clientProfiles).profiles);
    if (profiles.some(({ executors }) => list(executors).some(({ executor }) => executor === id))) return NO_CHANGE;
    const executor = { executor: id, configuration: settings };
    return addClientPolicy(realm, id, { condition: 'any-client', configuration: {} }, [executor]);
  },
  theme: (realm, { id }) => ({ loginTheme: realm.loginTheme ?? id }),
  'required-action': (realm, { id }, settings) => {
    const actions = list(realm.requiredActions);
    if (actions.some(({ alias, providerId }) => (providerId ?? alias) === id)) return NO_CHANGE;
    return {
      requiredActions: [...actions, { alias: id, providerId: id, name: id, enabled: true, ...configMember(settings) }],
    };
  },
  vault: (realm, definition) => ({
    ...enableInProviders(realm, definition),
    clients: [
      ...list(realm.clients),
      { clientId: `app-${definition.id}`, secret: '${vault.conformance}', serviceAccountsEnabled: true },
    ],
  }),
  // Adds the client `app-ID`, which can authenticate once the test has set its credentials.
  'client-authenticator': (realm, { id }, settings) => ({
    clients: [
      ...list(realm.clients),
      {
        clientId: `app-${id}`,
        clientAuthenticatorType: id,
        serviceAccountsEnabled: true,
        standardFlowEnabled: false,
        attributes: settingTexts(settings),
      },
    ],
  }),
  'password-policy': (realm, { id, declaration: { value, defaultValue } }) => {
    const needsValue = value !== undefined && defaultValue === undefined;
    return addPolicyTerm(realm, needsValue ? `${id}(${sample(value as JsonSchema)})` : id);
  },
  // Only users with roles of the client `account` see the page.
  'account-page': (realm, definition) => ({
    ...enableInProviders(realm, definition),
    users: list(realm.users).map((realmUser) => ({
      ...realmUser,
      clientRoles: { account: ['view-profile', 'manage-account'], ...record(realmUser.clientRoles) },
    })),
  }),
  // Adds an attribute that the validator checks, unless the test has assigned the validator.
  validator: (realm, { id }, settings) => {
    const components = record(realm.components);
    const [component = {}] = list(components[PROFILE_COMPONENT]);
    const config = record(component.config);
    const [text] = Array.isArray(config[PROFILE_SETTING]) ? config[PROFILE_SETTING] : [];
    const profile = text === undefined ? OPEN_PROFILE : (JSON.parse(String(text)) as Profile);
    if (
      profile.attributes.some((attribute) =>
        Object.hasOwn((attribute as Profile['attributes'][0]).validations ?? {}, id),
      )
    )
      return NO_CHANGE;
    const added = {
      name: `checked-by-${id}`,
      permissions: { view: ['admin', 'user'], edit: ['admin', 'user'] },
      validations: { [id]: settings },
    };
    const changedProfile = JSON.stringify({ ...profile, attributes: [...profile.attributes, added] });
    const profileComponent = {
      providerId: 'declarative-user-profile',
      ...component,
      config: { ...config, [PROFILE_SETTING]: [changedProfile] },
    };
    return { components: { ...components, [PROFILE_COMPONENT]: [profileComponent] } };
  },
  'password-hashing': (realm, { id }) => addPolicyTerm(realm, `hashAlgorithm(${id})`),
  'protocol-mapper': (realm, { id }, settings) => ({
    clients: list(realm.clients).map((client) => ({
      ...client,
      protocolMappers: [...list(client.protocolMappers), toMapper(id, settings)],
    })),
  }),
  'form-action': (realm, { id }, settings) => {
    const existingFlows = list(realm.authenticationFlows);
    const registration = { registrationAllowed: realm.registrationAllowed ?? true };
    if (namesProvider(existingFlows, id)) return registration;
    const form = existingFlows.find(({ providerId }) => providerId === 'form-flow')?.alias ?? 'test registration form';
    const flows = existingFlows.some(({ alias }) => alias === form)
      ? existingFlows
      : [...existingFlows, ...REGISTRATION];
    const [entry, ofRealm] = entryWithSettings(realm, id, settings);
    return {
      ...registration,
      ...ofRealm,
      registrationFlow: realm.registrationFlow ?? 'test registration',
      authenticationFlows: flows.map((existingFlow) =>
        existingFlow.alias === form ? withEntry(existingFlow, entry) : existingFlow,
      ),
    };
  },
  authenticator: (realm, { id, declaration }, settings) => {
    const { category } = (declaration.describe ?? {}) as Partial<AuthenticatorDescription>;
    // A condition gets its own flow, in front of a step that lets every user pass.
    const [stepEntry, ofRealm] = entryWithSettings(realm, id, settings);
    const conditionFlows =
      category === 'condition'
        ? [
            [stepEntry, { authenticator: 'allow-access-authenticator' }].reduce(
              withEntry,
              flow(`test ${id}`, [], false),
            ),
          ]
        : [];
    const entry: JsonObject =
      conditionFlows.length === 0 ? stepEntry : { flowAlias: `test ${id}`, requirement: 'CONDITIONAL' };
    const existingFlows = list(realm.authenticationFlows);
    // The test has configured the provider itself.
    if (namesProvider(existingFlows, id)) return NO_CHANGE;
    const flows = [
      ...existingFlows,
      ...LOGINS.filter(({ alias }) => existingFlows.every((one) => one.alias !== alias)),
    ];
    const exists = (alias: unknown) => flows.some((one) => one.alias === alias);
    const [browserFlow, directGrantFlow] = [realm.browserFlow, realm.directGrantFlow].map((alias, index) =>
      exists(alias) ? alias : LOGINS[index]?.alias,
    ) as [Json, Json];
    const isLogin = ({ alias }: JsonObject) => alias === browserFlow || alias === directGrantFlow;
    return {
      ...ofRealm,
      browserFlow,
      directGrantFlow,
      authenticationFlows: [...flows.map((one) => (isLogin(one) ? withEntry(one, entry) : one)), ...conditionFlows],
    };
  },
};

/** The scopes that the methods of a service require. */
function scopesOf({ declaration }: ProviderDefinition): string[] {
  const methods = Object.values((declaration.methods ?? {}) as Readonly<Record<string, { scope?: string }>>);
  return [...new Set(methods.flatMap(({ scope }) => (scope === undefined ? [] : [scope])))];
}

function toMapper(id: string, settings: JsonObject): JsonObject {
  const everywhere = ['access', 'id', 'userinfo', 'introspection'].map((target) => [`${target}.token.claim`, 'true']);
  const config = { ...Object.fromEntries(everywhere), ...settingTexts(settings) };
  return { name: id, protocol: 'openid-connect', protocolMapper: id, config };
}
