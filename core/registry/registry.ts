import {
  type HostContext,
  HostError,
  type JsonSchema,
  type Plugin,
  type ProviderDefinition,
  type ProviderFactory,
  type ProviderMethods,
  type Spi,
} from '@keyhost/spi';
import { BootError } from '../config/boot-error.js';
import { formatPath } from '../config/json-document.js';
import type { PluginLimits } from '../config/plugins-file.js';
import { compileSchema, schemaProblems } from '../config/schema-check.js';
import { Container, type Token, token } from '../di/container.js';
import { deepFreeze } from './deep-freeze.js';
import type { LoadedPlugin } from './load-plugins.js';
import { checkDefinition, NO_CONFIG, spiOf } from './plugin-shape.js';
import { within } from './time-limit.js';

/** Where a provider comes from. */
export interface PluginOrigin {
  readonly name: string;
  readonly version: string;
  readonly builtin: boolean;
  /** The package's folder; undefined for Keyhost's own. */
  readonly directory?: string;
  /** What its providers are held to; undefined for Keyhost's own. */
  readonly limits?: PluginLimits;
}

/** Further checks of a definition before it is opened, by its kind's id. They throw a BootError. */
export type Inspections = ReadonlyMap<string, (definition: ProviderDefinition, plugin: PluginOrigin) => Promise<void>>;

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

/** A plugin that is not required and failed: the host runs without it. */
export interface LeftOutPlugin {
  readonly module: string;
  readonly error: BootError;
  /** What it would provide, as `spi/id`, as far as it told. */
  readonly provides: readonly string[];
}

/** How long a factory may take to close, in milliseconds. */
const CLOSE_LIMIT_MS = 5_000;
export const OPEN_LIMIT_MS = 10_000;

type Key = Token<RegisteredProvider>;

/** All providers of the host: opened once, all or nothing, closed in reverse. Look-ups are plain Map reads. */
export class ProviderRegistry {
  readonly #container: Container;
  readonly #order: RegisteredProvider[] = [];
  readonly #keys = new Map<string, Key>();
  readonly #bySpi = new Map<string, Map<string, RegisteredProvider>>();
  #frozen = false;

  constructor(container = new Container()) {
    this.#container = container;
  }

  /**
   * Opens built-ins, then plugins in their order. A plugin that is not required and fails is left out whole.
   * @returns the plugins that were left out
   * @throws BootError naming the plugin; what was opened is closed again
   */
  async openAll(
    builtins: readonly Plugin[],
    loaded: readonly LoadedPlugin[],
    host: HostContext,
    options: OpenOptions = {},
  ): Promise<LeftOutPlugin[]> {
    const failed: LeftOutPlugin[] = [];
    const replaced = replacements(builtins, loaded);
    try {
      for (const plugin of builtins) {
        const kept = plugin.providers.filter(({ spi, id }) => !replaced.has(`${spi.id}/${id}`));
        const origin = { name: plugin.name, version: host.version, builtin: true };
        for (const definition of kept) await this.#open(definition, origin, {}, host, options);
      }
      for (const entry of loaded) {
        if (entry.entry.isolation === 'none') options.onOpening?.(entry.plugin.name);
        const before = this.#order.length;
        try {
          await this.#openPlugin(entry, host, options);
        } catch (error) {
          if (entry.required || !(error instanceof BootError)) throw error;
          await this.#closeFrom(before);
          await entry.close?.();
          const provides = entry.plugin.providers.map(({ spi, id }) => `${spi.id}/${id}`);
          failed.push({ module: entry.module, error, provides });
        }
      }
    } catch (error) {
      await this.close().catch(() => {});
      throw error;
    } finally {
      options.onOpening?.(undefined);
    }
    return failed;
  }

  /** From here on nothing is registered any more. */
  freeze(): void {
    this.#frozen = true;
  }

  /** @throws HostError `provider_not_found` (404) */
  get<D, P>(kind: Spi<D, P>, id: string): RegisteredProvider<D, P> {
    const found = this.find(kind, id);
    if (found === undefined)
      throw new HostError('provider_not_found', `There is no ${kind.id} "${id}"`, { status: 404 });
    return found;
  }

  find<D, P>(kind: Spi<D, P>, id: string): RegisteredProvider<D, P> | undefined {
    return this.#bySpi.get(kind.id)?.get(id) as RegisteredProvider<D, P> | undefined;
  }

