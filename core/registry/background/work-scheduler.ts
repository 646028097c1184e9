import { HostError, type Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { defined } from '../../model/defined.js';
import { messageOf } from '../../model/thrown.js';
import { within } from '../sessions/time-limit.js';

/** How often the host checks for due work, in milliseconds. */
const CHECK_INTERVAL_MS = 250;
/** Maximum number of concurrent runs, of all realms and providers. Most of them wait for other systems. */
const MAX_CONCURRENT_RUNS = 256;
/** Time limit for runs to end after they were aborted, in milliseconds. */
const CLOSE_LIMIT_MS = 5_000;
/** The pause after the first failed run, in milliseconds. It doubles with each further failure. */
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 5 * 60_000;

/** Identifies the work that a provider does outside of requests in one realm. */
export interface WorkKey {
  readonly realm: string;
  /** `spi/id` */
  readonly provider: string;
  /** Work of different parts runs concurrently; undefined for the whole work. */
  readonly part?: string | undefined;
}

interface Job extends WorkKey {
  /** Milliseconds since the epoch, by the host's clock; undefined if no run is planned. */
  dueAt: number | undefined;
  isRunning: boolean;
  failures: number;
}

/**
 * Runs the work once.
 * @param signal aborted when the host stops
 * @returns seconds until the next run; undefined if it only runs when woken; `gone` if the work no longer exists
 */
export type RunWork = (work: WorkKey, signal: AbortSignal) => Promise<number | undefined | 'gone'>;

/**
 * Schedules background work. Each piece of work has at most one active run, and the number of all concurrent runs is
 * limited.
 */
export class WorkScheduler {
  readonly #jobs = new Map<string, Job>();
  readonly #activeRuns = new Set<Promise<void>>();
  readonly #abortController = new AbortController();
  readonly #parts: { run: RunWork; clock: Clock; logger: Logger };
  #timer: NodeJS.Timeout | undefined;
  #isCheckScheduled = false;

  constructor(parts: { run: RunWork; clock: Clock; logger: Logger }) {
    this.#parts = parts;
  }

  /** Runs the work as soon as possible: now, or once more after the active run. */
  wake(work: WorkKey): void {
    if (this.#abortController.signal.aborted) return;
    const key = keyOf(work);
    let job = this.#jobs.get(key);
    if (job === undefined) {
      const { realm, provider, part } = work;
      job = { realm, provider, part, dueAt: undefined, isRunning: false, failures: 0 };
      this.#jobs.set(key, job);
    }
    job.dueAt = Number.NEGATIVE_INFINITY;
    this.#timer ??= setInterval(() => this.#startDueJobs(), CHECK_INTERVAL_MS).unref();
    if (this.#isCheckScheduled) return;
    this.#isCheckScheduled = true;
    // Start in the next event-loop turn, so that the caller does not wait.
    setImmediate(() => this.#startDueJobs());
  }

  /** Resolves when nothing runs and nothing is due by the host's clock. */
  async settled(): Promise<void> {
    for (this.#startDueJobs(); this.#activeRuns.size > 0; this.#startDueJobs()) await Promise.all(this.#activeRuns);
  }

  /** Aborts the runs, and waits for them to end. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#abortController.abort();
    await within(CLOSE_LIMIT_MS, () => Promise.all(this.#activeRuns)).catch(() => {
      this.#parts.logger.error('background work did not end in time', { runs: this.#activeRuns.size });
    });
  }

  #startDueJobs(): void {
    this.#isCheckScheduled = false;
    const now = this.#parts.clock.now();
    for (const [key, job] of this.#jobs) {
      if (this.#activeRuns.size >= MAX_CONCURRENT_RUNS || this.#abortController.signal.aborted) return;
      if (job.isRunning || job.dueAt === undefined || job.dueAt > now) continue;
      // Move it to the end of the queue, so that every job gets its turn if more are due than may run.
      this.#jobs.delete(key);
      this.#jobs.set(key, job);
      const run = this.#start(job).finally(() => this.#activeRuns.delete(run));
      this.#activeRuns.add(run);
    }
  }

  async #start(job: Job): Promise<void> {
    job.isRunning = true;
    job.dueAt = undefined;
    try {
      const outcome = await this.#parts.run(job, this.#abortController.signal);
      job.failures = 0;
      // The work was woken during the run. Run it again, even after `gone`, because it may exist again.
      if (job.dueAt !== undefined) this.wake(job);
      else if (outcome === 'gone' || (outcome === undefined && job.part !== undefined)) this.#deleteJob(job);
      else if (outcome !== undefined) job.dueAt = this.#parts.clock.now() + outcome * 1000;
    } catch (error) {
      this.#scheduleRetry(job, error);
    } finally {
      job.isRunning = false;
    }
  }

  #scheduleRetry(job: Job, error: unknown): void {
    if (this.#abortController.signal.aborted) return;
    const { provider, realm, part } = job;
    // Log only the first failure of a series.
    if (job.failures === 0)
      this.#parts.logger.error('background work failed', {
        provider,
        realm,
        ...defined({ part }),
        reason: messageOf(error),
      });
    const wait = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** job.failures);
    job.failures += 1;
    job.dueAt = this.#parts.clock.now() + wait;
  }

  #deleteJob(job: Job): void {
    this.#jobs.delete(keyOf(job));
    if (this.#jobs.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function keyOf({ provider, realm, part = '' }: WorkKey): string {
  return `${provider} ${realm} ${part}`;
}

/** @param provider `spi/id` */
export function unknownWorkError(plugin: string, provider: string): HostError {
  return new HostError('background_unknown', `${plugin} has no background work ${provider}`);
}
