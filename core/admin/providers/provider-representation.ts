import type { JsonSchema } from '@keyhost/spi';
import { BOOT_ERRORS } from '../../config/boot-error.js';
import type { PluginLimits } from '../../config/plugins-file.js';
import { configPlace } from '../../config/realm-file/config-place.js';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import type { LeftOutPlugin } from '../../registry/generations/plugin-opening.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import type { ConfigProblem, PluginOrigin, RegisteredProvider } from '../../registry/loading/registered-provider.js';
import type { CallCounts } from '../../registry/sessions/call-counts.js';
import type { ProviderCalls } from '../../registry/sessions/provider-calls.js';
import { DEFAULT_MEMORY_MB } from '../../registry/worker/supervised-worker.js';
import type { Workers } from '../../registry/worker/workers.js';
import type { AdminTexts } from '../admin-texts.js';
import { maskConfig } from './config-secrets.js';
import type { FlowUse } from './flow-uses.js';
import { isSwitchable } from './provider-switch.js';
import { providersEnabledByKey } from './providers-enabled-by-key.js';

/** A provider with its state in one realm. */
export interface ProviderRepresentation {
  readonly spi: string;
  readonly id: string;
  /** The name in the provider's own description. */
  readonly displayName?: string;
  readonly helpText?: string;
  /** Absent for a provider that no loaded plugin provides. */
  readonly plugin?: PluginRepresentation;
  readonly enabled: boolean;
  /** The member of the realm that enables the provider: `providers`, or a special key. */
  readonly enabledBy: string;
  /** True if PUT can enable and disable the provider. Other providers are enabled by their use, such as in a flow. */
  readonly switchable: boolean;
  /** The steps of flows that use it. Only in the response for one authenticator or form action. */
  readonly uses?: readonly FlowUse[];
  /** JSON Schema of `config` with its defaults. Absent if the provider has no configuration. */
  readonly configSchema?: JsonSchema;
  /** The provider whose configuration this one uses, as `spi/id`. This one then has no configuration itself. */
  readonly sharesConfig?: string;
  /** The realm's settings with masked secrets. Absent members have the schema's default. */
  readonly config: unknown;
  /** The provider's calls in this realm since the start. Absent for built-in providers. */
  readonly calls?: CallsRepresentation;
  /**
   * The latest failed calls of the provider in this realm, at most five, newest first. Absent for built-in providers.
   */
  readonly failures?: readonly FailureRepresentation[];
  /** `down` means that the provider's worker has stopped and is being restarted. */
  readonly health: { readonly status: 'up' } | { readonly status: 'failed' | 'down'; readonly reason: string };
}

export interface PluginRepresentation {
  readonly name: string;
  readonly version: string;
  readonly builtIn: boolean;
  /** `none` or `worker`. Absent, like the limits, for built-in providers. */
  readonly isolation?: string;
  /** From plugins.json with defaults filled in: seconds, concurrent calls per realm, megabytes. */
  readonly limits?: PluginLimits;
}

export interface CallsRepresentation {
  readonly running: number;
  /** Total duration of the finished calls, in seconds. */
  readonly seconds: number;
  /** Number of calls that ended `ok`, `refused`, `failed`, `timeout`, `busy`, `unavailable` or `stream`. */
  readonly ends: Readonly<Record<string, number>>;
}

/** A failed call. Only the log contains the error's message. */
export interface FailureRepresentation {
  /** ISO 8601. */
  readonly at: string;
  readonly method: string;
  /** `failed`, `timeout`, `busy` or `unavailable`. */
  readonly end: string;
  /** The code of the error, or its class. */
  readonly error: string;
}

/** The sources of a provider's calls and worker state. */
export interface ProviderSources {
  readonly registry: ProviderRegistry;
  readonly calls: ProviderCalls;
  readonly workers: Workers;
  /** Plugins that were not loaded at the start. */
  readonly leftOut: () => readonly LeftOutPlugin[];
}

/**
 * Describes every provider of the host with its state in the realm, and providers that the realm configures but the
 * host does not have.
 */
export function describeProviders(realm: Realm, sources: ProviderSources, texts: AdminTexts): ProviderRepresentation[] {
  const leftOut = sources.leftOut();
  const registeredProviders = sources.registry.list();
  const knownNames = new Set(registeredProviders.map(({ spi, id }) => `${spi.id}/${id}`));
  const missingNames = new Set([...leftOut.flatMap(({ provides }) => provides), ...configuredNames(realm)]);
  return [
    ...registeredProviders.map((provider) => describeProvider(realm, provider, sources, texts)),
    ...[...missingNames].filter((name) => !knownNames.has(name)).map((name) => describeMissing(realm, name, leftOut)),
  ].sort((a, b) => a.spi.localeCompare(b.spi) || a.id.localeCompare(b.id));
}

