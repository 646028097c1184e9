import {
  Authenticator,
  CredentialProvider,
  FormAction,
  type JsonSchema,
  type RealmMention,
  type SharedConfig,
} from '@keyhost/spi';
import { EVENT_TYPES } from '../../model/event-types.js';
import type { ProtocolMapperRepresentation, RealmRepresentation } from '../../model/representation.js';
import { didYouMean } from '../did-you-mean.js';
import type { JsonPath } from '../json/json-document.js';
import { compileSchema, schemaProblems } from '../json/schema-check.js';
import { configPlace } from './config-place.js';
import type { Complain } from './realm-names.js';
import { checkSettings } from './settings-checks.js';

/** A provider that realm files may name, with the schema of its configuration in a realm. */
export interface ProviderSchema {
  readonly spi: string;
  readonly id: string;
  readonly enabledBy: 'providers' | 'realm-key';
  /** True if a realm can enable at most one provider of the SPI, in addition to built-in ones. */
  readonly onePerRealm?: boolean | undefined;
  /** Providers of the SPI that a realm names outside `providers`. */
  readonly mentions?: ((realm: Readonly<Record<string, unknown>>) => Iterable<RealmMention>) | undefined;
  readonly realmConfig?: JsonSchema | undefined;
  /** The provider whose configuration in a realm this one shares. */
  readonly sharesConfig?: SharedConfig | undefined;
  /**
   * Finds the mistake in the schedule that a realm sets for the provider's task. Absent if a realm cannot set a
   * schedule.
   */
  readonly scheduleFault?: ((config: unknown) => { setting: string; message: string } | undefined) | undefined;
  /**
   * The schema of the settings that a realm gives to one use of the provider, such as a step. A realm writes them as
   * strings.
   */
  readonly settings?: JsonSchema | undefined;
  /** True for Keyhost's own providers, whose mappers and actions accept the same settings as Keycloak's. */
  readonly builtin?: boolean;
}

/**
 * Checks the providers of a realm file: their names, and their configuration by each provider's own schema.
 * @param options.hasLeftOutPlugin true if an optional plugin failed, so that an unknown name may be a provider of it
 * @param options.isWhole false while an admin edits the realm part by part
 */
export function checkProviders(
  realm: RealmRepresentation,
  providers: readonly ProviderSchema[],
  complain: Complain,
  { hasLeftOutPlugin = false, isWhole }: { readonly hasLeftOutPlugin?: boolean | undefined; readonly isWhole: boolean },
): void {
  for (const [spi, settings] of Object.entries(realm.providers ?? {})) {
    const ofSpi = providers.filter((provider) => provider.spi === spi);
    if (ofSpi.length === 0) {
      if (hasLeftOutPlugin) continue;
      const knownSpis = [...new Set(providers.map((provider) => provider.spi))];
      complain(['providers', spi], `SPI "${spi}" not found, or it has no providers`, didYouMean(spi, knownSpis));
      continue;
    }
    const ids = ofSpi.map(({ id }) => id);
    let enabledId: string | undefined;
    for (const [id, setting] of Object.entries(settings)) {
      const path = ['providers', spi, id];
      const provider = ofSpi.find((candidate) => candidate.id === id);
      if (provider === undefined) {
        if (hasLeftOutPlugin) continue;
        complain(path, `${spi} "${id}" not found`, didYouMean(id, ids));
        continue;
      }
      if (provider.enabledBy === 'realm-key' && setting.enabled !== undefined) {
        complain([...path, 'enabled'], `must not be here: other keys of the realm enable ${spi}`);
      }
      if (provider.onePerRealm === true && provider.builtin !== true && setting.enabled === true) {
        if (enabledId !== undefined) complain([...path, 'enabled'], `must be false, since ${spi} "${enabledId}" is on`);
        enabledId ??= id;
      }
      if (spi === CredentialProvider.id && provider.builtin === true && setting.enabled === false) {
        complain([...path, 'enabled'], 'must be true: take its steps and its required action out of the realm instead');
      }
      checkProviderConfig(provider, setting, path, complain);
    }
  }
  checkAbsentConfigs(realm, providers, complain);
  checkSettings(realm, providers, complain, isWhole);
  checkNearMisses(realm, providers, complain, hasLeftOutPlugin);
}

