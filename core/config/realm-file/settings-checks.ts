import {
  Authenticator,
  ClientRegistrationPolicy,
  CredentialProvider,
  FormAction,
  type JsonSchema,
  KeyProvider,
} from '@keyhost/spi';
import type { RealmRepresentation } from '../../model/representation.js';
import { didYouMean } from '../did-you-mean.js';
import type { SchemaProblem } from '../json/schema-check.js';
import { LEDGER } from '../settings/ledger.js';
import { componentProblems } from './component-problems.js';
import { OF_MAPPERS, OF_STEPS } from './config-uses.js';
import type { ProviderSchema } from './provider-checks.js';
import type { Complain } from './realm-names.js';
import { misspeltSettings } from './unread-settings.js';
import { laxValue, problemsOfUse, settingValue } from './use-problems.js';

/**
 * What a realm gives to the uses of providers, by the settings that each of them declares.
 * @param isWhole false while an admin edits the realm: the console adds a step first, and its settings later
 */
export function checkSettings(
  realm: RealmRepresentation,
  providers: readonly ProviderSchema[],
  complain: Complain,
  isWhole: boolean,
): void {
  checkSteps(realm, providers, complain, isWhole);
  checkMappers(realm, providers, complain);
  checkActions(realm, providers, complain, isWhole);
  checkClients(realm, providers, complain, isWhole);
  checkComponents(realm, providers, complain);
  for (const { path, message, suggestion } of misspeltSettings(realm, providers)) complain(path, message, suggestion);
}

/** Of the components of plugins: their keys, and their policies of client registration. */
function checkComponents(realm: RealmRepresentation, providers: readonly ProviderSchema[], complain: Complain): void {
  for (const { id: spi, realm: keys } of [KeyProvider, ClientRegistrationPolicy]) {
    const ofPlugins = providers.filter((one) => one.spi === spi && one.builtin !== true);
    const declared = new Map(ofPlugins.map(({ id, settings }) => [id, settings]));
    for (const { id, path } of keys?.mentions({ ...realm }) ?? []) {
      if (!declared.has(id)) continue;
      const [, type = '', index = 0] = path;
      const { config = {} } = realm.components?.[type]?.[Number(index)] ?? {};
      for (const problem of componentProblems(spi, declared.get(id), config)) {
        complain([...path, 'config', ...problem.path], problem.message, problem.suggestion);
      }
    }
  }
}

/** Of clients that prove to a plugin who they are: the settings are some of their attributes. */
function checkClients(
  { clients = [] }: RealmRepresentation,
  providers: readonly ProviderSchema[],
  complain: Complain,
  isWhole: boolean,
): void {
  const declared = settingsOf('client-authenticator', providers);
  for (const [index, { clientAuthenticatorType = '', attributes = {}, publicClient }] of clients.entries()) {
    const settings = declared.get(clientAuthenticatorType);
    if (settings === undefined || publicClient === true) continue;
    const names = Object.keys(settings.properties ?? {});
    const own = Object.entries(attributes).filter(([name]) => names.includes(name));
    checkUse(settings, Object.fromEntries(own), ({ path, message, suggestion }) => {
      if (isWhole || path.length > 0) complain(['clients', index, 'attributes', ...path], message, suggestion);
    });
    for (const name of Object.keys(attributes)) {
      if (names.includes(name) || Object.hasOwn(LEDGER['client attribute'] ?? {}, name)) continue;
      const near = didYouMean(name, names, 2);
      if (near !== undefined) complain(['clients', index, 'attributes', name], 'unknown key', near);
    }
  }
}

/** Of the mappers of plugins. */
function checkMappers(
  { clients = [], clientScopes = [] }: RealmRepresentation,
  providers: readonly ProviderSchema[],
  complain: Complain,
): void {
  const declared = settingsOf('protocol-mapper', providers);
  if (declared.size === 0) return;
  for (const [key, list] of Object.entries({ clients, clientScopes })) {
    for (const [index, { protocolMappers = [] }] of list.entries()) {
      for (const [at, { protocolMapper, config = {} }] of protocolMappers.entries()) {
        const settings = declared.get(protocolMapper);
        if (settings === undefined) continue;
        const own = Object.entries(config).filter(
          ([name]) => !OF_MAPPERS.includes(name) || Object.hasOwn(settings.properties ?? {}, name),
        );
        const path = [key, index, 'protocolMappers', at, 'config'];
        checkUse(settings, Object.fromEntries(own), (problem) =>
          complain([...path, ...problem.path], problem.message, problem.suggestion),
        );
      }
    }
  }
}

