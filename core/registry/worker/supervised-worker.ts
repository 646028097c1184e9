import { isDeepStrictEqual } from 'node:util';
import { HostError } from '@keyhost/spi';
import type { PluginLimits } from '../../config/plugins-file.js';
import { messageOf } from '../../model/thrown.js';
import { within } from '../sessions/time-limit.js';
import { type DegradedReason, type DownReason, unavailableError } from './down.js';
import { PLUGIN } from './frames.js';
import { RestartPolicy } from './restart-policy.js';
import { WorkerThread } from './worker-thread.js';
import type { Workers } from './workers.js';

/** The default memory limit, in megabytes. */
export const DEFAULT_MEMORY_MB = 256;
/** Maximum number of concurrent calls of a worker, as a multiple of the limit in one realm. */
const CALL_LIMIT_FACTOR = 2;
/** How long active sessions may use a thread that was replaced, in milliseconds. */
const RETIRE_MS = 2_000;

export interface WorkerOptions {
  readonly module: string;
  readonly file: string;
  readonly limits: PluginLimits;
  /** The names of the environment variables that the worker gets. */
  readonly env: readonly string[];
  /** Time limit of the import and of each open, in milliseconds. */
  readonly limitMs: number;
  /** Called before the package is imported again. It throws if the package has changed. */
  readonly recheck: () => Promise<void>;
}

type OpenArguments = readonly [number: number, key: string, config: unknown, names: readonly string[], version: string];

/**
 * The worker of a plugin: a thread that is replaced when it fails or uses too many resources. Calls in the meantime
 * fail with `plugin_unavailable` and Retry-After.
 */
export class SupervisedWorker {
  readonly module: string;
  /** The number of threads that went down, by reason. */
  readonly failuresByReason = new Map<DownReason, number>();
  readonly #options: WorkerOptions;
  readonly #workers: Workers;
  readonly #restartPolicy = new RestartPolicy();
  readonly #openedFactories = new Map<number, OpenArguments>();
  readonly #threads = new Set<WorkerThread>();
  #description: unknown;
  #current: WorkerThread | undefined;
  #scheduledRestart: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined;
  #isStarting = false;
  /** Why there is no thread, or why the last start failed. */
  #downReason = '';
  #isClosed = false;
  #lastInstance = PLUGIN;
  #lastFactory = 0;

  constructor(options: WorkerOptions, workers: Workers) {
    this.module = options.module;
    this.#options = options;
    this.#workers = workers;
  }

