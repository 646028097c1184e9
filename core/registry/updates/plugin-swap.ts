import type { HostContext } from '@keyhost/spi';
import type { Generation } from '../generations/generation.js';
import type { LeftOutPlugin, NextPlugin } from '../generations/plugin-opening.js';
import type { ProviderRegistry } from '../generations/registry.js';
import { LoadGuard } from '../loading/load-guard.js';
import type { SpiInspections } from '../loading/open-provider.js';
import type { PluginStates } from './plugin-states.js';

/**
 * Prepares a module for the next generation (the providers that are used together from now on), or rejects it with a
 * BootError.
 * @returns a function that is called at the moment of the swap and must not fail
 */
export type Preparation = (nextGeneration: Generation, currentGeneration: Generation) => Promise<() => void>;

/**
 * How long the thread of the guard runs after an update, in milliseconds, because the next update often follows
 * soon.
 */
const GUARD_IDLE_MS = 60_000;

/** Opens the next generation while the current one stays open, and then makes it current. */
export class PluginSwap {
  readonly #parts: {
    registry: ProviderRegistry;
    host: HostContext;
    preparations: readonly Preparation[];
    timeoutMs: number;
    inspections: SpiInspections;
    states: PluginStates;
  };
  #guard: LoadGuard | undefined;
  #guardTimer: NodeJS.Timeout | undefined;

  /** @param parts.timeoutMs the time limit for opening a plugin, in milliseconds */
  constructor(parts: {
    registry: ProviderRegistry;
    host: HostContext;
    preparations: readonly Preparation[];
    timeoutMs: number;
    inspections: SpiInspections;
    states: PluginStates;
  }) {
    this.#parts = parts;
  }

  /**
   * Swaps to the next generation. Requests that begin after this resolves use it. If the plugins are the same, nothing
   * happens.
   * @returns the optional plugins that could not be opened
   * @throws BootError if the swap failed; nothing was changed then
   */
  async swapTo(nextPlugins: readonly NextPlugin[]): Promise<readonly LeftOutPlugin[]> {
    const migrated = new Set<string>();
    try {
      return await this.#swap(nextPlugins, migrated);
    } catch (error) {
      const activePlugins = this.#parts.registry.current.plugins.flatMap(({ loaded }) => loaded ?? []);
      await this.#parts.states.restore(activePlugins.filter(({ module }) => migrated.has(module)));
      throw error;
    }
  }

  /** @param migrated receives the plugins whose state this update has changed to another version */
  async #swap(nextPlugins: readonly NextPlugin[], migrated: Set<string>): Promise<readonly LeftOutPlugin[]> {
    const currentGeneration = this.#parts.registry.current;
    const { generation, failed } = await this.#parts.registry.openNext(nextPlugins, this.#parts.host, {
      openTimeoutMs: this.#parts.timeoutMs,
      onOpening: this.setGuardedPlugin,
      inspections: this.#parts.inspections,
      onOpened: async (loadedPlugin) => {
        if (await this.#parts.states.prepare(loadedPlugin, true)) migrated.add(loadedPlugin.module);
      },
    });
    if (areSamePlugins(generation, currentGeneration)) {
      await generation.close();
      return failed;
    }
    const commits: (() => void)[] = [];
    try {
      for (const prepare of this.#parts.preparations) commits.push(await prepare(generation, currentGeneration));
    } catch (error) {
      await generation.close().catch(() => {});
      throw error;
    }
    this.#parts.registry.publish(generation);
    for (const commit of commits) commit();
    return failed;
  }

  /** Sets the plugin whose code runs now; undefined if none does. */
  readonly setGuardedPlugin = (plugin: string | undefined): void => {
    if (plugin !== undefined) {
      clearTimeout(this.#guardTimer);
      this.#guard ??= new LoadGuard(this.#parts.timeoutMs);
    }
    this.#guard?.setPlugin(plugin);
  };

  /** Called after an update: closes the guard unless another update follows soon. */
  scheduleGuardClose(): void {
    clearTimeout(this.#guardTimer);
    if (this.#guard === undefined) return;
    this.#guardTimer = setTimeout(() => void this.close(), GUARD_IDLE_MS).unref();
  }

  /** Closes the guard. */
  async close(): Promise<void> {
    clearTimeout(this.#guardTimer);
    const guard = this.#guard;
    this.#guard = undefined;
    await guard?.close();
  }
}

function areSamePlugins({ plugins }: Generation, { plugins: otherPlugins }: Generation): boolean {
  return plugins.length === otherPlugins.length && plugins.every((plugin) => otherPlugins.includes(plugin));
}