function describeProvider(
  realm: Realm,
  provider: RegisteredProvider,
  { calls, workers }: ProviderSources,
  texts: AdminTexts,
): ProviderRepresentation {
  const { spi, id, plugin, realmConfig, sharesConfig } = provider;
  const description = texts.description(provider);
  const setting = realm.provider(spi.id, id);
  const configLocation = configPlace(provider);
  const configAtLocation = realm.provider(configLocation.spi, configLocation.id)?.config;
  const enabled = isEnabled(realm, provider);
  const counts = calls.countsOf(`${spi.id}/${id}`, realm.name);
  return {
    spi: spi.id,
    id,
    ...defined({ displayName: description?.displayName, helpText: description?.helpText }),
    plugin: describePlugin(plugin, calls),
    enabled,
    enabledBy: spi.realm?.key ?? spi.enabledBy,
    switchable: isSwitchable(provider),
    ...defined({ configSchema: texts.schema(provider, realmConfig), sharesConfig: sharesConfig?.provider }),
    config: maskConfig(setting?.config ?? {}, realmConfig),
    ...(plugin.builtin ? {} : { calls: describeCalls(counts), failures: describeFailures(counts) }),
    health:
      workerHealth(plugin, workers) ??
      (counts?.wrongShape === undefined ? undefined : { status: 'failed', reason: counts.wrongShape }) ??
      (enabled || setting?.config !== undefined ? healthOf(provider, configAtLocation) : { status: 'up' }),
  };
}

export function describePlugin(
  { name, version, builtin, isolation, limits }: PluginOrigin,
  { limitMs }: ProviderCalls,
): PluginRepresentation {
  const members = { name, version, builtIn: builtin };
  if (isolation === undefined || limits === undefined) return members;
  const memory = isolation === 'worker' ? { memory: DEFAULT_MEMORY_MB } : {};
  return { ...members, isolation, limits: { callTimeout: limitMs / 1000, ...memory, ...limits } };
}

export function describeCalls(
  counts: Pick<CallCounts, 'running' | 'seconds' | 'ends'> | undefined,
): CallsRepresentation {
  const { running = 0, seconds = 0, ends = new Map<string, number>() } = counts ?? {};
  return { running, seconds, ends: Object.fromEntries(ends) };
}

function describeFailures(counts: CallCounts | undefined): readonly FailureRepresentation[] {
  return (counts?.failures ?? []).map(({ at, ...failure }) => ({ at: new Date(at).toISOString(), ...failure }));
}

function workerHealth({ module = '' }: PluginOrigin, workers: Workers): ProviderRepresentation['health'] | undefined {
  const reason = workers.downReason(module);
  return reason === undefined ? undefined : { status: 'down', reason };
}

/** The problems of a configuration. Empty if it is valid for the schema. */
export function configProblems(provider: RegisteredProvider, config: unknown): readonly ConfigProblem[] {
  const checkedConfig = provider.checkRealmConfig(config ?? {});
  return 'value' in checkedConfig ? [] : checkedConfig.problems;
}

/** All problems with their paths, in one text. */
export function describeProblems(problems: readonly ConfigProblem[]): string {
  return problems
    .map((problem) => `config${problem.path === '' ? '' : `.${problem.path}`}: ${describeProblem(problem)}`)
    .join('; ');
}

export function describeProblem({ message, suggestion }: ConfigProblem): string {
  return suggestion === undefined ? message : `${message} (did you mean "${suggestion}"?)`;
}

function isEnabled(realm: Realm, { spi, id, plugin }: RegisteredProvider): boolean {
  if (spi.enabledBy === 'realm-key') return providersEnabledByKey(realm, spi).has(id);
  return realm.provider(spi.id, id)?.enabled ?? plugin.builtin;
}

function healthOf(provider: RegisteredProvider, config: unknown): ProviderRepresentation['health'] {
  const problems = configProblems(provider, config);
  return problems.length === 0 ? { status: 'up' } : { status: 'failed', reason: describeProblems(problems) };
}

function describeMissing(realm: Realm, name: string, leftOut: readonly LeftOutPlugin[]): ProviderRepresentation {
  const slash = name.indexOf('/');
  const spi = name.slice(0, slash);
  const id = name.slice(slash + 1);
  const setting = realm.provider(spi, id);
  const plugin = leftOut.find(({ provides }) => provides.includes(name));
  // The cause may contain files and addresses. It is only for the operator, in the log.
  const reason =
    plugin === undefined
      ? `no plugin that is loaded provides it${leftOut.length === 0 ? '' : `; left out at start: ${describeLeftOut(leftOut)}`}`
      : `its plugin was left out at start: ${describeLeftOut([plugin])}`;
  return {
    spi,
    id,
    enabled: setting?.enabled ?? false,
    enabledBy: 'providers',
    // The realm can only remove it.
    switchable: false,
    config: withoutSchema(setting?.config),
    health: { status: 'failed', reason },
  };
}

/** Masks a configuration without its schema. Any member could be a secret, so only the names are visible. */
function withoutSchema(config: object | undefined): unknown {
  return maskConfig(config ?? {}, { additionalProperties: { writeOnly: true } });
}

function describeLeftOut(plugins: readonly LeftOutPlugin[]): string {
  return plugins.map(({ module, error }) => `${module} (${BOOT_ERRORS[error.code]})`).join(', ');
}

function configuredNames({ representation: { providers = {} } }: Realm): string[] {
  return Object.entries(providers).flatMap(([spi, ids]) => Object.keys(ids).map((id) => `${spi}/${id}`));
}