/** Of the required actions of plugins. */
function checkActions(
  { requiredActions = [] }: RealmRepresentation,
  providers: readonly ProviderSchema[],
  complain: Complain,
  isWhole: boolean,
): void {
  const declared = settingsOf('required-action', providers);
  for (const [index, { providerId = '', config = {}, enabled }] of requiredActions.entries()) {
    const settings = declared.get(providerId);
    if (settings === undefined || enabled === false) continue;
    checkUse(settings, config, ({ path, message, suggestion }) => {
      if (isWhole || path.length > 0) complain(['requiredActions', index, 'config', ...path], message, suggestion);
    });
  }
}

function settingsOf(spi: string, providers: readonly ProviderSchema[]): ReadonlyMap<string, JsonSchema> {
  return new Map(
    providers.flatMap((one) =>
      one.spi === spi && one.settings && one.builtin !== true ? [[one.id, one.settings]] : [],
    ),
  );
}

function checkUse(
  settings: JsonSchema,
  config: Readonly<Record<string, string>>,
  tell: (problem: SchemaProblem) => void,
  read = settingValue,
): void {
  const given = Object.entries(config).filter(([, text]) => text !== '');
  const values = given.map(([name, text]) => [name, read(settings.properties?.[name] ?? {}, text)]);
  for (const problem of problemsOfUse(settings, Object.fromEntries(values))) tell(problem);
}

interface Reader {
  readonly settings: JsonSchema;
  readonly builtin: boolean;
}

/** Of steps, conditions and form actions: those of flows. */
function checkSteps(
  realm: RealmRepresentation,
  providers: readonly ProviderSchema[],
  complain: Complain,
  isWhole: boolean,
): void {
  const { authenticationFlows = [], authenticatorConfig = [] } = realm;
  const uses = new Map<string, readonly [reader: Reader, index: number]>();
  for (const { id: spi, realm: keys } of [Authenticator, FormAction]) {
    const ofKind = providers.flatMap(({ spi: kind, id, settings, builtin }) =>
      kind === spi && settings ? [[id, { settings, builtin: builtin === true }] as const] : [],
    );
    const declared = new Map<string, Reader>(ofKind);
    for (const { id, path, enabled } of keys?.mentions({ ...realm }) ?? []) {
      const reader = declared.get(id);
      if (reader === undefined) continue;
      const [, flow, , at] = path;
      const alias = authenticationFlows[Number(flow)]?.authenticationExecutions?.[Number(at)]?.authenticatorConfig;
      const index = authenticatorConfig.findIndex((config) => config.alias === alias);
      // Steps of one sort may share what they are given.
      if (index >= 0) uses.set(`${index} ${spi} ${id}`, [reader, index]);
      else if (isWhole && enabled) {
        for (const name of reader.settings.required ?? []) {
          complain(path, `"${id}" needs the setting "${name}": name an entry of authenticatorConfig that has it`);
        }
      }
    }
  }
  for (const [{ settings, builtin }, index] of uses.values()) {
    const { properties = {} } = settings;
    const given = Object.entries(authenticatorConfig[index]?.config ?? {});
    const config = Object.fromEntries(
      given.filter(([name]) => !OF_STEPS.includes(name) || Object.hasOwn(properties, name)),
    );
    const tell = ({ path, message, suggestion }: SchemaProblem) => {
      if (isWhole || path.length > 0) complain(['authenticatorConfig', index, 'config', ...path], message, suggestion);
    };
    checkUse(settings, config, tell, builtin ? laxValue : settingValue);
    for (const problem of mistypedTypes(settings, config, providers)) tell(problem);
  }
}

/** Steps may have types of their own: a type is a mistake when it nearly is one of the host's, or of a plugin. */
function mistypedTypes(
  { properties = {} }: JsonSchema,
  config: Readonly<Record<string, string>>,
  providers: readonly ProviderSchema[],
): SchemaProblem[] {
  const ofKind = providers.filter(({ spi }) => spi === CredentialProvider.id);
  const known = ofKind.map(({ id, builtin }) => (builtin === true ? id.replace(/^keycloak-/, '') : id));
  return Object.entries(properties).flatMap(([name, { items }]) => {
    const types = items?.format === 'credential-type' ? (config[name] ?? '').split('##') : [];
    return types.flatMap((type) => {
      const near = type === 'none' || known.includes(type) ? undefined : didYouMean(type, known, 2);
      if (near === undefined) return [];
      return [{ path: [name], message: `credential type "${type}" not found`, suggestion: near }];
    });
  });
}
