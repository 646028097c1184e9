import type { HostContext, Logger, Plugin } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import type { PluginEntry } from '../../config/plugins-file.js';
import { Container } from '../../di/container.js';
import type { Realm } from '../../model/realm.js';
import { messageOf } from '../../model/thrown.js';
import { isContained, type LoadedPlugin } from '../loading/load-plugins.js';
import { type Openable, OpenedPlugin, type OpenOptions, type RegisteredProvider } from '../loading/opened-plugin.js';
import { checkKinds, type DeclaredKind, declaredKinds, withDeclaredKind } from '../loading/plugin-kinds.js';
import { checkDefinition } from '../loading/plugin-shape.js';
import { checkVersion } from '../loading/spi-versions.js';
import { Generation, type Providers } from './generation.js';

/** A plugin of the next generation: one that is open already, or one to open. */
export type WantedPlugin =
  | OpenedPlugin
  | {
      readonly loaded: LoadedPlugin;
      /** What stays when the plugin is not required and cannot be opened. */
      readonly before?: OpenedPlugin | undefined;
    };

/** A plugin that is not required and failed: the host runs without it, or with the version that it had. */
export interface LeftOutPlugin {
  readonly module: string;
  readonly error: BootError;
  /** What it would provide, as `spi/id`, as far as it told. */
  readonly provides: readonly string[];
}

/** How long requests and calls may stay with the providers that they began with, in milliseconds. */
export const DRAIN_LIMIT_MS = 10 * 60_000;
/** How long calls that are told to end may take to do so, in milliseconds. */
const LEAVE_LIMIT_MS = 5_000;

/**
 * All providers of the host: opened all or nothing, closed in reverse. Plugins that change make a new generation, which
 * takes over at once; requests under way end on the one that they began with. Look-ups here are the current generation's:
 * whoever serves a request asks that request's own.
 */
export class ProviderRegistry implements Providers {
  readonly #logger: Logger;
  readonly #newContainer: () => Container;
  readonly #drainLimitMs: number;
  readonly #overdue: ((generation: Generation) => void)[] = [];
  readonly #draining = new Map<Generation, Promise<void>>();
  #builtins: readonly OpenedPlugin[] = [];
  #current: Generation | undefined;

  /**
   * @param options.drainLimitMs when calls that stay with a generation that was replaced are ended. Default: 10 minutes
   * @param options.newContainer one for each generation
   */
  constructor(
    logger: Logger,
    {
      drainLimitMs = DRAIN_LIMIT_MS,
      newContainer = () => new Container(),
    }: { readonly drainLimitMs?: number; readonly newContainer?: () => Container } = {},
  ) {
    this.#newContainer = newContainer;
    this.#logger = logger;
    this.#drainLimitMs = drainLimitMs;
  }

  /**
   * Opens built-ins, then plugins in their order: the first generation. A plugin that is not required and fails is left
   * out whole.
   * @returns the plugins that were left out
   * @throws BootError naming the plugin; what was opened is closed again
   */
  async openAll(
    builtins: readonly Plugin[],
    loaded: readonly LoadedPlugin[],
    host: HostContext,
    options: OpenOptions = {},
  ): Promise<readonly LeftOutPlugin[]> {
    const opened: OpenedPlugin[] = [];
    for (const plugin of builtins) {
      const others = opened.flatMap(({ providers }) => providers);
      opened.push(await OpenedPlugin.open(ownPlugin(plugin, host), others, host, options));
    }
    this.#builtins = opened;
    const wanted = loaded.map((plugin) => ({ loaded: plugin }));
    try {
      const { generation, failed } = await this.openNext(wanted, host, options);
      this.publish(generation);
      return failed;
    } catch (error) {
      for (const plugin of opened.reverse()) await plugin.discard();
      throw error;
    }
  }