/** Checks providers that a realm uses without a configuration, and reports the members that their schemas require. */
export function checkAbsentConfigs(
  realm: RealmRepresentation,
  providers: readonly ProviderSchema[],
  complain: Complain,
): void {
  const reportedKeys = new Set<string>();
  for (const provider of providers) {
    const { spi, id, enabledBy, mentions } = provider;
    const { schema, ...place } = configPlace(provider);
    const name = `${place.spi}/${place.id}`;
    if (schema?.required === undefined || reportedKeys.has(name)) continue;
    if (realm.providers?.[place.spi]?.[place.id] !== undefined) continue;
    const isUsed =
      enabledBy === 'providers'
        ? realm.providers?.[spi]?.[id]?.enabled === true
        : [...(mentions?.({ ...realm }) ?? [])].some((mention) => mention.enabled && mention.id === id);
    if (!isUsed) continue;
    reportedKeys.add(name);
    checkProviderConfig({ realmConfig: schema }, {}, ['providers', place.spi, place.id], complain);
  }
}

/** Checks a realm's configuration of one provider, by the provider's own schema. */
export function checkProviderConfig(
  { realmConfig, sharesConfig, scheduleFault }: Pick<ProviderSchema, 'realmConfig' | 'sharesConfig' | 'scheduleFault'>,
  setting: { enabled?: boolean; config?: Record<string, unknown> },
  path: JsonPath,
  complain: Complain,
): void {
  const config = setting.config ?? {};
  if (realmConfig === undefined) {
    const reason =
      sharesConfig === undefined ? 'the provider has no configuration' : `configure ${sharesConfig.provider} instead`;
    for (const key of Object.keys(config)) complain([...path, 'config', key], `unknown key: ${reason}`);
    return;
  }
  const check = compileSchema(realmConfig);
  if (check(config)) {
    const fault = scheduleFault?.(config);
    if (fault !== undefined) complain([...path, 'config', fault.setting], fault.message);
    return;
  }
  for (const problem of schemaProblems(check)) {
    complain([...path, 'config', ...problem.path], problem.message, problem.suggestion);
  }
}

/**
 * Keycloak's own members may name providers of another host, so only a near miss is a mistake. In `actionTokenPolicy`,
 * a member of Keyhost, every unknown name is one.
 */
function checkNearMisses(
  realm: RealmRepresentation,
  providers: readonly ProviderSchema[],
  complain: Complain,
  hasLeftOutPlugin: boolean,
): void {
  const checkNearMiss = (name: string, knownNames: readonly string[], noun: string, path: JsonPath) => {
    if (knownNames.includes(name)) return;
    const suggestion = didYouMean(name, knownNames, 2);
    if (suggestion !== undefined) complain(path, `${noun} "${name}" not found`, suggestion);
  };
  const idsOf = (spi: string) => providers.filter((provider) => provider.spi === spi).map(({ id }) => id);
  const handlers = idsOf('action-token-handler');
  for (const type of Object.keys(realm.actionTokenPolicy ?? {})) {
    if (handlers.includes(type) || hasLeftOutPlugin) continue;
    const path = ['actionTokenPolicy', type];
    complain(path, `action-token handler "${type}" not found`, didYouMean(type, handlers));
  }
  const listeners = idsOf('events-listener');
  for (const [index, id] of (realm.eventsListeners ?? []).entries()) {
    checkNearMiss(id, listeners, 'event listener', ['eventsListeners', index]);
  }
  for (const [index, type] of (realm.enabledEventTypes ?? []).entries()) {
    checkNearMiss(type, EVENT_TYPES, 'event type', ['enabledEventTypes', index]);
  }
  for (const { id: spi, realm: keys } of [Authenticator, FormAction]) {
    const knownIds = idsOf(spi);
    for (const { id, path } of keys?.mentions({ ...realm }) ?? []) {
      checkNearMiss(id, knownIds, spi === FormAction.id ? 'form action' : 'authenticator', [...path, 'authenticator']);
    }
  }
  const actions = idsOf('required-action');
  for (const [index, { providerId }] of (realm.requiredActions ?? []).entries()) {
    if (providerId !== undefined)
      checkNearMiss(providerId, actions, 'required action', ['requiredActions', index, 'providerId']);
  }
  const mapperIds = idsOf('protocol-mapper');
  const checkMappers = (list: readonly ProtocolMapperRepresentation[] | undefined, path: JsonPath) => {
    for (const [index, { protocolMapper }] of (list ?? []).entries()) {
      checkNearMiss(protocolMapper, mapperIds, 'protocol mapper', [
        ...path,
        'protocolMappers',
        index,
        'protocolMapper',
      ]);
    }
  };
  const authenticatorsOfClients = [...idsOf('client-authenticator'), 'client-x509'];
  for (const [index, { protocolMappers, clientAuthenticatorType: type }] of (realm.clients ?? []).entries()) {
    checkMappers(protocolMappers, ['clients', index]);
    const path = ['clients', index, 'clientAuthenticatorType'];
    if (type !== undefined) checkNearMiss(type, authenticatorsOfClients, 'client authenticator', path);
  }
  for (const [index, scope] of (realm.clientScopes ?? []).entries()) {
    checkMappers(scope.protocolMappers, ['clientScopes', index]);
  }
}
