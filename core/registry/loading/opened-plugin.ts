import type { HostContext, JsonSchema, ProviderDefinition, ProviderFactory, ProviderMethods, Spi } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import { formatPath } from '../../config/json/json-document.js';
import { compileSchema, schemaProblems } from '../../config/json/schema-check.js';
import type { Isolation, PluginLimits } from '../../config/plugins-file.js';
import { codeOf } from '../../model/thrown.js';
import { within } from '../sessions/time-limit.js';
import { requireIntact } from './built-ins.js';
import { deepFreeze } from './deep-freeze.js';
import { methodsOf, spiOf } from './kinds.js';
import type { LoadedPlugin } from './load-plugins.js';
import { checkDefinition, NO_CONFIG } from './plugin-shape.js';
import { deprecations } from './spi-versions.js';

/** Where a provider comes from. */
export interface PluginOrigin {
  readonly name: string;
  readonly version: string;
  readonly builtin: boolean;
  /** The package's folder; undefined for Keyhost's own. */
  readonly directory?: string;
  /** Its name in plugins.json, and where it runs; undefined for Keyhost's own. */
  readonly module?: string;
  readonly isolation?: Isolation;
  /** What its providers are held to; undefined for Keyhost's own. */
  readonly limits?: PluginLimits;
}

/** Further checks of a definition before it is opened, by its kind's id, beside those already there. They throw a BootError. */
export type Inspections = ReadonlyMap<
  string,
  (definition: ProviderDefinition, plugin: PluginOrigin, others: readonly RegisteredProvider[]) => Promise<void>
>;

export interface OpenOptions {
  readonly openTimeoutMs?: number;
  readonly onOpening?: (plugin: string | undefined) => void;
  readonly inspections?: Inspections;
}

export interface RegisteredProvider<D = unknown, P = unknown> {
  readonly spi: Spi<D, P>;
  readonly id: string;
  readonly plugin: PluginOrigin;
  readonly declaration: D;
  /** The checked host-wide configuration. */
  readonly config: unknown;
  readonly realmConfig: JsonSchema | undefined;
  readonly methods: ProviderMethods;
  /** How long `open` took, in milliseconds. */
  readonly openMs: number;
  readonly factory: ProviderFactory<P, unknown>;
  /** The configuration of a realm with defaults filled in, frozen; or what is wrong with it. */
  checkRealmConfig(
    value: unknown,
  ): { value: unknown } | { problems: readonly { path: string; message: string; suggestion?: string }[] };
}

/** How long a factory may take to close, in milliseconds. */
const CLOSE_LIMIT_MS = 5_000;
export const OPEN_LIMIT_MS = 10_000;

/** What is opened: where it comes from, its definitions, and the host-wide configuration of each. */
export interface Openable {
  readonly origin: PluginOrigin;
  readonly definitions: readonly ProviderDefinition[];
  config(name: string): unknown;
  /** Undefined for Keyhost's own. */
  readonly loaded?: LoadedPlugin;
}

/** A plugin whose factories were opened. Generations that have it share it; the last one closes it. */
export class OpenedPlugin {
  readonly origin: PluginOrigin;
  readonly loaded: LoadedPlugin | undefined;
  readonly #providers: RegisteredProvider[] = [];
  #holders = 0;

  private constructor({ origin, loaded }: Openable) {
    this.origin = origin;
    this.loaded = loaded;
  }

  /**
   * Opens all providers of a plugin, or none.
   * @param others what it will stand beside
   * @throws BootError naming the plugin; what was opened is closed again
   */
  static async open(
    plugin: Openable,
    others: readonly RegisteredProvider[],
    host: HostContext,
    options: OpenOptions,
  ): Promise<OpenedPlugin> {
    const opened = new OpenedPlugin(plugin);
    const { definitions, loaded, origin } = plugin;
    try {
      for (const definition of definitions) await opened.#open(definition, plugin, others, host, options);
      if (loaded?.entry.isolation === 'none') requireIntact(loaded.module);
    } catch (error) {
      await opened.discard();
      if (loaded?.entry.isolation === 'none') requireIntact(loaded.module);
      throw error;
    }
    for (const sentence of deprecations(definitions, loaded?.module ?? origin.name)) host.logger.warn(sentence);
    return opened;
  }

