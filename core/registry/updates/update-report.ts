import type { Logger } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import type { Clock } from '../../model/clock.js';
import { defined } from '../../model/defined.js';
import type { LeftOutPlugin } from '../generations/plugin-opening.js';
import type { ProviderRegistry } from '../generations/registry.js';
import type { LoadedPlugin } from '../loading/load-plugins.js';
import type { OpenedPlugin } from '../loading/opened-plugin.js';
import type { ReplacedVersions } from './update-history.js';

/** The cause of an update. */
export type Trigger = 'reload' | 'rollback' | 'restart' | 'changed files';

/** The result of an update. */
export interface UpdateResult {
  readonly outcome: 'replaced' | 'unchanged';
  readonly generation: number;
  /** Sentences such as `newsletter 1.0.0 → 1.1.0`. */
  readonly changes: readonly string[];
  /** The optional plugins that could not be changed, or do not run. */
  readonly failures: readonly { readonly module: string; readonly report: string }[];
}

export interface UpdateFailure {
  /** ISO 8601. */
  readonly at: string;
  readonly code: string;
  /** The error for the operator: what is wrong, its position, and advice. */
  readonly report: string;
}

/** An update that changed something, or that was refused. */
export interface PastUpdate {
  /** ISO 8601. */
  readonly at: string;
  readonly trigger: Trigger;
  /** The generation that was current afterwards. */
  readonly generation: number;
  readonly outcome: 'replaced' | 'refused';
  /** As in `UpdateResult`; empty if the update failed. */
  readonly changes: readonly string[];
  /** Why plugins were not changed, for the operator. */
  readonly failures: readonly string[];
}

/** The state of a host's plugins, as its management port returns it. */
export interface PluginsStatus {
  readonly generation: number;
  /** When the generation became current, ISO 8601. */
  readonly since: string;
  readonly plugins: readonly {
    readonly module: string;
    readonly name?: string;
    readonly version?: string;
    readonly isolation?: string;
    /** `down`: its worker is down, and will be restarted. */
    readonly state: 'running' | 'down' | 'left out';
    /** `spi/id` */
    readonly providers: readonly string[];
    /** A sentence with the reason if it is down. */
    readonly reason?: string;
    /** The version in the providers folder, if its files differ from the running version. */
    readonly inFolder?: string;
    /** Why its current files or configuration could not be used. */
    readonly failure?: UpdateFailure;
  }[];
  /** Replaced generations that calls still use. */
  readonly draining: readonly { readonly generation: number; readonly calls: number }[];
  /** Why the last update changed nothing; absent after a successful one. */
  readonly failure?: UpdateFailure & { readonly trigger: Trigger };
  /** The updates since the start, the latest first, at most 50. */
  readonly history: readonly PastUpdate[];
  readonly swaps: number;
  readonly failedUpdates: number;
  /** The number of versions that were loaded into this process to replace others. */
  readonly loadedInProcess: number;
  readonly warning?: string;
}

/** Maximum number of past updates to store. */
const MAX_HISTORY = 50;
/** After this number of replaced versions, the status advises to restart the process. */
const RESTART_ADVISED_AFTER = 20;

