import {
  Authenticator,
  ClientAuthenticator,
  ClientRegistrationPolicy,
  FormAction,
  type JsonSchema,
  KeyProvider,
  ProtocolMapper,
  RequiredAction,
} from '@keyhost/spi';
import type { ProtocolMapperRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { JsonPath } from '../json/json-document.js';
import type { ProviderSchema } from './provider-checks.js';

/** A provider that reads settings from a realm. */
export type SettingsReader = Pick<ProviderSchema, 'spi' | 'id' | 'settings' | 'builtin'>;

/**
 * The settings that a realm gives to a provider in one place, such as a step or a mapper. Steps that share an entry of
 * `authenticatorConfig` are one use.
 */
export interface ConfigUse {
  readonly kind: 'step' | 'mapper' | 'required action' | 'client' | 'component';
  /** Settings by name; `##` separates the items of a list. Undefined for a step that names no entry. */
  readonly config: Readonly<Record<string, string>> | undefined;
  /** The providers of this host that read it; at least one. */
  readonly readers: readonly SettingsReader[];
  /** True if a provider that this host does not have reads it, too. */
  readonly hasUnknownReader: boolean;
  /** The settings that the host itself reads of each use of this kind. */
  readonly hostSettings: readonly string[];
  /**
   * The path of `config`, or of a step without settings. A function, since only a use with a mistake needs its path.
   */
  readonly path: () => JsonPath;
  /** The owner's name for a sentence of the log, such as `client web, mapper groups`. */
  readonly owner: () => string;
}

/** Settings that the host reads of every mapper, each a boolean: the tokens that receive its claims. */
export const MAPPER_SETTINGS: readonly string[] = [
  'id.token.claim',
  'access.token.claim',
  'userinfo.token.claim',
  'introspection.token.claim',
  'access.tokenResponse.claim',
  'lightweight.claim',
];
/** Settings that the host reads of every step, for the claim `amr`. */
const STEP_SETTINGS: readonly string[] = ['default.reference.value', 'default.reference.maxAge'];
/** Settings that the host reads of every key component. */
const KEY_SETTINGS: readonly string[] = ['priority', 'enabled', 'active', 'kid'];
const NO_HOST_SETTINGS: readonly string[] = [];

const EMPTY_SETTINGS_SCHEMA: JsonSchema = { type: 'object', properties: {}, additionalProperties: false };

/** The providers of one SPI by ID. */
type ProvidersById = ReadonlyMap<string, readonly [SettingsReader]>;
type ProvidersOfSpi = (spi: { readonly id: string }) => ProvidersById;

/**
 * Lists the places in which a realm gives settings to providers of this host. These are steps and form actions, mappers
 * of any protocol, and enabled required actions. Clients give settings to their client authenticator, and components to
 * a plugin's provider.
 */
export function configUses(realm: RealmRepresentation, providers: readonly ProviderSchema[]): readonly ConfigUse[] {
  const providersBySpi = groupBySpi(providers);
  return [
    ...usesOfSteps(realm, providersBySpi),
    ...usesOfMappers(realm, providersBySpi(ProtocolMapper)),
    ...usesOfActions(realm, providersBySpi(RequiredAction)),
    ...usesOfClients(realm, providersBySpi(ClientAuthenticator)),
    ...usesOfComponents(realm, providersBySpi),
  ];
}

/** The use of a plugin's provider by a component, whose settings are lists of strings. */
export function componentUse(
  provider: SettingsReader,
  config: Readonly<Record<string, readonly string[]>>,
  path: () => JsonPath,
  owner: () => string,
): ConfigUse {
  const isKey = provider.spi === KeyProvider.id;
  // Policies without a schema accept any settings; keys without a schema accept none.
  const reader = isKey && provider.settings === undefined ? { ...provider, settings: EMPTY_SETTINGS_SCHEMA } : provider;
  const texts = Object.entries(config).map(([name, list]) => [name, list.filter((text) => text !== '').join('##')]);
  return useOf('component', Object.fromEntries(texts), [reader], isKey ? KEY_SETTINGS : NO_HOST_SETTINGS, path, owner);
}

function useOf(
  kind: ConfigUse['kind'],
  config: ConfigUse['config'],
  readers: readonly SettingsReader[],
  hostSettings: readonly string[],
  path: () => JsonPath,
  owner: () => string,
): ConfigUse {
  return { kind, config, readers, hasUnknownReader: false, hostSettings, path, owner };
}

function groupBySpi(providers: readonly ProviderSchema[]): ProvidersOfSpi {
  const bySpi = new Map<string, Map<string, readonly [SettingsReader]>>();
  for (const provider of providers) {
    const providersOfSpi = bySpi.get(provider.spi) ?? new Map<string, readonly [SettingsReader]>();
    bySpi.set(provider.spi, providersOfSpi);
    if (!providersOfSpi.has(provider.id)) providersOfSpi.set(provider.id, [provider]);
  }
  return ({ id }) => bySpi.get(id) ?? new Map();
}

function usesOfSteps(realm: RealmRepresentation, providers: ProvidersOfSpi): ConfigUse[] {
  const { authenticationFlows = [], authenticatorConfig = [] } = realm;
  const uses: ConfigUse[] = [];
  const indexes = new Map<string | undefined, number>();
  // If two entries have one alias, steps use the first.
  for (const [index, { alias }] of authenticatorConfig.entries()) if (!indexes.has(alias)) indexes.set(alias, index);
  const entries = new Map<number, { readonly readers: Set<SettingsReader>; hasUnknownReader: boolean }>();
  for (const spi of [Authenticator, FormAction]) {
    for (const { id, path, enabled } of spi.realm?.mentions({ ...realm }) ?? []) {
      const readers = providers(spi).get(id);
      const [, flow, , executionIndex] = path;
      const { alias, authenticationExecutions = [] } = authenticationFlows[Number(flow)] ?? {};
      const index = indexes.get(authenticationExecutions[Number(executionIndex)]?.authenticatorConfig);
      if (index !== undefined) {
        const entry = entries.get(index) ?? { readers: new Set(), hasUnknownReader: false };
        entries.set(index, entry);
        if (readers === undefined) entry.hasUnknownReader = true;
        else entry.readers.add(readers[0]);
      } else if (readers !== undefined && enabled) {
        const owner = () => `flow "${alias}", step "${id}"`;
        uses.push(useOf('step', undefined, readers, STEP_SETTINGS, () => path, owner));
      }
    }
  }
  for (const [index, { readers, hasUnknownReader }] of entries) {
    if (readers.size === 0) continue;
    const { alias, config = {} } = authenticatorConfig[index] ?? {};
    const path = () => ['authenticatorConfig', index, 'config'];
    const use = useOf('step', config, [...readers], STEP_SETTINGS, path, () => `authenticator config "${alias}"`);
    uses.push({ ...use, hasUnknownReader });
  }
  return uses;
}

/** Realms have thousands of mappers, so this fills one list and creates objects only for mappers of known providers. */
function usesOfMappers(
  { clients = [], clientScopes = [] }: RealmRepresentation,
  providers: ProvidersById,
): ConfigUse[] {
  const uses: ConfigUse[] = [];
  const addUses = (mappers: readonly ProtocolMapperRepresentation[], holderPath: JsonPath, holder: string) => {
    for (const [mapperIndex, { name, protocolMapper, config = {} }] of mappers.entries()) {
      const readers = providers.get(protocolMapper);
      if (readers === undefined) continue;
      const path = () => [...holderPath, 'protocolMappers', mapperIndex, 'config'];
      uses.push(useOf('mapper', config, readers, MAPPER_SETTINGS, path, () => `${holder}, mapper ${name}`));
    }
  };
  for (const [index, { clientId, protocolMappers = [] }] of clients.entries()) {
    addUses(protocolMappers, ['clients', index], `client ${clientId}`);
  }
  for (const [index, { name, protocolMappers = [] }] of clientScopes.entries()) {
    addUses(protocolMappers, ['clientScopes', index], `client scope ${name}`);
  }
  return uses;
}

function usesOfActions({ requiredActions = [] }: RealmRepresentation, providers: ProvidersById): ConfigUse[] {
  return requiredActions.flatMap(({ alias, providerId = alias, config = {}, enabled }, index) => {
    const readers = providers.get(providerId);
    if (readers === undefined || enabled === false) return [];
    const path = () => ['requiredActions', index, 'config'];
    return [useOf('required action', config, readers, NO_HOST_SETTINGS, path, () => `required action ${alias}`)];
  });
}

/** Some attributes of a client are the settings of its client authenticator. */
function usesOfClients({ clients = [] }: RealmRepresentation, providers: ProvidersById): ConfigUse[] {
  return clients.flatMap(({ clientId, clientAuthenticatorType = '', attributes = {}, publicClient }, index) => {
    const readers = providers.get(clientAuthenticatorType);
    if (readers === undefined || publicClient === true) return [];
    const path = () => ['clients', index, 'attributes'];
    return [useOf('client', attributes, readers, NO_HOST_SETTINGS, path, () => `attributes of client ${clientId}`)];
  });
}

/** Only components of plugins' providers: those of built-in providers have other checks. */
function usesOfComponents(realm: RealmRepresentation, providers: ProvidersOfSpi): ConfigUse[] {
  return [KeyProvider, ClientRegistrationPolicy].flatMap((spi) =>
    [...(spi.realm?.mentions({ ...realm }) ?? [])].flatMap(({ id, path }) => {
      const [provider] = providers(spi).get(id) ?? [];
      if (provider === undefined || provider.builtin === true) return [];
      const [, type = '', index = 0] = path;
      const { name = id, config = {} } = realm.components?.[type]?.[Number(index)] ?? {};
      const configPath = () => [...path, 'config'];
      return [componentUse(provider, config, configPath, () => `component ${name}`)];
    }),
  );
}