  /**
   * The generation after the current one: shares what is open already and opens the rest. It is to be published or closed.
   * What it was given to open belongs to it.
   * @returns also the plugins that are not required and could not be opened
   * @throws BootError naming the plugin; what was opened is closed again
   */
  async openNext(
    wanted: readonly WantedPlugin[],
    host: HostContext,
    options: OpenOptions = {},
  ): Promise<{ generation: Generation; failed: readonly LeftOutPlugin[] }> {
    const failed: LeftOutPlugin[] = [];
    const fresh: OpenedPlugin[] = [];
    const unopened = new Set(wanted.flatMap((one) => (one instanceof OpenedPlugin ? [] : [one.loaded])));
    try {
      const replaced = replacements(this.#builtins, wanted);
      // What is open already has its place, wherever it stands in the list.
      const kept = wanted.filter((one) => one instanceof OpenedPlugin);
      const others = [...this.#builtins, ...kept]
        .flatMap(({ providers }) => providers)
        .filter(({ plugin, spi, id }) => !plugin.builtin || !replaced.has(`${spi.id}/${id}`));
      const kinds = declaredKinds(wanted.flatMap(({ loaded }) => loaded?.plugin ?? []));
      const plugins = [...this.#builtins];
      for (const one of wanted) {
        if (one instanceof OpenedPlugin) {
          const error = one.loaded === undefined ? undefined : disagreement(one.loaded, kinds);
          if (error === undefined) plugins.push(one);
          else failed.push(leftOut(one.loaded as LoadedPlugin, error));
          continue;
        }
        const { loaded, before } = one;
        // A worker contains by itself what the guard is there for.
        if (loaded.entry.isolation === 'none') options.onOpening?.(loaded.plugin.name);
        let added = before;
        try {
          agree(loaded, kinds);
          // From here on it closes itself.
          unopened.delete(loaded);
          added = await OpenedPlugin.open(openable(loaded, kinds), others, host, options);
          fresh.push(added);
        } catch (error) {
          if (loaded.required || !isContained(error)) throw error;
          if (unopened.delete(loaded)) await loaded.close?.().catch(() => {});
          failed.push(leftOut(loaded, error));
          before?.checkBeside(others);
        }
        if (added === undefined) continue;
        plugins.push(added);
        others.push(...added.providers);
      }
      return {
        generation: new Generation(this.#newContainer(), (this.#current?.number ?? 0) + 1, plugins, replaced),
        failed,
      };
    } catch (error) {
      for (const plugin of fresh.reverse()) await plugin.discard();
      for (const plugin of unopened) await plugin.close?.().catch(() => {});
      throw error;
    } finally {
      options.onOpening?.(undefined);
    }
  }

  /** The generation takes over: every request that begins from here on gets it. */
  publish(next: Generation): void {
    const before = this.#current;
    this.#current = next;
    if (before === undefined) return;
    const drained = this.#drain(before).finally(() => this.#draining.delete(before));
    this.#draining.set(before, drained);
  }

  get current(): Generation {
    if (this.#current === undefined) throw new Error('the providers are not open');
    return this.#current;
  }

  /** Generations that were replaced and still serve what began with them. */
  get draining(): readonly Generation[] {
    return [...this.#draining.keys()];
  }

  /** Calls back with a generation whose calls must end now. */
  onOverdue(listener: (generation: Generation) => void): void {
    this.#overdue.push(listener);
  }

  get: Providers['get'] = (kind, id) => this.current.get(kind, id);

  find: Providers['find'] = (kind, id) => this.current.find(kind, id);

  all: Providers['all'] = (kind) => this.current.all(kind);

  list(): readonly RegisteredProvider[] {
    return this.current.list();
  }

  derive<T>(realm: Realm, key: symbol, make: () => T): T {
    return this.current.derive(realm, key, make);
  }

  /** Closes every factory in reverse order, each within 5 seconds. @throws AggregateError of what failed */
  async close(): Promise<void> {
    for (const generation of this.#draining.keys()) generation.end();
    await Promise.all(this.#draining.values());
    const last = this.#current;
    this.#current = undefined;
    await last?.close();
  }

  async #drain(old: Generation): Promise<void> {
    const retired = old.retire();
    if (!(await isDoneWithin(this.#drainLimitMs, retired))) {
      this.#logger.warn('calls stay with plugins that were replaced, and are ended now', {
        generation: old.number,
        calls: old.leases,
      });
      for (const listener of this.#overdue) listener(old);
      if (!(await isDoneWithin(LEAVE_LIMIT_MS, retired))) old.end();
    }
    await old.close().catch((error: AggregateError) => {
      const reasons = error.errors.flatMap(({ errors }: AggregateError) => errors).map(reasonOf);
      this.#logger.error('plugins that were replaced did not close', { generation: old.number, reasons });
    });
  }
}

function reasonOf({ message, cause }: Error): string {
  return cause === undefined ? message : `${message}: ${messageOf(cause)}`;
}

async function isDoneWithin(ms: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
    timer.unref();
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

function ownPlugin(plugin: Plugin, { version }: HostContext): Openable {
  return {
    origin: { name: plugin.name, version, builtin: true },
    definitions: plugin.providers,
    config: () => ({}),
  };
}

/**
 * Whether a plugin fits the SPIs that the plugins of the next generation declare.
 * @throws BootError `plugin_spi`, `plugin_api`, `plugin_shape`
 */
function agree({ plugin, module }: LoadedPlugin, kinds: ReadonlyMap<string, DeclaredKind>): void {
  checkKinds(plugin, kinds);
  for (const definition of plugin.providers) {
    const declared = withDeclaredKind(definition, kinds);
    if (declared === definition) continue;
    checkVersion(declared, module);
    checkDefinition(declared, { name: plugin.name, builtin: false });
  }
}

/** Why a plugin that is open cannot stay, where the host can do without it. @throws BootError where it cannot */
function disagreement(loaded: LoadedPlugin, kinds: ReadonlyMap<string, DeclaredKind>): BootError | undefined {
  try {
    agree(loaded, kinds);
    return undefined;
  } catch (error) {
    if (loaded.required || !isContained(error)) throw error;
    return error;
  }
}

function leftOut({ module, plugin }: LoadedPlugin, error: BootError): LeftOutPlugin {
  return { module, error, provides: plugin.providers.map(({ spi, id }) => `${spi.id}/${id}`) };
}

function openable(loaded: LoadedPlugin, kinds: ReadonlyMap<string, DeclaredKind>): Openable {
  const { plugin, version, directory, config, entry } = loaded;
  return {
    origin: { ...{ name: plugin.name, version, builtin: false, directory }, ...ofEntry(entry) },
    definitions: plugin.providers.map((definition) => withDeclaredKind(definition, kinds)),
    config: (name) => config.get(name) ?? {},
    loaded,
  };
}

/** Built-ins whose place a plugin takes, by the operator's word. */
function replacements(builtins: readonly OpenedPlugin[], wanted: readonly WantedPlugin[]): Set<string> {
  const own = new Set(builtins.flatMap(({ providers }) => providers.map(({ spi, id }) => `${spi.id}/${id}`)));
  const replaced = new Set<string>();
  for (const { loaded } of wanted) {
    if (loaded === undefined) continue;
    const { replaces, plugin } = loaded;
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

function ofEntry({ module, isolation, limits }: PluginEntry) {
  return { module, isolation, limits };
}
