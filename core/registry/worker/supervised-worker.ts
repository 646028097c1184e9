import { isDeepStrictEqual } from 'node:util';
import { HostError } from '@keyhost/spi';
import type { PluginLimits } from '../../config/plugins-file.js';
import { messageOf } from '../../model/thrown.js';
import { within } from '../sessions/time-limit.js';
import { type DegradedReason, type DownReason, unavailable } from './down.js';
import { PLUGIN } from './frames.js';
import { RestartPolicy } from './restart-policy.js';
import { WorkerThread } from './worker-thread.js';
import type { Workers } from './workers.js';

/** The default memory limit, in megabytes. */
export const WORKER_MEMORY = 256;
/** The concurrent calls of a worker, as a multiple of a realm's limit. */
const CALL_LIMIT_FACTOR = 2;
/** How long active sessions may use a replaced thread, in milliseconds. */
const RETIRE_MS = 2_000;

export interface WorkerOptions {
  readonly module: string;
  readonly file: string;
  readonly limits: PluginLimits;
  /** Names of environment variables. */
  readonly env: readonly string[];
  /** Time limit of the import and of each open, in milliseconds. */
  readonly limitMs: number;
  /** Called before the package is imported again: throws if it has changed. */
  readonly recheck: () => Promise<void>;
}

type Opened = readonly [number: number, key: string, config: unknown, names: readonly string[], version: string];

/**
 * The worker of a plugin: a thread that is replaced when it fails or uses too many resources. Calls in the meantime get
 * `plugin_unavailable` with Retry-After.
 */
export class SupervisedWorker {
  readonly module: string;
  /** Number of threads that went down, by reason. */
  readonly failuresByReason = new Map<DownReason, number>();
  readonly #options: WorkerOptions;
  readonly #workers: Workers;
  readonly #restarts = new RestartPolicy();
  readonly #opened = new Map<number, Opened>();
  readonly #threads = new Set<WorkerThread>();
  #described: unknown;
  #current: WorkerThread | undefined;
  #retry: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined;
  #isStarting = false;
  /** Why there is no thread, or why the last one did not start. */
  #downReason = '';
  #isClosed = false;
  #lastInstance = PLUGIN;
  #lastFactory = 0;

  constructor(options: WorkerOptions, workers: Workers) {
    this.module = options.module;
    this.#options = options;
    this.#workers = workers;
  }

