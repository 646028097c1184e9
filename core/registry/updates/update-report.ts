import type { Logger } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import type { Clock } from '../../model/clock.js';
import { defined } from '../../model/defined.js';
import type { LeftOutPlugin } from '../generations/plugin-opening.js';
import type { ProviderRegistry } from '../generations/registry.js';
import type { LoadedPlugin } from '../loading/load-plugins.js';
import type { OpenedPlugin } from '../loading/opened-plugin.js';
import type { Replaced } from './update-history.js';

/** Who asked for an update. */
export type Trigger = 'reload' | 'rollback' | 'restart' | 'changed files';

/** What became of an update. */
export interface UpdateResult {
  readonly outcome: 'replaced' | 'unchanged';
  readonly generation: number;
  /** Such as `newsletter 1.0.0 → 1.1.0`. */
  readonly changes: readonly string[];
  /** Plugins that are not required and stay as they were, or stay out. */
  readonly failures: readonly { readonly module: string; readonly report: string }[];
}

export interface UpdateFailure {
  /** ISO 8601. */
  readonly at: string;
  readonly code: string;
  /** For a person: what is wrong, where, and what to do. */
  readonly report: string;
}

/** An update that changed something, or that was asked for in vain. */
export interface PastUpdate {
  /** ISO 8601. */
  readonly at: string;
  readonly trigger: Trigger;
  /** The generation that served afterwards. */
  readonly generation: number;
  readonly outcome: 'replaced' | 'refused';
  /** As in `UpdateResult`; empty where it was refused. */
  readonly changes: readonly string[];
  /** Why plugins stay as they were, for a person. */
  readonly failures: readonly string[];
}

/** The plugins of a host, as its management port tells them. */
export interface PluginsStatus {
  readonly generation: number;
  /** When it took over, ISO 8601. */
  readonly since: string;
  readonly plugins: readonly {
    readonly module: string;
    readonly name?: string;
    readonly version?: string;
    readonly isolation?: string;
    /** `down`: its worker is, and starts again. */
    readonly state: 'running' | 'down' | 'left out';
    /** `spi/id` */
    readonly providers: readonly string[];
    /** Why it is down, as a sentence. */
    readonly reason?: string;
    /** The version in the providers folder, where that holds other files than those that run. */
    readonly inFolder?: string;
    /** Why its newest files or configuration do not run. */
    readonly failure?: UpdateFailure;
  }[];
  /** Generations that were replaced and still serve the calls that began with them. */
  readonly draining: readonly { readonly generation: number; readonly calls: number }[];
  /** Why the last update changed nothing; absent once one succeeded. */
  readonly failure?: UpdateFailure & { readonly trigger: Trigger };
  /** Since the start, the latest first, fifty at most. */
  readonly history: readonly PastUpdate[];
  readonly swaps: number;
  readonly failedUpdates: number;
  /** Versions that were loaded into this process in place of others. */
  readonly loadedInProcess: number;
  readonly warning?: string;
}

/** So many past updates are remembered. */
const REMEMBERED = 50;
/** After so many versions in this process a restart would do good. */
const MANY = 20;

/** Remembers and logs what became of updates. */
export class UpdateReport {
  readonly #registry: ProviderRegistry;
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #trouble: (module: string) => string | undefined;
  readonly #failures = new Map<string, UpdateFailure>();
  #leftOut: readonly LeftOutPlugin[];
  #unlisted: ReadonlySet<string>;
  #failure: PluginsStatus['failure'];
  #history: readonly PastUpdate[] = [];
  #since: string;
  #swaps = 0;
  #failed = 0;
  #imports = 0;

  /** @param parts.leftOut plugins that the start left out */
  constructor(parts: {
    registry: ProviderRegistry;
    logger: Logger;
    clock: Clock;
    /** Why a plugin's worker is down. */
    trouble: (module: string) => string | undefined;
    leftOut: readonly LeftOutPlugin[];
    /** Packages that the start told of. */
    unlisted: readonly string[];
  }) {
    this.#registry = parts.registry;
    this.#logger = parts.logger;
    this.#clock = parts.clock;
    this.#trouble = parts.trouble;
    this.#since = this.#now();
    this.#keep(parts.leftOut);
    this.#leftOut = parts.leftOut;
    this.#unlisted = new Set(parts.unlisted);
  }

