import type { HostContext } from '@keyhost/spi';
import type { Generation } from '../generations/generation.js';
import type { LeftOutPlugin, WantedPlugin } from '../generations/plugin-opening.js';
import type { ProviderRegistry } from '../generations/registry.js';
import { LoadGuard } from '../loading/load-guard.js';
import type { Inspections } from '../loading/open-provider.js';
import type { PluginStates } from './plugin-states.js';

/**
 * Makes a room ready for the next generation, or refuses it with a BootError.
 * @returns what the room does at the moment of the swap, which does not fail
 */
export type Preparation = (next: Generation, before: Generation) => Promise<() => void>;

/** So long after an update its guard, a thread, waits for the next one, in milliseconds: whoever saves a file saves it again. */
const GUARD_STAYS_MS = 60_000;

/** Opens the next generation beside the current one and lets it take over. */
export class PluginSwap {
  readonly #registry: ProviderRegistry;
  readonly #host: HostContext;
  readonly #preparations: readonly Preparation[];
  readonly #timeoutMs: number;
  readonly #inspections: Inspections;
  readonly #states: PluginStates;
  #guard: LoadGuard | undefined;
  #guardStays: NodeJS.Timeout | undefined;

  /** @param parts.timeoutMs limit of a plugin's open, in milliseconds */
  constructor(parts: {
    registry: ProviderRegistry;
    host: HostContext;
    preparations: readonly Preparation[];
    timeoutMs: number;
    inspections: Inspections;
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
   * Requests that begin when this resolves, and none before, are the next generation's. Without a difference nothing
   * happens.
   * @returns plugins that are not required and could not be opened
   * @throws BootError when nothing was changed
   */
  async to(wanted: readonly WantedPlugin[]): Promise<readonly LeftOutPlugin[]> {
    const moved = new Set<string>();
    try {
      return await this.#swap(wanted, moved);
    } catch (error) {
      const serving = this.#registry.current.plugins.flatMap(({ loaded }) => loaded ?? []);
      await this.#states.settle(serving.filter(({ module }) => moved.has(module)));
      throw error;
    }
  }

  /** @param moved gets the plugins whose state is of another version by this update */
  async #swap(wanted: readonly WantedPlugin[], moved: Set<string>): Promise<readonly LeftOutPlugin[]> {
    const before = this.#registry.current;
    const { generation, failed } = await this.#registry.openNext(wanted, this.#host, {
      openTimeoutMs: this.#timeoutMs,
      onOpening: this.guarded,
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

  /** Watches over code of a plugin while it is loaded; undefined: none runs. */
  readonly guarded = (plugin: string | undefined): void => {
    if (plugin !== undefined) {
      clearTimeout(this.#guardStays);
      this.#guard ??= new LoadGuard(this.#timeoutMs);
    }
    this.#guard?.enter(plugin);
  };

  /** An update has ended: the watch ends where no other follows. */
  rest(): void {
    clearTimeout(this.#guardStays);
    if (this.#guard === undefined) return;
    this.#guardStays = setTimeout(() => void this.close(), GUARD_STAYS_MS).unref();
  }

  /** Ends the watch. */
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