  /** `up`, `starting`, or `broken`: down and restarted once a minute. */
  get state(): 'up' | 'starting' | 'broken' {
    if (this.#current !== undefined) return 'up';
    return this.#restarts.isBroken ? 'broken' : 'starting';
  }

  /** The reason for operators while it is not up. */
  get downReason(): string | undefined {
    if (this.state === 'up') return undefined;
    const then = this.state === 'broken' ? 'it keeps failing, retrying once a minute' : 'restarting';
    return `its worker is down: ${this.#downReason}; ${then}`;
  }

  get current(): WorkerThread | undefined {
    return this.#current;
  }

  /**
   * Imports the plugin. @returns it as data @throws any error of the import, or HostError `worker_down`, `time_limit`
   */
  async load(): Promise<unknown> {
    this.#workers.add(this);
    const thread = this.#newThread();
    this.#described = await within(this.#options.limitMs, () => thread.imported);
    this.#makeCurrent(thread);
    return this.#described;
  }

  /**
   * Opens a provider, in this thread and in every later one.
   * @param names the methods that the host may call
   * @returns the number of its factory; undefined if the plugin returned none
   */
  async open(key: string, config: unknown, names: readonly string[], version: string): Promise<number | undefined> {
    this.#lastFactory += 1;
    const opened: Opened = [this.#lastFactory, key, config, names, version];
    if (!(await openIn(this.thread(), opened))) return undefined;
    this.#opened.set(opened[0], opened);
    return opened[0];
  }

  async closeFactory(number: number): Promise<void> {
    if (this.#opened.delete(number)) await this.#current?.callPlugin('close', [number]);
  }

  /** @throws HostError `plugin_unavailable` (503, with Retry-After) while there is no thread */
  thread(): WorkerThread {
    if (this.#current !== undefined) return this.#current;
    const seconds = this.#retry === undefined ? 1 : Math.ceil((this.#retry.at - performance.now()) / 1000);
    throw unavailable(undefined, Math.max(1, seconds));
  }

  newInstance(): number {
    this.#lastInstance += 1;
    return this.#lastInstance;
  }

  /** Starts a broken worker at once, instead of after a minute. @returns why it did not start; undefined if it is up */
  async startNow(): Promise<string | undefined> {
    return this.#current === undefined ? this.restart() : undefined;
  }

  /**
   * Replaces the thread by a new one. The old one ends when its calls have ended, or after two seconds. If the new one
   * does not start, the old one continues to serve.
   * @returns why it did not start; undefined if it is up
   */
  async restart(): Promise<string | undefined> {
    this.#restarts.reset();
    if (this.#isStarting) return this.downReason;
    clearTimeout(this.#retry?.timer);
    return (await this.#start()) ? undefined : (this.downReason ?? this.#downReason);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#workers.remove(this);
    clearTimeout(this.#retry?.timer);
    for (const thread of this.#threads) thread.end('closed', 'it was closed');
    await Promise.all([...this.#threads].map((thread) => thread.settled));
  }

  #newThread(): WorkerThread {
    const { module, file, limits, env } = this.#options;
    const { memory = WORKER_MEMORY, concurrency } = limits;
    const { logger, clock } = this.#workers;
    const thread: WorkerThread = new WorkerThread({
      module,
      file,
      memory,
      calls: concurrency * CALL_LIMIT_FACTOR,
      logger,
      clock,
      env: this.#workers.env(env),
      onDown: (reason, detail) => this.#down(thread, reason, detail),
      onDegraded: (reason) => this.#replace(thread, reason),
      onStuck: (isStuck) => this.#workers.countStuck(isStuck),
    });
    this.#threads.add(thread);
    return thread;
  }

  #makeCurrent(thread: WorkerThread): void {
    if (thread.down !== undefined) return;
    this.#restarts.up(performance.now());
    this.#current = thread;
  }

  #down(thread: WorkerThread, reason: DownReason, detail: string): void {
    void thread.settled?.then(() => this.#threads.delete(thread));
    if (this.#isClosed || reason === 'closed') return;
    this.#count(reason);
    this.#workers.logger.error('plugin worker ended', { plugin: this.module, reason: `${reason}: ${detail}` });
    if (thread !== this.#current) return;
    this.#current = undefined;
    this.#downReason = detail;
    this.#startLater();
  }

  #count(reason: DownReason): void {
    this.failuresByReason.set(reason, (this.failuresByReason.get(reason) ?? 0) + 1);
  }

  #startLater(): void {
    if (this.#isStarting || this.#isClosed) return;
    const delay = this.#restarts.failed(performance.now());
    if (this.#restarts.isBroken) {
      this.#workers.logger.error('plugin worker keeps failing, retrying once a minute', { plugin: this.module });
    }
    const timer = setTimeout(() => void this.#start(), delay);
    timer.unref();
    this.#retry = { timer, at: performance.now() + delay };
  }

  /** Replaces a thread that still works. */
  #replace(worn: WorkerThread, reason: DegradedReason): void {
    if (worn !== this.#current || this.#isStarting) return;
    this.#count(reason);
    const what = reason === 'memory' ? 'it uses too much memory' : 'too many of its calls are unanswered';
    this.#workers.logger.warn('replacing plugin worker', { plugin: this.module, reason: what });
    this.#restarts.failed(performance.now());
    void this.#start();
  }

  /** @returns true if a new thread serves now */
  async #start(): Promise<boolean> {
    this.#isStarting = true;
    this.#retry = undefined;
    let thread: WorkerThread | undefined;
    try {
      thread = await this.#workers.serialize(() => this.#startThread());
    } catch (error) {
      const reason = messageOf(error);
      this.#downReason = reason;
      if (!this.#isClosed) this.#workers.logger.error('plugin worker did not start', { plugin: this.module, reason });
    }
    this.#isStarting = false;
    if (thread === undefined || thread.down !== undefined || this.#isClosed) {
      thread?.end('closed', 'it is not needed');
      if (this.#current === undefined) this.#startLater();
      return false;
    }
    const before = this.#current;
    this.#makeCurrent(thread);
    this.#workers.logger.info('plugin worker restarted', { plugin: this.module });
    if (before !== undefined) await this.#retire(before);
    return true;
  }

  /** Starts another thread of the same plugin, and opens all open providers in it. */
  async #startThread(): Promise<WorkerThread> {
    await this.#options.recheck();
    if (this.#isClosed) throw new HostError('worker_down', 'it was closed');
    const { limitMs } = this.#options;
    const thread = this.#newThread();
    try {
      const described = await within(limitMs, () => thread.imported);
      if (!isDeepStrictEqual(described, this.#described)) {
        throw new Error('its files have changed, and it declares something else: reload it');
      }
      for (const opened of this.#opened.values()) {
        await within(limitMs, () => openIn(thread, opened));
      }
      return thread;
    } catch (error) {
      thread.end('closed', 'it did not start');
      throw error;
    }
  }

  async #retire(thread: WorkerThread): Promise<void> {
    await within(RETIRE_MS, () => thread.idle()).catch(() => {});
    thread.end('closed', 'another worker has replaced it');
  }
}

/** @throws any error of the plugin's `open`, or HostError `worker_down` */
async function openIn(thread: WorkerThread, opened: Opened): Promise<boolean> {
  try {
    return (await thread.callPlugin('open', opened)) === true;
  } catch (error) {
    throw thread.down === undefined ? error : new HostError('worker_down', `its worker went down: ${thread.down}`);
  }
}