  /** `starting` while the worker restarts. `broken` if it fails repeatedly, and is only restarted once a minute. */
  get state(): 'up' | 'starting' | 'broken' {
    if (this.#current !== undefined) return 'up';
    return this.#restartPolicy.isBroken ? 'broken' : 'starting';
  }

  /** For operators, why the worker is down; undefined while it is up. */
  get downReason(): string | undefined {
    if (this.state === 'up') return undefined;
    const nextStep = this.state === 'broken' ? 'it keeps failing, retrying once a minute' : 'restarting';
    return `its worker is down: ${this.#downReason}; ${nextStep}`;
  }

  get current(): WorkerThread | undefined {
    return this.#current;
  }

  /**
   * Imports the plugin.
   * @returns its description as plain data
   * @throws any error of the import, or HostError `worker_down`, `time_limit`
   */
  async load(): Promise<unknown> {
    this.#workers.add(this);
    const thread = this.#newThread();
    this.#description = await within(this.#options.limitMs, () => thread.imported);
    this.#makeCurrent(thread);
    return this.#description;
  }

  /**
   * Opens a provider in the current thread and in every later one.
   * @param names the methods that the host may call
   * @returns the number of its factory; undefined if the plugin returned none
   */
  async open(key: string, config: unknown, names: readonly string[], version: string): Promise<number | undefined> {
    this.#lastFactory += 1;
    const factory: OpenArguments = [this.#lastFactory, key, config, names, version];
    if (!(await openIn(this.requireThread(), factory))) return undefined;
    this.#openedFactories.set(factory[0], factory);
    return factory[0];
  }

  async closeFactory(number: number): Promise<void> {
    if (this.#openedFactories.delete(number)) await this.#current?.callPlugin('close', [number]);
  }

  /**
   * Returns the current thread.
   * @throws HostError `plugin_unavailable` (503, with Retry-After) while there is none
   */
  requireThread(): WorkerThread {
    if (this.#current !== undefined) return this.#current;
    const seconds =
      this.#scheduledRestart === undefined ? 1 : Math.ceil((this.#scheduledRestart.at - performance.now()) / 1000);
    throw unavailableError(undefined, Math.max(1, seconds));
  }

  newInstance(): number {
    this.#lastInstance += 1;
    return this.#lastInstance;
  }

  /**
   * Starts a worker that is down, without waiting for its delay.
   * @returns why it did not start; undefined if it is up
   */
  async startNow(): Promise<string | undefined> {
    return this.#current === undefined ? this.restart() : undefined;
  }

  /**
   * Replaces the thread by a new one. The old thread ends when its calls have ended, or after two seconds. If the new
   * one does not start, the old one stays in use.
   * @returns why it did not start; undefined if it is up
   */
  async restart(): Promise<string | undefined> {
    this.#restartPolicy.reset();
    if (this.#isStarting) return this.downReason;
    clearTimeout(this.#scheduledRestart?.timer);
    return (await this.#startReplacement()) ? undefined : (this.downReason ?? this.#downReason);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#workers.remove(this);
    clearTimeout(this.#scheduledRestart?.timer);
    for (const thread of this.#threads) thread.end('closed', 'it was closed');
    await Promise.all([...this.#threads].map((thread) => thread.termination));
  }

  #newThread(): WorkerThread {
    const { module, file, limits, env } = this.#options;
    const { memory = DEFAULT_MEMORY_MB, concurrency } = limits;
    const { logger, clock } = this.#workers;
    const thread: WorkerThread = new WorkerThread({
      module,
      file,
      memoryLimitMb: memory,
      maxCalls: concurrency * CALL_LIMIT_FACTOR,
      logger,
      clock,
      env: this.#workers.environmentOf(env),
      onDown: (reason, detail) => this.#handleDown(thread, reason, detail),
      onDegraded: (reason) => this.#replaceDegraded(thread, reason),
      onStuck: (isStuck) => this.#workers.countStuck(isStuck),
    });
    this.#threads.add(thread);
    return thread;
  }

  #makeCurrent(thread: WorkerThread): void {
    if (thread.downDetail !== undefined) return;
    this.#restartPolicy.recordStart(performance.now());
    this.#current = thread;
  }

  #handleDown(thread: WorkerThread, reason: DownReason, detail: string): void {
    void thread.termination?.then(() => this.#threads.delete(thread));
    if (this.#isClosed || reason === 'closed') return;
    this.#countFailure(reason);
    this.#workers.logger.error('plugin worker ended', { plugin: this.module, reason: `${reason}: ${detail}` });
    if (thread !== this.#current) return;
    this.#current = undefined;
    this.#downReason = detail;
    this.#scheduleStart();
  }

  #countFailure(reason: DownReason): void {
    this.failuresByReason.set(reason, (this.failuresByReason.get(reason) ?? 0) + 1);
  }

  #scheduleStart(): void {
    if (this.#isStarting || this.#isClosed) return;
    const delay = this.#restartPolicy.recordFailure(performance.now());
    if (this.#restartPolicy.isBroken) {
      this.#workers.logger.error('plugin worker keeps failing, retrying once a minute', { plugin: this.module });
    }
    const timer = setTimeout(() => void this.#startReplacement(), delay);
    timer.unref();
    this.#scheduledRestart = { timer, at: performance.now() + delay };
  }

  /** Replaces a thread that still works, but uses too many resources. */
  #replaceDegraded(degraded: WorkerThread, reason: DegradedReason): void {
    if (degraded !== this.#current || this.#isStarting) return;
    this.#countFailure(reason);
    const description = reason === 'memory' ? 'it uses too much memory' : 'too many of its calls are unanswered';
    this.#workers.logger.warn('replacing plugin worker', { plugin: this.module, reason: description });
    this.#restartPolicy.recordFailure(performance.now());
    void this.#startReplacement();
  }

  /**
   * Starts a new thread, and makes it current.
   * @returns true if the new thread is in use
   */
  async #startReplacement(): Promise<boolean> {
    this.#isStarting = true;
    this.#scheduledRestart = undefined;
    let thread: WorkerThread | undefined;
    try {
      thread = await this.#workers.runInTurn(() => this.#startThread());
    } catch (error) {
      const reason = messageOf(error);
      this.#downReason = reason;
      if (!this.#isClosed) this.#workers.logger.error('plugin worker did not start', { plugin: this.module, reason });
    }
    this.#isStarting = false;
    if (thread === undefined || thread.downDetail !== undefined || this.#isClosed) {
      thread?.end('closed', 'it is not needed');
      if (this.#current === undefined) this.#scheduleStart();
      return false;
    }
    const replacedWorker = this.#current;
    this.#makeCurrent(thread);
    this.#workers.logger.info('plugin worker restarted', { plugin: this.module });
    if (replacedWorker !== undefined) await this.#retire(replacedWorker);
    return true;
  }

  /** Starts another thread of the same plugin, and opens all current factories in it. */
  async #startThread(): Promise<WorkerThread> {
    await this.#options.recheck();
    if (this.#isClosed) throw new HostError('worker_down', 'it was closed');
    const { limitMs } = this.#options;
    const thread = this.#newThread();
    try {
      const description = await within(limitMs, () => thread.imported);
      if (!isDeepStrictEqual(description, this.#description)) {
        throw new Error('its files have changed, and it declares something else: reload it');
      }
      for (const factory of this.#openedFactories.values()) {
        await within(limitMs, () => openIn(thread, factory));
      }
      return thread;
    } catch (error) {
      thread.end('closed', 'it did not start');
      throw error;
    }
  }

  async #retire(thread: WorkerThread): Promise<void> {
    await within(RETIRE_MS, () => thread.whenUnused()).catch(() => {});
    thread.end('closed', 'another worker has replaced it');
  }
}

/**
 * Opens a factory in a thread.
 * @returns false if the plugin returned none
 * @throws any error of the plugin's `open`, or HostError `worker_down`
 */
async function openIn(thread: WorkerThread, factory: OpenArguments): Promise<boolean> {
  try {
    return (await thread.callPlugin('open', factory)) === true;
  } catch (error) {
    throw thread.downDetail === undefined
      ? error
      : new HostError('worker_down', `its worker went down: ${thread.downDetail}`);
  }
}
