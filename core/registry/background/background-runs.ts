import { HostError, type Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { defined } from '../../model/defined.js';
import { messageOf } from '../../model/thrown.js';
import { within } from '../sessions/time-limit.js';

/** How often the host looks whether work is due, in milliseconds. */
const LOOK_MS = 250;
/** Runs at a time, of all realms and providers. Most of them wait for somebody else. */
const CONCURRENCY = 256;
/** How long runs that are told to end may take to do so, in milliseconds. */
const CLOSE_LIMIT_MS = 5_000;
/** After a failed run, in milliseconds: doubled with each one that fails after it. */
const FIRST_RETRY_MS = 5_000;
const LAST_RETRY_MS = 5 * 60_000;

/** What a provider has to do beside requests in one realm. */
export interface Work {
  readonly realm: string;
  /** `spi/id` */
  readonly provider: string;
  /** Runs of different parts do not wait for each other; undefined: the whole. */
  readonly part?: string | undefined;
}

interface Job extends Work {
  /** By the host's clock; undefined: when it is woken. */
  due: number | undefined;
  isRunning: boolean;
  failures: number;
}

/**
 * Runs one piece of work.
 * @param signal aborted when the host ends
 * @returns seconds until it wants to run again; undefined: when it is woken; `gone`: there is nothing to run any more
 */
export type Runner = (work: Work, signal: AbortSignal) => Promise<number | undefined | 'gone'>;

/** When background work runs: each piece once at a time, all of them held to one limit. */
export class BackgroundRuns {
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

  /** Runs it as soon as may be: now, or once more after the run that is under way. */
  wake(work: Work): void {
    if (this.#end.signal.aborted) return;
    const key = keyOf(work);
    let job = this.#jobs.get(key);
    if (job === undefined) {
      const { realm, provider, part } = work;
      job = { realm, provider, part, due: undefined, isRunning: false, failures: 0 };
      this.#jobs.set(key, job);
    }
    job.due = Number.NEGATIVE_INFINITY;
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
    if (this.#isLooking) return;
    this.#isLooking = true;
    // After whatever is under way in this turn: nobody who wakes it waits for it.
    setImmediate(() => this.#look());
  }

  /** Resolves when nothing runs and nothing is due by the host's clock. */
  async settled(): Promise<void> {
    for (this.#look(); this.#running.size > 0; this.#look()) await Promise.all(this.#running);
  }

  /** Tells runs to end, and waits for them. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#end.abort();
    await within(CLOSE_LIMIT_MS, () => Promise.all(this.#running)).catch(() => {
      this.#logger.error('background work did not end in time', { runs: this.#running.size });
    });
  }

  #look(): void {
    this.#isLooking = false;
    const now = this.#clock.now();
    for (const [key, job] of this.#jobs) {
      if (this.#running.size >= CONCURRENCY || this.#end.signal.aborted) return;
      if (job.isRunning || job.due === undefined || job.due > now) continue;
      // Behind all others: where there is more to do than may run, each has its turn.
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
      // Woken meanwhile: what is gone may have come back.
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
    // Its end is told when it comes about, its going on is not.
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

function keyOf({ provider, realm, part = '' }: Work): string {
  return `${provider} ${realm} ${part}`;
}

/** @param provider `spi/id` */
export function unknownWork(plugin: string, provider: string): HostError {
  return new HostError('background_unknown', `${plugin} has no background work ${provider}`);
}
