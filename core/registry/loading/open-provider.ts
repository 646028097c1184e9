import type { HostContext, JsonSchema, Plugin, ProviderDefinition, ProviderFactory } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import { formatPath, formatPointer } from '../../config/json/json-document.js';
import { compileSchema, schemaProblems } from '../../config/json/schema-check.js';
import { codeOf, messageOf } from '../../model/thrown.js';
import { within } from '../sessions/time-limit.js';
import { requireIntactBuiltIns } from './builtin-tampering.js';
import { checkFactoryWork } from './declared-work.js';
import { deepFreeze } from './deep-freeze.js';
import { methodsOf, spiOf } from './host-spis.js';
import { checkDefinition, NO_CONFIG } from './plugin-shape.js';
import type { PluginOrigin, RegisteredProvider, ScheduleFault } from './registered-provider.js';
import { checkSchedule } from './schedule-check.js';

/** Time limit for the import of a plugin, and for opening a factory, in milliseconds. */
export const OPEN_LIMIT_MS = 10_000;

/** Additional checks before a definition is opened, by the ID of its SPI. They throw a BootError. */
export type SpiInspections = ReadonlyMap<
  string,
  (definition: ProviderDefinition, plugin: PluginOrigin, otherProviders: readonly RegisteredProvider[]) => Promise<void>
>;

export interface OpenOptions {
  readonly openTimeoutMs?: number;
  readonly onOpening?: (plugin: string | undefined) => void;
  readonly inspections?: SpiInspections;
  /**
   * Called after a plugin was opened. If it throws a BootError, an optional plugin is left out; for a required one, the
   * whole generation fails.
   */
  readonly onOpened?: ((loaded: { readonly module: string; readonly plugin: Plugin }) => Promise<void>) | undefined;
}

/**
 * Validates a definition, and opens its factory with its host-wide configuration.
 * @param others the other providers of the generation
 * @throws BootError with the plugin's name
 */
export async function openProvider(
  definition: ProviderDefinition,
  origin: PluginOrigin,
  config: unknown,
  others: readonly RegisteredProvider[],
  host: HostContext,
  { openTimeoutMs = OPEN_LIMIT_MS, inspections }: OpenOptions,
): Promise<RegisteredProvider> {
  const { id } = definition;
  const spi = spiOf(definition);
  checkNotRegistered(spi.id, id, origin, others);
  // The host's own definitions are checked by a test, because checking all of them would slow down every start.
  if (!origin.builtin) checkDefinition(definition, origin);
  await inspections?.get(spi.id)?.(definition, origin, others);
  const scheduleFault = await checkSchedule(definition, origin.name);
  const startedAt = performance.now();
  const isInProcess = !origin.builtin && origin.isolation === 'none';
  const factory = await openFactory(definition, origin.name, config, host, {
    limit: openTimeoutMs,
    isInProcess,
  });
  return {
    spi,
    id,
    plugin: origin,
    declaration: definition.declaration,
    config,
    realmConfig: definition.realmConfig,
    sharesConfig: definition.sharesConfig,
    methods: methodsOf(spi, definition),
    background: definition.background ?? false,
    schedule: definition.schedule,
    openMs: performance.now() - startedAt,
    factory,
    scheduleFault,
    checkRealmConfig: withScheduleCheck(
      realmConfigCheck(definition.sharesConfig?.realmConfig ?? definition.realmConfig),
      scheduleFault,
    ),
  };
}

/** Adds the check of the schedule, if a realm's configuration may set it. */
function withScheduleCheck(
  check: RegisteredProvider['checkRealmConfig'],
  scheduleFault: ScheduleFault | undefined,
): RegisteredProvider['checkRealmConfig'] {
  if (scheduleFault === undefined) return check;
  return (value) => {
    const checkResult = check(value);
    const fault = 'value' in checkResult ? scheduleFault(checkResult.value) : undefined;
    if (fault === undefined) return checkResult;
    const { setting, message } = fault;
    return { problems: [{ path: setting, pointer: formatPointer([setting]), message }] };
  };
}

async function openFactory(
  definition: ProviderDefinition,
  plugin: string,
  config: unknown,
  host: HostContext,
  { limit, isInProcess }: { limit: number; isInProcess: boolean },
): Promise<ProviderFactory<unknown, unknown>> {
  const name = `${definition.spi.id}/${definition.id}`;
  const opening = (async () => definition.open(config, host))();
  // Closes a factory that opens after its time limit.
  const closeWhenOpened = () => void opening.then((lateFactory) => lateFactory?.close?.()).catch(() => {});
  let factory: ProviderFactory<unknown, unknown>;
  try {
    // Check before the first await: a plugin that has replaced Promise could block it.
    if (isInProcess) requireIntactBuiltIns(plugin);
    factory = await within(limit, () => opening);
    // For a plugin in a worker, the worker makes this check.
    if (isInProcess && typeof factory?.create === 'function')
      await within(limit, () => checkFactoryWork(definition, factory));
  } catch (cause) {
    if (cause instanceof BootError && cause.code === 'plugin_tampering') {
      closeWhenOpened();
      throw cause;
    }
    if (codeOf(cause) === 'time_limit') {
      closeWhenOpened();
      throw new BootError('plugin_open_timeout', `${plugin}: open of ${name} took longer than ${limit / 1000} s`, {
        plugin,
        hint: 'open must resolve: start slow work later, or set "required": false in plugins.json',
      });
    }
    if (codeOf(cause) === 'provider_shape') {
      closeWhenOpened();
      throw new BootError('plugin_shape', `${plugin}: ${messageOf(cause)}`, { plugin });
    }
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BootError('plugin_open_failed', `${plugin}: open of ${name} failed: ${reason}`, {
      plugin,
      hint: 'fix the open function or its configuration in plugins.json, or remove the plugin from plugins.json',
      cause,
    });
  }
  if (typeof factory !== 'object' || factory === null || typeof factory.create !== 'function') {
    throw new BootError('plugin_shape', `${plugin}: open of ${name} must return an object with a create function`, {
      plugin,
    });
  }
  return factory;
}

/** @throws BootError `plugin_duplicate_id` if one of the others has the same SPI and ID */
export function checkNotRegistered(
  spi: string,
  id: string,
  { name }: PluginOrigin,
  others: readonly RegisteredProvider[],
): void {
  const duplicate = others.find((provider) => provider.spi.id === spi && provider.id === id);
  if (duplicate === undefined) return;
  const providerName = `${spi}/${id}`;
  if (duplicate.plugin.name === name) {
    throw new BootError('plugin_duplicate_id', `${name} provides ${providerName} twice`, {
      plugin: name,
      hint: 'give one of the two another ID',
    });
  }
  throw new BootError('plugin_duplicate_id', `${name} and ${duplicate.plugin.name} both provide ${providerName}`, {
    plugin: name,
    hint: duplicate.plugin.builtin
      ? `it is built in: to replace it, set "replaces": ["${providerName}"] in plugins.json`
      : 'remove one of them from plugins.json',
  });
}

function realmConfigCheck(schema: JsonSchema = NO_CONFIG): RegisteredProvider['checkRealmConfig'] {
  return (value) => {
    const check = compileSchema(schema, { useDefaults: true });
    const config: unknown = structuredClone(value);
    if (check(config)) return { value: deepFreeze(config) };
    const problems = schemaProblems(check).map(({ path, missing, ...problem }) => ({
      ...problem,
      path: formatPath(path),
      pointer: formatPointer(missing === undefined ? path : [...path, missing]),
    }));
    return { problems };
  };
}
