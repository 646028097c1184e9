import { IDENTITY_PROVIDER_MAPPERS, OIDC_PROVIDERS, SYNC_MODES } from '../../model/identity-provider.js';
import { REGISTRATION_POLICY } from '../../model/registration-policies.js';
import type { ComponentRepresentation, FlowRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { SchemaProblem } from '../json/schema-check.js';
import type { ProviderSchema } from '../realm-file/provider-checks.js';
import { ineffectiveEventSettings } from './ineffective-events.js';
import { ineffectiveMappers } from './ineffective-mappers.js';
import { unknownClientAuthenticators } from './unknown-client-authenticators.js';

/**
 * Keycloak's steps that only serve organizations. In a realm without organizations they do nothing in Keycloak either.
 */
const ORGANIZATION_STEPS = ['organization', 'idp-add-organization-member'];
/** A form action of realms before Keycloak 24. The creation of the user includes its work now. */
const FORMER_PROFILE_ACTION = 'registration-profile-action';
/** Keycloak's built-in themes. A realm that names one gets Keyhost's theme without a warning. */
const KEYCLOAK_THEMES = ['', 'base', 'keycloak', 'keycloak.v2', 'keycloak.v3'];
/** Listeners that write Keycloak's log. */
const LOG_LISTENERS = ['jboss-logging'];
const STORAGE_PREFIX = 'org.keycloak.storage.';
const KEY_COMPONENT = 'org.keycloak.keys.KeyProvider';
const BUILT_IN_KEY_PROVIDERS = [
  'rsa',
  'rsa-enc',
  'rsa-generated',
  'rsa-enc-generated',
  'ecdsa-generated',
  'ecdh-generated',
  'eddsa-generated',
  'hmac-generated',
  'aes-generated',
];
/**
 * Objects of a realm that no provider of this host implements. They are stored, since another host may have the
 * provider, and have no effect.
 * @param providers the providers of this host
 */
export function unimplementedObjects(
  realm: RealmRepresentation,
  providers: readonly ProviderSchema[],
): SchemaProblem[] {
  const ids = (spi: string) => new Set(providers.filter((one) => one.spi === spi).map(({ id }) => id));
  return [
    ...unimplementedSteps(realm, { steps: ids('authenticator'), forms: ids('form-action') }),
    ...repeatedConfigAliases(realm),
    ...unimplementedActions(realm, ids('required-action')),
    ...unimplementedListeners(realm, ids('events-listener')),
    ...ineffectiveEventSettings(realm),
    ...unimplementedThemes(realm, ids('theme')),
    ...unimplementedComponents(realm, { keys: ids('keys'), policies: ids('client-registration-policy') }),
    ...clientsOfOtherProtocols(realm),
    ...unknownClientAuthenticators(realm, ids('client-authenticator')),
    ...unsupportedIdentityProviders(realm),
    ...ineffectiveMappers(realm, ids('protocol-mapper')),
  ];
}

/**
 * Finds steps whose authenticator or form action does not exist, in the flows that users run. These steps can never
 * succeed.
 */
function unimplementedSteps(
  realm: RealmRepresentation,
  provided: { readonly steps: ReadonlySet<string>; readonly forms: ReadonlySet<string> },
): SchemaProblem[] {
  const { authenticationFlows = [], organizationsEnabled } = realm;
  const used = usedFlows(realm);
  return authenticationFlows.flatMap(({ alias, authenticationExecutions = [] }, index) =>
    authenticationExecutions.flatMap(({ authenticator, requirement, flowAlias }, executionIndex) => {
      const isForm = used.forms.has(alias);
      if (authenticator === undefined || flowAlias !== undefined || requirement === 'DISABLED') return [];
      if (!isForm && !used.steps.has(alias)) return [];
      if (isForm && authenticator === FORMER_PROFILE_ACTION) return [];
      if ((isForm ? provided.forms : provided.steps).has(authenticator)) return [];
      if (ORGANIZATION_STEPS.includes(authenticator) && organizationsEnabled !== true) return [];
      const path = ['authenticationFlows', index, 'authenticationExecutions', executionIndex, 'authenticator'];
      const message = isForm
        ? `form action "${authenticator}" not found: nobody can register if the flow "${alias}" requires it`
        : `authenticator "${authenticator}" not found: a user who reaches this step of the flow "${alias}" cannot sign in with it`;
      return [{ path, message }];
    }),
  );
}

/** The aliases of the flows that users run, with their subflows, and of the registration forms. */
function usedFlows(realm: RealmRepresentation): { readonly steps: Set<string>; readonly forms: Set<string> } {
  const flows = new Map((realm.authenticationFlows ?? []).map((flow) => [flow.alias, flow]));
  const ids = new Map((realm.authenticationFlows ?? []).map((flow) => [flow.id, flow.alias]));
  const { browserFlow = 'browser', directGrantFlow = 'direct grant' } = realm;
  const loginFlows = [browserFlow, directGrantFlow, realm.firstBrokerLoginFlow ?? 'first broker login'];
  const overrides = (realm.clients ?? []).flatMap(({ authenticationFlowBindingOverrides: own = {} }) =>
    Object.values(own),
  );
  const ofProviders = (realm.identityProviders ?? []).flatMap((one) => [
    one.firstBrokerLoginFlowAlias,
    one.postBrokerLoginFlowAlias,
  ]);
  const aliases = [...loginFlows, ...overrides.map((flow) => ids.get(String(flow)) ?? String(flow)), ...ofProviders];
  const steps = new Set<string>();
  const forms = new Set<string>();
  const add = (alias: string | undefined, to: Set<string>) => {
    const flow = alias === undefined ? undefined : flows.get(alias);
    if (flow === undefined || to.has(flow.alias)) return;
    to.add(flow.alias);
    for (const inner of innerFlows(flow)) add(inner, to);
  };
  for (const alias of aliases) add(alias, steps);
  const registration = flows.get(realm.registrationFlow ?? 'registration');
  if (registration !== undefined && realm.registrationAllowed === true) {
    for (const inner of innerFlows(registration)) add(inner, forms);
  }
  return { steps, forms };
}

function innerFlows({ authenticationExecutions = [] }: FlowRepresentation): string[] {
  return authenticationExecutions.flatMap(({ flowAlias, requirement }) =>
    flowAlias === undefined || requirement === 'DISABLED' ? [] : [flowAlias],
  );
}

function repeatedConfigAliases({ authenticatorConfig = [] }: RealmRepresentation): SchemaProblem[] {
  const aliases = authenticatorConfig.map(({ alias }) => alias);
  return aliases.flatMap((alias, index) => {
    if (aliases.indexOf(alias) === index) return [];
    const message = `another entry has the alias "${alias}": steps with this alias use the first entry`;
    return [{ path: ['authenticatorConfig', index, 'alias'], message }];
  });
}

function unimplementedActions(
  { requiredActions = [] }: RealmRepresentation,
  knownActions: ReadonlySet<string>,
): SchemaProblem[] {
  return requiredActions.flatMap(({ alias = '', providerId = alias, enabled }, index) =>
    enabled !== true || knownActions.has(providerId)
      ? []
      : [
          {
            path: ['requiredActions', index, 'providerId'],
            message: `required action "${providerId}" not found: users are not asked for it`,
          },
        ],
  );
}

function unimplementedListeners(
  { eventsListeners = [] }: RealmRepresentation,
  knownListeners: ReadonlySet<string>,
): SchemaProblem[] {
  return eventsListeners.flatMap((id, index) =>
    knownListeners.has(id) || LOG_LISTENERS.includes(id)
      ? []
      : [{ path: ['eventsListeners', index], message: `event listener "${id}" not found: no events are sent to it` }],
  );
}

function unimplementedThemes(realm: RealmRepresentation, knownThemes: ReadonlySet<string>): SchemaProblem[] {
  return (['loginTheme', 'accountTheme', 'emailTheme'] as const).flatMap((key) => {
    const id = realm[key] ?? '';
    if (KEYCLOAK_THEMES.includes(id) || knownThemes.has(id)) return [];
    return [{ path: [key], message: `theme "${id}" not found: pages have the theme of Keyhost` }];
  });
}

/** The IDs of this host's component providers. */
interface KnownComponents {
  readonly keys: ReadonlySet<string>;
  readonly policies: ReadonlySet<string>;
}

function unimplementedComponents({ components = {} }: RealmRepresentation, known: KnownComponents): SchemaProblem[] {
  return Object.entries(components).flatMap(([type, some]) =>
    some.flatMap((component, index) => {
      const message = unimplementedComponentMessage(type, component, known);
      return message === undefined ? [] : [{ path: ['components', type, index], message }];
    }),
  );
}

function unimplementedComponentMessage(
  type: string,
  { providerId }: ComponentRepresentation,
  { keys, policies }: KnownComponents,
) {
  if (type.startsWith(STORAGE_PREFIX)) {
    return `user storage "${providerId}" not found: users of this directory cannot sign in`;
  }
  if (type === KEY_COMPONENT && !BUILT_IN_KEY_PROVIDERS.includes(providerId) && !keys.has(providerId)) {
    return `key provider "${providerId}" not found: its keys sign and decrypt nothing`;
  }
  if (type === REGISTRATION_POLICY && !policies.has(providerId)) {
    return `client registration policy "${providerId}" not found: nobody registers a client by requests that it is for`;
  }
  return undefined;
}

function clientsOfOtherProtocols({ clients = [] }: RealmRepresentation): SchemaProblem[] {
  return clients.flatMap(({ clientId, protocol = 'openid-connect', enabled }, index) =>
    protocol === 'openid-connect' || enabled === false
      ? []
      : [
          {
            path: ['clients', index, 'protocol'],
            message: `"${protocol}" is not supported: users cannot sign in to client ${clientId}`,
          },
        ],
  );
}

function unsupportedIdentityProviders({ identityProviders = [], identityProviderMappers = [] }: RealmRepresentation) {
  const found: SchemaProblem[] = identityProviders.flatMap(({ alias, providerId = '', enabled }, index) =>
    OIDC_PROVIDERS.includes(providerId) || enabled === false
      ? []
      : [
          {
            path: ['identityProviders', index, 'providerId'],
            message: `"${providerId}" is not supported: users cannot sign in with identity provider ${alias}`,
          },
        ],
  );
  const isSupported = (alias: string) =>
    identityProviders.some((one) => one.alias === alias && OIDC_PROVIDERS.includes(one.providerId ?? ''));
  for (const [index, mapper] of identityProviderMappers.entries()) {
    const { name, identityProviderMapper: id, config: { syncMode } = {} } = mapper;
    if (syncMode && syncMode !== 'INHERIT' && !(SYNC_MODES as readonly string[]).includes(syncMode)) {
      const path = ['identityProviderMappers', index, 'config', 'syncMode'];
      found.push({
        path,
        message: `sync mode "${syncMode}" not found: mapper ${name} has that of its identity provider`,
      });
    }
    if (!isSupported(mapper.identityProviderAlias) || (IDENTITY_PROVIDER_MAPPERS as readonly string[]).includes(id))
      continue;
    const path = ['identityProviderMappers', index, 'identityProviderMapper'];
    found.push({ path, message: `identity provider mapper "${id}" not found: mapper ${name} has no effect` });
  }
  return found;
}