  /** In order of registration. */
  all<D, P>(kind: Spi<D, P>): readonly RegisteredProvider<D, P>[] {
    return [...(this.#bySpi.get(kind.id)?.values() ?? [])] as RegisteredProvider<D, P>[];
  }

  list(): readonly RegisteredProvider[] {
    return this.#order;
  }

  /** Closes every factory in reverse order, each within 5 seconds. @throws AggregateError of what failed */
  async close(): Promise<void> {
    await this.#closeFrom(0);
    this.#container.clear();
  }

  async #openPlugin(entry: LoadedPlugin, host: HostContext, options: OpenOptions): Promise<void> {
    const { plugin, version, directory } = entry;
    const origin = { name: plugin.name, version, builtin: false, directory, limits: entry.entry.limits };
    for (const definition of plugin.providers) {
      const config = entry.config.get(`${definition.spi.id}/${definition.id}`) ?? {};
      await this.#open(definition, origin, config, host, options);
    }
  }

  async #open(
    definition: ProviderDefinition,
    plugin: PluginOrigin,
    config: unknown,
    host: HostContext,
    { openTimeoutMs = OPEN_LIMIT_MS, inspections }: OpenOptions,
  ): Promise<void> {
    const { id } = definition;
    const spi = spiOf(definition);
    if (this.#frozen) throw new Error(`the registry is closed: ${spi.id}/${id} came too late`);
    const other = this.#bySpi.get(spi.id)?.get(id);
    if (other !== undefined) throw taken(`${spi.id}/${id}`, plugin.name, other.plugin);
    checkDefinition(definition, plugin);
    await inspections?.get(spi.id)?.(definition, plugin);
    const started = performance.now();
    const factory = await openWithin(definition, plugin.name, config, host, openTimeoutMs);
    const provider: RegisteredProvider = {
      spi,
      id,
      plugin,
      declaration: definition.declaration,
      config,
      realmConfig: definition.realmConfig,
      methods: spi.methods(definition.declaration),
      openMs: performance.now() - started,
      factory,
      checkRealmConfig: realmConfigCheck(definition.realmConfig),
    };
    const key: Key = token(`${spi.id}/${id}`);
    this.#container.register(key, provider);
    this.#keys.set(`${spi.id}/${id}`, key);
    this.#order.push(provider);
    const ofSpi = this.#bySpi.get(spi.id) ?? new Map<string, RegisteredProvider>();
    ofSpi.set(id, this.#container.get(key));
    this.#bySpi.set(spi.id, ofSpi);
  }

  async #closeFrom(index: number): Promise<void> {
    const failures: unknown[] = [];
    for (const provider of this.#order.splice(index).reverse()) {
      this.#bySpi.get(provider.spi.id)?.delete(provider.id);
      try {
        await within(CLOSE_LIMIT_MS, async () => provider.factory.close?.());
      } catch (cause) {
        failures.push(new Error(`closing ${provider.spi.id}/${provider.id} failed`, { cause }));
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'some providers did not close');
  }
}

async function openWithin(
  definition: ProviderDefinition,
  plugin: string,
  config: unknown,
  host: HostContext,
  limit: number,
): Promise<ProviderFactory<unknown, unknown>> {
  const what = `${definition.spi.id}/${definition.id}`;
  let factory: ProviderFactory<unknown, unknown>;
  try {
    factory = await within(limit, async () => definition.open(config, host));
  } catch (cause) {
    if ((cause as { code?: string } | undefined)?.code === 'time_limit') {
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

function taken(what: string, plugin: string, other: PluginOrigin): BootError {
  return new BootError('plugin_duplicate_id', `${plugin} and ${other.name} both provide ${what}`, {
    plugin,
    hint: other.builtin
      ? `it is Keyhost's own: "replaces": ["${what}"] in plugins.json lets the plugin take its place`
      : 'take one of them out of plugins.json',
  });
}

/** Built-ins whose place a plugin takes, by the operator's word. */
function replacements(builtins: readonly Plugin[], loaded: readonly LoadedPlugin[]): Set<string> {
  const own = new Set(builtins.flatMap(({ providers }) => providers.map(({ spi, id }) => `${spi.id}/${id}`)));
  const replaced = new Set<string>();
  for (const { replaces, plugin } of loaded) {
    const provides = new Set(plugin.providers.map(({ spi, id }) => `${spi.id}/${id}`));
    for (const what of replaces) {
      if (!own.has(what) || !provides.has(what)) {
        const reason = own.has(what) ? `${plugin.name} does not provide it` : 'Keyhost has no such provider';
        throw new BootError('plugin_config', `${plugin.name}: "replaces" names ${what}, but ${reason}`, {
          plugin: plugin.name,
        });
      }
      replaced.add(what);
    }
  }
  return replaced;
}

function realmConfigCheck(schema: JsonSchema = NO_CONFIG): RegisteredProvider['checkRealmConfig'] {
  return (value) => {
    const check = compileSchema(schema, { useDefaults: true });
    const config: unknown = structuredClone(value);
    if (check(config)) return { value: deepFreeze(config) };
    return { problems: schemaProblems(check).map((problem) => ({ ...problem, path: formatPath(problem.path) })) };
  };
}