  /** @throws BootError `plugin_duplicate_id` when one of the others has the place of one of its providers */
  checkBeside(others: readonly RegisteredProvider[]): void {
    for (const { spi, id } of this.#providers) checkFree(spi.id, id, this.origin, others);
  }

  /** In the order of its definitions. */
  get providers(): readonly RegisteredProvider[] {
    return this.#providers;
  }

  /** Another generation has it. */
  hold(): void {
    this.#holders += 1;
  }

  /** Closes what no generation came to have. */
  discard(): Promise<void> {
    return this.#close().catch(() => {});
  }

  /** A generation no longer has it. Was it the last one, everything is closed in reverse. @throws AggregateError */
  async release(): Promise<void> {
    this.#holders -= 1;
    if (this.#holders === 0) await this.#close();
  }

  async #open(
    definition: ProviderDefinition,
    { origin, config: configOf }: Openable,
    others: readonly RegisteredProvider[],
    host: HostContext,
    { openTimeoutMs = OPEN_LIMIT_MS, inspections }: OpenOptions,
  ): Promise<void> {
    const { id } = definition;
    const spi = spiOf(definition);
    const taken = [...others, ...this.#providers];
    checkFree(spi.id, id, origin, taken);
    checkDefinition(definition, origin);
    await inspections?.get(spi.id)?.(definition, origin, taken);
    const config = configOf(`${spi.id}/${id}`);
    const started = performance.now();
    const isHere = !origin.builtin && origin.isolation === 'none';
    const factory = await openWithin(definition, origin.name, config, host, { limit: openTimeoutMs, isHere });
    this.#providers.push({
      spi,
      id,
      plugin: origin,
      declaration: definition.declaration,
      config,
      realmConfig: definition.realmConfig,
      methods: methodsOf(spi, definition.declaration),
      openMs: performance.now() - started,
      factory,
      checkRealmConfig: realmConfigCheck(definition.realmConfig),
    });
  }

  async #close(): Promise<void> {
    const failures: unknown[] = [];
    for (const { spi, id, factory } of this.#providers.splice(0).reverse()) {
      try {
        await within(CLOSE_LIMIT_MS, async () => factory.close?.());
      } catch (cause) {
        failures.push(new Error(`closing ${spi.id}/${id} failed`, { cause }));
      }
    }
    try {
      await this.loaded?.close?.();
    } catch (cause) {
      failures.push(new Error(`closing ${this.origin.name} failed`, { cause }));
    }
    if (failures.length > 0) throw new AggregateError(failures, 'some providers did not close');
  }
}

async function openWithin(
  definition: ProviderDefinition,
  plugin: string,
  config: unknown,
  host: HostContext,
  { limit, isHere }: { limit: number; isHere: boolean },
): Promise<ProviderFactory<unknown, unknown>> {
  const what = `${definition.spi.id}/${definition.id}`;
  const opening = (async () => definition.open(config, host))();
  // A factory that opens after its time limit is closed at once: nobody uses it.
  const abandon = () => void opening.then((late) => late?.close?.()).catch(() => {});
  let factory: ProviderFactory<unknown, unknown>;
  try {
    // Before anything waits: whoever changes promises would keep it waiting.
    if (isHere) requireIntact(plugin);
    factory = await within(limit, () => opening);
  } catch (cause) {
    if (cause instanceof BootError && cause.code === 'plugin_tampering') {
      abandon();
      throw cause;
    }
    if (codeOf(cause) === 'time_limit') {
      abandon();
      throw new BootError('plugin_open_timeout', `${plugin}: open of ${what} took longer than ${limit / 1000} s`, {
        plugin,
        hint: 'open must resolve; start slow work later, or set "required": false in plugins.json',
      });
    }
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BootError('plugin_open_failed', `${plugin}: open of ${what} failed: ${reason}`, {
      plugin,
      hint: 'mend the plugin or its configuration, or take it out of plugins.json',
      cause,
    });
  }
  if (typeof factory !== 'object' || factory === null || typeof factory.create !== 'function') {
    throw new BootError('plugin_shape', `${plugin}: open of ${what} must return an object with a create function`, {
      plugin,
    });
  }
  return factory;
}

function checkFree(spi: string, id: string, { name }: PluginOrigin, others: readonly RegisteredProvider[]): void {
  const other = others.find((provider) => provider.spi.id === spi && provider.id === id);
  if (other === undefined) return;
  const what = `${spi}/${id}`;
  if (other.plugin.name === name) {
    throw new BootError('plugin_duplicate_id', `${name} provides ${what} twice`, {
      plugin: name,
      hint: 'give one of the two another id',
    });
  }
  throw new BootError('plugin_duplicate_id', `${name} and ${other.plugin.name} both provide ${what}`, {
    plugin: name,
    hint: other.plugin.builtin
      ? `it is Keyhost's own: "replaces": ["${what}"] in plugins.json lets the plugin take its place`
      : 'take one of them out of plugins.json',
  });
}

function realmConfigCheck(schema: JsonSchema = NO_CONFIG): RegisteredProvider['checkRealmConfig'] {
  return (value) => {
    const check = compileSchema(schema, { useDefaults: true });
    const config: unknown = structuredClone(value);
    if (check(config)) return { value: deepFreeze(config) };
    return { problems: schemaProblems(check).map((problem) => ({ ...problem, path: formatPath(problem.path) })) };
  };
}
