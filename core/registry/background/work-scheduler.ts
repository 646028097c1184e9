import { HostError, type Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { defined } from '../../model/defined.js';
import { messageOf } from '../../model/thrown.js';
import { within } from '../sessions/time-limit.js';

/** How often the host checks for due work, in milliseconds. */
const CHECK_INTERVAL_MS = 250;
/** Maximum number of concurrent runs, of all realms and providers. Most of them wait for other systems. */
const CONCURRENCY = 256;
/** Time limit for runs to end after they were aborted, in milliseconds. */
const CLOSE_LIMIT_MS = 5_000;
/** The pause after a failed run, in milliseconds: doubled with each further failure. */
const FIRST_RETRY_MS = 5_000;
const LAST_RETRY_MS = 5 * 60_000;

/** The work of a provider outside of requests in one realm. */
export interface WorkKey {
  readonly realm: string;
  /** `spi/id` */
  readonly provider: string;
  /** Runs of different parts do not wait for each other; undefined for the whole work. */
  readonly part?: string | undefined;
}

interface Job extends WorkKey {
  /** By the host's clock; undefined until it is woken. */
  due: number | undefined;
  isRunning: boolean;
  failures: number;
}

/**
 * Runs one piece of work.
 * @param signal aborted when the host stops
 * @returns seconds until the next run; undefined if it only runs when woken; `gone` if the work no longer exists
 */
export type Runner = (work: WorkKey, signal: AbortSignal) => Promise<number | undefined | 'gone'>;

/** Schedules background work: one run at a time for each piece, and a limit for all of them. */
export class WorkScheduler {
  readonly #jobs = new Map<string, Job>();
  readonly #running = new Set<Promise<void>>();
  readonly #end = new AbortController();
  readonly #run: Runner;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(parts: { run: Runner; clock: Clock; logger: Logger }) {
    this.#run = parts.run;
    this.#clock = parts.clock;
    this.#logger = parts.logger;
  }

  /** Runs the work as soon as possible: now, or once more after the active run. */
  wake(work: WorkKey): void {
    if (this.#end.signal.aborted) return;
    const key = keyOf(work);
    let job = this.#jobs.get(key);
    if (job === undefined) {
      const { realm, provider, part } = work;
      job = { realm, provider, part, due: undefined, isRunning: false, failures: 0 };
      this.#jobs.set(key, job);
    }
    job.due = Number.NEGATIVE_INFINITY;
    this.#timer ??= setInterval(() => this.#startDueJobs(), CHECK_INTERVAL_MS).unref();
    if (this.#isLooking) return;
    this.#isLooking = true;
    // After the current event-loop turn, so that the caller does not wait.
    setImmediate(() => this.#startDueJobs());
  }

  /** Resolves when nothing runs and nothing is due by the host's clock. */
  async settled(): Promise<void> {
    for (this.#startDueJobs(); this.#running.size > 0; this.#startDueJobs()) await Promise.all(this.#running);
  }

  /** Aborts the runs, and waits for them to end. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#end.abort();
    await within(CLOSE_LIMIT_MS, () => Promise.all(this.#running)).catch(() => {
      this.#logger.error('background work did not end in time', { runs: this.#running.size });
    });
  }

  #startDueJobs(): void {
    this.#isLooking = false;
    const now = this.#clock.now();
    for (const [key, job] of this.#jobs) {
      if (this.#running.size >= CONCURRENCY || this.#end.signal.aborted) return;
      if (job.isRunning || job.due === undefined || job.due > now) continue;
      // To the end of the queue: if more work is due than may run, each piece gets its turn.
      this.#jobs.delete(key);
      this.#jobs.set(key, job);
      const running = this.#start(job).finally(() => this.#running.delete(running));
      this.#running.add(running);
    }
  }

  async #start(job: Job): Promise<void> {
    job.isRunning = true;
    job.due = undefined;
    try {
      const again = await this.#run(job, this.#end.signal);
      job.failures = 0;
      // Woken during the run: work that was gone may exist again.
      if (job.due !== undefined) this.wake(job);
      else if (again === 'gone' || (again === undefined && job.part !== undefined)) this.#forget(job);
      else if (again !== undefined) job.due = this.#clock.now() + again * 1000;
    } catch (error) {
      this.#failed(job, error);
    } finally {
      job.isRunning = false;
    }
  }

  #failed(job: Job, error: unknown): void {
    if (this.#end.signal.aborted) return;
    const { provider, realm, part } = job;
    // Log the first failure only, not each further one.
    if (job.failures === 0)
      this.#logger.error('background work failed', { provider, realm, ...defined({ part }), reason: messageOf(error) });
    const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** job.failures);
    job.failures += 1;
    job.due = this.#clock.now() + wait;
  }

  #forget(job: Job): void {
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
export function unknownWork(plugin: string, provider: string): HostError {
  return new HostError('background_unknown', `${plugin} has no background work ${provider}`);
}