/** Records and logs the results of updates. */
export class UpdateReport {
  readonly #parts: {
    registry: ProviderRegistry;
    logger: Logger;
    clock: Clock;
    /** Returns why a plugin's worker is down. */
    downReason: (module: string) => string | undefined;
    leftOut: readonly LeftOutPlugin[];
    /** Packages that were reported at the start. */
    unlisted: readonly string[];
  };
  readonly #failures = new Map<string, UpdateFailure>();
  #leftOut: readonly LeftOutPlugin[];
  #unlisted: ReadonlySet<string>;
  #failure: PluginsStatus['failure'];
  #history: readonly PastUpdate[] = [];
  #since: string;
  #swaps = 0;
  #failedCount = 0;
  #importCount = 0;

  /** @param parts.leftOut plugins that were left out at the start */
  constructor(parts: {
    registry: ProviderRegistry;
    logger: Logger;
    clock: Clock;
    /** Returns why a plugin's worker is down. */
    downReason: (module: string) => string | undefined;
    leftOut: readonly LeftOutPlugin[];
    /** Packages that were reported at the start. */
    unlisted: readonly string[];
  }) {
    this.#parts = parts;
    this.#since = this.#now();
    this.#storeFailures(parts.leftOut);
    this.#leftOut = parts.leftOut;
    this.#unlisted = new Set(parts.unlisted);
  }

  /**
   * Records a completed update.
   * @param update.settled the plugins whose earlier failures are resolved; undefined for all
   * @returns the result for the caller
   */
  recordUpdate(
    trigger: Trigger,
    update: { changes: readonly string[]; failed: readonly LeftOutPlugin[]; settled?: readonly string[] },
    ms: number,
  ): UpdateResult {
    const { changes, failed, settled } = update;
    const generation = this.#parts.registry.current.number;
    this.#failure = undefined;
    for (const module of settled ?? [...this.#failures.keys()]) this.#failures.delete(module);
    this.#storeFailures(failed);
    this.#leftOut = [...this.#leftOut.filter(({ module }) => settled?.includes(module) === false), ...failed];
    for (const { error } of failed) {
      this.#parts.logger.error(`an optional plugin was not changed: ${error.report()}`, { trigger });
    }
    if (changes.length > 0) {
      this.#swaps += 1;
      this.#since = this.#now();
      const fields = { trigger, generation, changes, milliseconds: Math.round(ms) };
      this.#parts.logger.info(`plugins reloaded: ${changes.join('; ')}`, fields);
    }
    const failures = failed.map(({ module, error }) => ({ module, report: error.report() }));
    const sentences = failures.map(({ report }) => report);
    if (changes.length > 0) this.#addToHistory({ trigger, outcome: 'replaced', changes, failures: sentences });
    else if (failures.length > 0) this.#addToHistory({ trigger, outcome: 'refused', changes, failures: sentences });
    return { outcome: changes.length > 0 ? 'replaced' : 'unchanged', generation, changes, failures };
  }

  /** Logs that the files of previous versions could not be deleted. */
  logRemovalFailure(error: unknown): void {
    this.#parts.logger.warn('deleting the files of previous plugins failed', { reason: String(error) });
  }

  /** Records a failed update. */
  recordFailure(trigger: Trigger, error: unknown): void {
    this.#failedCount += 1;
    const failure = this.#failureOf(error);
    this.#failure = { trigger, ...failure };
    this.#addToHistory({ trigger, outcome: 'refused', changes: [], failures: [failure.report] });
    const plugin = error instanceof BootError ? error.plugin : undefined;
    // A failed rollback does not mean that anything is wrong with the plugin's current files.
    if (plugin !== undefined && trigger !== 'rollback') this.#failures.set(plugin, failure);
    this.#parts.logger.error(`plugins were not changed: ${failure.report}`, { trigger });
  }

  /** Returns the plugins that could not be loaded or opened, and of which no older version runs. */
  leftOut(): readonly LeftOutPlugin[] {
    const running = this.#parts.registry.current.plugins.map(({ loaded }) => loaded?.module);
    return this.#leftOut.filter(({ module }) => !running.includes(module));
  }

  /** Logs packages that plugins.json does not list, each once. */
  logUnlisted(names: readonly string[], text: (newNames: readonly string[]) => string): void {
    const newNames = names.filter((name) => !this.#unlisted.has(name));
    if (newNames.length > 0) this.#parts.logger.info(text(newNames));
    this.#unlisted = new Set(names);
  }

  /** Records that a version was loaded into this process to replace another. */
  recordImport(): void {
    this.#importCount += 1;
    if (this.#importCount % RESTART_ADVISED_AFTER === 0)
      this.#parts.logger.warn(this.#warning(), { loadedInProcess: this.#importCount });
  }

  status(): PluginsStatus {
    const { current, draining } = this.#parts.registry;
    const runningPlugins = current.plugins.flatMap((openedPlugin) =>
      openedPlugin.loaded === undefined
        ? []
        : [describePlugin(openedPlugin.loaded, openedPlugin, this.#parts.downReason(openedPlugin.loaded.module))],
    );
    const failureOf = (names: readonly (string | undefined)[]) => {
      for (const [key, failure] of this.#failures) if (names.includes(key)) return { failure };
      return {};
    };
    const runningNames = runningPlugins.flatMap(({ module, name }) => [module, name]);
    const leftOut = [...this.#failures].filter(([module]) => !runningNames.includes(module));
    return {
      generation: current.number,
      since: this.#since,
      plugins: [
        ...runningPlugins.map((plugin) => ({ ...plugin, ...failureOf([plugin.module, plugin.name]) })),
        ...leftOut.map(([module, failure]) => ({ module, state: 'left out' as const, providers: [], failure })),
      ],
      draining: draining.map(({ number, leases }) => ({ generation: number, calls: leases })),
      ...defined({ failure: this.#failure }),
      history: this.#history,
      swaps: this.#swaps,
      failedUpdates: this.#failedCount,
      loadedInProcess: this.#importCount,
      ...(this.#importCount < RESTART_ADVISED_AFTER ? {} : { warning: this.#warning() }),
    };
  }

  #addToHistory(update: Omit<PastUpdate, 'at' | 'generation'>): void {
    const past = { at: this.#now(), generation: this.#parts.registry.current.number, ...update };
    this.#history = [past, ...this.#history].slice(0, MAX_HISTORY);
  }

  #warning(): string {
    return `${this.#importCount} plugin versions were loaded into this process, which cannot free their memory: restart it at a convenient time`;
  }

  #storeFailures(leftOutPlugins: readonly LeftOutPlugin[]): void {
    for (const { module, error } of leftOutPlugins) this.#failures.set(module, this.#failureOf(error));
  }

  #failureOf(error: unknown): UpdateFailure {
    if (error instanceof BootError) return { at: this.#now(), code: error.code, report: error.report() };
    const { message = String(error) } = (error ?? {}) as Partial<Error>;
    return { at: this.#now(), code: 'unknown_error', report: message };
  }

  #now(): string {
    return new Date(this.#parts.clock.now()).toISOString();
  }
}

function describePlugin(
  { module, version, entry, plugin }: LoadedPlugin,
  { providers }: OpenedPlugin,
  reason?: string,
) {
  return defined({
    module,
    name: plugin.name,
    version,
    isolation: entry.isolation,
    state: reason === undefined ? ('running' as const) : ('down' as const),
    reason,
    providers: providers.map(({ spi, id }) => `${spi.id}/${id}`),
  });
}

type Versions = ReadonlyMap<string, LoadedPlugin>;

/** Compares two sets of versions. Returns the versions that were replaced, and a sentence for each change. */
export function changesBetween(
  before: Versions,
  after: Versions,
): { replaced: ReplacedVersions; changes: readonly string[] } {
  const replacedPlugins = new Map<string, LoadedPlugin | undefined>();
  const changes: string[] = [];
  for (const module of new Set([...before.keys(), ...after.keys()])) {
    const previousPlugin = before.get(module);
    const currentPlugin = after.get(module);
    if (previousPlugin === currentPlugin) continue;
    replacedPlugins.set(module, previousPlugin);
    changes.push(describeChange(previousPlugin, currentPlugin));
  }
  return { replaced: replacedPlugins, changes };
}

function describeChange(previousPlugin: LoadedPlugin | undefined, currentPlugin: LoadedPlugin | undefined): string {
  if (currentPlugin === undefined) return `${previousPlugin?.module} ${previousPlugin?.version} removed`;
  if (previousPlugin === undefined) return `${currentPlugin.module} ${currentPlugin.version} added`;
  if (previousPlugin.version !== currentPlugin.version)
    return `${currentPlugin.module} ${previousPlugin.version} → ${currentPlugin.version}`;
  const change = previousPlugin.directory === currentPlugin.directory ? 'configuration changed' : 'other files';
  return `${currentPlugin.module} ${currentPlugin.version}, ${change}`;
}