  /**
   * An update is over.
   * @param update.settled whose earlier failures are over; undefined: everybody's
   * @returns the result to answer with
   */
  done(
    trigger: Trigger,
    update: { changes: readonly string[]; failed: readonly LeftOutPlugin[]; settled?: readonly string[] },
    ms: number,
  ): UpdateResult {
    const { changes, failed, settled } = update;
    const generation = this.#registry.current.number;
    this.#failure = undefined;
    for (const module of settled ?? [...this.#failures.keys()]) this.#failures.delete(module);
    this.#keep(failed);
    this.#leftOut = [...this.#leftOut.filter(({ module }) => settled?.includes(module) === false), ...failed];
    for (const { error } of failed) {
      this.#logger.error(`an optional plugin was not changed: ${error.report()}`, { trigger });
    }
    if (changes.length > 0) {
      this.#swaps += 1;
      this.#since = this.#now();
      const fields = { trigger, generation, changes, milliseconds: Math.round(ms) };
      this.#logger.info(`plugins reloaded: ${changes.join('; ')}`, fields);
    }
    const failures = failed.map(({ module, error }) => ({ module, report: error.report() }));
    const sentences = failures.map(({ report }) => report);
    if (changes.length > 0) this.#remember({ trigger, outcome: 'replaced', changes, failures: sentences });
    else if (failures.length > 0) this.#remember({ trigger, outcome: 'refused', changes, failures: sentences });
    return { outcome: changes.length > 0 ? 'replaced' : 'unchanged', generation, changes, failures };
  }

  /** The files of older versions could not be removed. */
  notRemoved(error: unknown): void {
    this.#logger.warn('deleting the files of previous plugins failed', { reason: String(error) });
  }

  /** An update changed nothing. */
  refused(trigger: Trigger, error: unknown): void {
    this.#failed += 1;
    const failure = this.#failureOf(error);
    this.#failure = { trigger, ...failure };
    this.#remember({ trigger, outcome: 'refused', changes: [], failures: [failure.report] });
    const plugin = error instanceof BootError ? error.plugin : undefined;
    // Nothing is wrong with the files of one that could not go back.
    if (plugin !== undefined && trigger !== 'rollback') this.#failures.set(plugin, failure);
    this.#logger.error(`plugins were not changed: ${failure.report}`, { trigger });
  }

  /** Plugins that could not be loaded or opened, and do not run in an older version either. */
  leftOut(): readonly LeftOutPlugin[] {
    const running = this.#registry.current.plugins.map(({ loaded }) => loaded?.module);
    return this.#leftOut.filter(({ module }) => !running.includes(module));
  }

  /** Packages that plugins.json does not name: each is told once. */
  unlisted(names: readonly string[], text: (fresh: readonly string[]) => string): void {
    const fresh = names.filter((name) => !this.#unlisted.has(name));
    if (fresh.length > 0) this.#logger.info(text(fresh));
    this.#unlisted = new Set(names);
  }

  /** A version was loaded into this process in place of another one. */
  imported(): void {
    this.#imports += 1;
    if (this.#imports % MANY === 0) this.#logger.warn(this.#warning(), { loadedInProcess: this.#imports });
  }

  status(): PluginsStatus {
    const { current, draining } = this.#registry;
    const running = current.plugins.flatMap((opened) =>
      opened.loaded === undefined ? [] : [describe(opened.loaded, opened, this.#trouble(opened.loaded.module))],
    );
    const failureOf = (names: readonly (string | undefined)[]) => {
      for (const [key, failure] of this.#failures) if (names.includes(key)) return { failure };
      return {};
    };
    const known = running.flatMap(({ module, name }) => [module, name]);
    const leftOut = [...this.#failures].filter(([module]) => !known.includes(module));
    return {
      generation: current.number,
      since: this.#since,
      plugins: [
        ...running.map((plugin) => ({ ...plugin, ...failureOf([plugin.module, plugin.name]) })),
        ...leftOut.map(([module, failure]) => ({ module, state: 'left out' as const, providers: [], failure })),
      ],
      draining: draining.map(({ number, leases }) => ({ generation: number, calls: leases })),
      ...defined({ failure: this.#failure }),
      history: this.#history,
      swaps: this.#swaps,
      failedUpdates: this.#failed,
      loadedInProcess: this.#imports,
      ...(this.#imports < MANY ? {} : { warning: this.#warning() }),
    };
  }

  #remember(update: Omit<PastUpdate, 'at' | 'generation'>): void {
    const past = { at: this.#now(), generation: this.#registry.current.number, ...update };
    this.#history = [past, ...this.#history].slice(0, REMEMBERED);
  }

  #warning(): string {
    return `${this.#imports} plugin versions were loaded into this process, which cannot free their memory: restart it at a convenient time`;
  }

  #keep(failed: readonly LeftOutPlugin[]): void {
    for (const { module, error } of failed) this.#failures.set(module, this.#failureOf(error));
  }

  #failureOf(error: unknown): UpdateFailure {
    if (error instanceof BootError) return { at: this.#now(), code: error.code, report: error.report() };
    const { message = String(error) } = (error ?? {}) as Partial<Error>;
    return { at: this.#now(), code: 'unknown_error', report: message };
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}

function describe({ module, version, entry, plugin }: LoadedPlugin, { providers }: OpenedPlugin, reason?: string) {
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

/** What an update did: the versions that it replaced, and what it made of each plugin in words. */
export function changesBetween(before: Versions, after: Versions): { replaced: Replaced; changes: readonly string[] } {
  const replaced = new Map<string, LoadedPlugin | undefined>();
  const changes: string[] = [];
  for (const module of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(module), after.get(module)];
    if (old === now) continue;
    replaced.set(module, old);
    changes.push(describeChange(old, now));
  }
  return { replaced, changes };
}

function describeChange(before: LoadedPlugin | undefined, after: LoadedPlugin | undefined): string {
  if (after === undefined) return `${before?.module} ${before?.version} removed`;
  if (before === undefined) return `${after.module} ${after.version} added`;
  if (before.version !== after.version) return `${after.module} ${before.version} → ${after.version}`;
  const what = before.directory === after.directory ? 'configuration changed' : 'other files';
  return `${after.module} ${after.version}, ${what}`;
}
