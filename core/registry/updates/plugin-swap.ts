import type { HostContext } from '@keyhost/spi';
import type { Generation } from '../generations/generation.js';
import type { LeftOutPlugin, NextPlugin } from '../generations/plugin-opening.js';
import type { ProviderRegistry } from '../generations/registry.js';
import { LoadGuard } from '../loading/load-guard.js';
import type { SpiInspections } from '../loading/open-provider.js';
import type { PluginStates } from './plugin-states.js';

/**
 * Prepares a module for the next generation, or refuses it with a BootError.
 * @returns a function that is called at the moment of the swap and must not fail
 */
export type Preparation = (next: Generation, before: Generation) => Promise<() => void>;

/** How long the guard, a thread, stays alive after an update, in milliseconds: the next update often follows soon. */
const GUARD_IDLE_MS = 60_000;

/** Opens the next generation in addition to the current one and makes it current. */
export class PluginSwap {
  readonly #registry: ProviderRegistry;
  readonly #host: HostContext;
  readonly #preparations: readonly Preparation[];
  readonly #timeoutMs: number;
  readonly #inspections: SpiInspections;
  readonly #states: PluginStates;
  #guard: LoadGuard | undefined;
  #guardStays: NodeJS.Timeout | undefined;

  /** @param parts.timeoutMs the time limit for opening a plugin, in milliseconds */
  constructor(parts: {
    registry: ProviderRegistry;
    host: HostContext;
    preparations: readonly Preparation[];
    timeoutMs: number;
    inspections: SpiInspections;
    states: PluginStates;
  }) {
    this.#states = parts.states;
    this.#registry = parts.registry;
    this.#host = parts.host;
    this.#preparations = parts.preparations;
    this.#timeoutMs = parts.timeoutMs;
    this.#inspections = parts.inspections;
  }

  /**
   * Swaps to the next generation: requests that begin after this resolves use it. If nothing differs, nothing happens.
   * @returns optional plugins that could not be opened
   * @throws BootError if nothing was changed
   */
  async swapTo(wanted: readonly NextPlugin[]): Promise<readonly LeftOutPlugin[]> {
    const moved = new Set<string>();
    try {
      return await this.#swap(wanted, moved);
    } catch (error) {
      const serving = this.#registry.current.plugins.flatMap(({ loaded }) => loaded ?? []);
      await this.#states.restore(serving.filter(({ module }) => moved.has(module)));
      throw error;
    }
  }

  /** @param moved receives the plugins whose state this update has changed to another version */
  async #swap(wanted: readonly NextPlugin[], moved: Set<string>): Promise<readonly LeftOutPlugin[]> {
    const before = this.#registry.current;
    const { generation, failed } = await this.#registry.openNext(wanted, this.#host, {
      openTimeoutMs: this.#timeoutMs,
      onOpening: this.setGuarded,
      inspections: this.#inspections,
      onOpened: async (loaded) => {
        if (await this.#states.prepare(loaded, true)) moved.add(loaded.module);
      },
    });
    if (isSame(generation, before)) {
      await generation.close();
      return failed;
    }
    const commits: (() => void)[] = [];
    try {
      for (const prepare of this.#preparations) commits.push(await prepare(generation, before));
    } catch (error) {
      await generation.close().catch(() => {});
      throw error;
    }
    this.#registry.publish(generation);
    for (const commit of commits) commit();
    return failed;
  }

  /** Guards code of a plugin while it is loaded; undefined if none runs. */
  readonly setGuarded = (plugin: string | undefined): void => {
    if (plugin !== undefined) {
      clearTimeout(this.#guardStays);
      this.#guard ??= new LoadGuard(this.#timeoutMs);
    }
    this.#guard?.enter(plugin);
  };

  /** Called after an update: closes the guard unless another update follows soon. */
  scheduleGuardClose(): void {
    clearTimeout(this.#guardStays);
    if (this.#guard === undefined) return;
    this.#guardStays = setTimeout(() => void this.close(), GUARD_IDLE_MS).unref();
  }

  /** Closes the guard. */
  async close(): Promise<void> {
    clearTimeout(this.#guardStays);
    const guard = this.#guard;
    this.#guard = undefined;
    await guard?.close();
  }
}

function isSame({ plugins }: Generation, { plugins: others }: Generation): boolean {
  return plugins.length === others.length && plugins.every((plugin) => others.includes(plugin));
}
