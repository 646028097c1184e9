import type { HostContext } from '@keyhost/spi';
import type { Generation } from '../generations/generation.js';
import type { LeftOutPlugin, WantedPlugin } from '../generations/plugin-opening.js';
import type { ProviderRegistry } from '../generations/registry.js';
import { LoadGuard } from '../loading/load-guard.js';
import type { Inspections } from '../loading/open-provider.js';

/**
 * Makes a room ready for the next generation, or refuses it with a BootError.
 * @returns what the room does at the moment of the swap, which does not fail
 */
export type Preparation = (next: Generation, before: Generation) => Promise<() => void>;

/** Opens the next generation beside the current one and lets it take over. */
export class PluginSwap {
  readonly #registry: ProviderRegistry;
  readonly #host: HostContext;
  readonly #preparations: readonly Preparation[];
  readonly #timeoutMs: number;
  readonly #inspections: Inspections;
  #guard: LoadGuard | undefined;

  /** @param parts.timeoutMs limit of a plugin's open, in milliseconds */
  constructor(parts: {
    registry: ProviderRegistry;
    host: HostContext;
    preparations: readonly Preparation[];
    timeoutMs: number;
    inspections: Inspections;
  }) {
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
    const before = this.#registry.current;
    const { generation, failed } = await this.#registry.openNext(wanted, this.#host, {
      openTimeoutMs: this.#timeoutMs,
      onOpening: this.guarded,
      inspections: this.#inspections,
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
    if (plugin !== undefined) this.#guard ??= new LoadGuard(this.#timeoutMs);
    this.#guard?.enter(plugin);
  };

  /** Ends the watch. */
  async rest(): Promise<void> {
    const guard = this.#guard;
    this.#guard = undefined;
    await guard?.close();
  }
}

function isSame({ plugins }: Generation, { plugins: others }: Generation): boolean {
  return plugins.length === others.length && plugins.every((plugin) => others.includes(plugin));
}
