import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@keyhost/spi';
import { RestartPolicy } from '../../registry/worker/restart-policy.js';
import type { RequestName, StartedWorker, WorkerAnswers } from './messages.js';
import { StartFailedError } from './start-failed.js';
import { WorkerProcess } from './worker-process.js';

/**
 * Maximum time for which a worker may be missing while the host counts as ready, in milliseconds. A restart takes less.
 */
const RESTART_GRACE_MS = 10_000;

/** The interval and also the timeout of pings, in milliseconds. */
const PING_INTERVAL_MS = 10_000;
/** A worker that misses this many pings counts as hung. Not 1, because one ping fails if the machine was suspended. */
const MAX_MISSED_PINGS = 2;

/** A place for a worker, which is restarted when it ends. */
interface WorkerSlot {
  readonly number: number;
  readonly restarts: RestartPolicy;
  worker: WorkerProcess | undefined;
  isReady: boolean;
  /** Milliseconds of a monotonic clock. */
  missingSince: number;
  starts: number;
}

export interface WorkerProcessesParts {
  readonly count: number;
  readonly logger: Logger;
  /** The arguments of the parent process: `start` or `start-dev`, and the options. */
  readonly argv: readonly string[];
  /** Called when a worker has ended. It may be restarted under the same number. */
  readonly onEnded: (number: number) => void;
}

/** Starts the worker processes, restarts those that end, sends requests to them, and stops them. */
export class WorkerProcesses {
  readonly #parts: WorkerProcessesParts;
  readonly #slots: readonly WorkerSlot[];
  #managementUrl = '';
  #portArguments: readonly string[] = [];
  #isStarted = false;
  #isStopping = false;

  constructor(parts: WorkerProcessesParts) {
    this.#parts = parts;
    this.#slots = Array.from({ length: parts.count }, (_, index) => ({
      number: index + 1,
      restarts: new RestartPolicy(),
      worker: undefined,
      isReady: false,
      missingSince: 0,
      starts: 0,
    }));
  }

  /** True after all workers have started, until `stop` or `kill` is called. */
  get isServing(): boolean {
    return this.#isStarted && !this.#isStopping;
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  get count(): number {
    return this.#slots.length;
  }

  get readyCount(): number {
    return this.#slots.filter(({ isReady }) => isReady).length;
  }

  /** False if no worker is ready, or if one has been missing for longer than a restart takes. */
  get isComplete(): boolean {
    const now = performance.now();
    return (
      this.readyCount > 0 && this.#slots.every((slot) => slot.isReady || now - slot.missingSince < RESTART_GRACE_MS)
    );
  }

  /** Returns the number of restarts of each worker, with the worker's number. */
  restarts(): readonly (readonly [number: number, count: number])[] {
    return this.#slots.map(({ number, starts: started }) => [number, Math.max(0, started - 1)]);
  }

  /**
   * Starts the first worker. When it serves requests, starts all others. Work that must be done only once, such as
   * reading realm files, is complete then.
   * @param managementUrl the management URL of the host
   * @returns the addresses of the first worker
   * @throws StartFailedError of the first worker that failed; the others continue to run
   */
  async start(managementUrl: string): Promise<StartedWorker> {
    this.#managementUrl = managementUrl;
    const [first, ...otherSlots] = this.#slots as [WorkerSlot, ...WorkerSlot[]];
    const started = await this.#start(first);
    this.#portArguments = started.portArguments;
    await Promise.race([this.#failOnEnd(first), Promise.all(otherSlots.map((slot) => this.#start(slot)))]);
    this.#isStarted = true;
    for (const slot of this.#slots) void this.#restartOnEnd(slot);
    return started;
  }

  /**
   * Sends a request to the first ready worker.
   * @throws Error if none is ready, or it does not answer
   */
  async askOne<Q extends RequestName>(
    question: Q,
    words: Parameters<WorkerAnswers[Q]>,
    limitMs: number,
  ): Promise<Awaited<ReturnType<WorkerAnswers[Q]>>> {
    const slot = this.#slots.find(({ isReady }) => isReady);
    if (slot?.worker === undefined) throw new Error('no worker is running');
    return slot.worker.ask(question, words, limitMs);
  }

  /**
   * Sends a request to all ready workers.
   * @returns the answers by number; undefined for a worker that did not answer
   */
  async askAll<Q extends RequestName>(question: Q, words: Parameters<WorkerAnswers[Q]>, limitMs: number) {
    const readySlots = this.#slots.filter(({ isReady }) => isReady);
    const answers = readySlots.map(async ({ number, worker }) => {
      const answer = await worker?.ask(question, words, limitMs).catch(() => undefined);
      return [number, answer] as const;
    });
    return new Map(await Promise.all(answers));
  }

  /**
   * Drains the workers, then ends them. Those that have not ended within the limit are killed.
   * @param limitMs the limit in milliseconds
   * @returns how those workers ended that did not end cleanly, by number
   */
  async stop(limitMs: number): Promise<ReadonlyMap<number, string>> {
    this.#isStopping = true;
    const failures = new Map<number, string>();
    const ends = this.#slots.map(async ({ number, worker, isReady }) => {
      if (worker === undefined) return;
      // A worker that is still starting has no active requests.
      if (!isReady) {
        worker.kill();
        await worker.ended;
        return;
      }
      worker.stop();
      const killTimer = setTimeout(() => worker.kill(), limitMs);
      const end = await worker.ended;
      clearTimeout(killTimer);
      if (end !== 'exit code 0') failures.set(number, end);
    });
    await Promise.all(ends);
    return failures;
  }

  /** Kills all workers. */
  kill(): void {
    this.#isStopping = true;
    for (const { worker } of this.#slots) worker?.kill();
  }

  /**
   * Starts a worker in the slot.
   * @throws StartFailedError
   */
  async #start(slot: WorkerSlot): Promise<StartedWorker> {
    const { onEnded } = this.#parts;
    // The last value of an option counts.
    const argv = [...this.#parts.argv, ...this.#portArguments];
    const worker = new WorkerProcess({ number: slot.number, managementUrl: this.#managementUrl, argv });
    slot.worker = worker;
    slot.starts += 1;
    void worker.ended.then(() => {
      if (slot.isReady) slot.missingSince = performance.now();
      slot.isReady = false;
      onEnded(slot.number);
    });
    const started = await worker.ready;
    slot.isReady = worker.isRunning;
    slot.restarts.recordStart(performance.now());
    void this.#watch(slot, worker);
    return started;
  }

  /** Kills the worker if it hangs. A liveness probe cannot detect this, because it only reaches the parent process. */
  async #watch(slot: WorkerSlot, worker: WorkerProcess): Promise<void> {
    // A debugger may suspend a worker for any time.
    if (process.execArgv.some((argument) => argument.startsWith('--inspect'))) return;
    for (
      let missed = 0;
      worker.isRunning && missed < MAX_MISSED_PINGS;
      await sleep(missed === 0 ? PING_INTERVAL_MS : 0)
    ) {
      missed = await worker.ask('ping', [], PING_INTERVAL_MS).then(
        () => 0,
        () => missed + 1,
      );
    }
    if (!worker.isRunning || this.#isStopping) return;
    this.#parts.logger.error('worker does not respond, killing it', { worker: slot.number });
    worker.kill();
  }

  /**
   * Waits until the worker ends.
   * @throws StartFailedError then
   */
  async #failOnEnd({ number, worker }: WorkerSlot): Promise<never> {
    const end = await worker?.ended;
    throw new StartFailedError(`keyhost: worker ${number} ended while others started (${end})`);
  }

  /** Restarts the worker of a slot whenever it ends. The delay increases while restarts fail. */
  async #restartOnEnd(slot: WorkerSlot): Promise<void> {
    const { logger } = this.#parts;
    while (true) {
      const end = await slot.worker?.ended;
      if (this.#isStopping) return;
      const wait = Math.round(slot.restarts.recordFailure(performance.now()));
      logger.error('worker ended, restarting it', {
        worker: slot.number,
        end: end ?? '',
        inMilliseconds: wait,
      });
      await sleep(wait);
      if (this.#isStopping) return;
      try {
        await this.#start(slot);
        logger.info('worker restarted', { worker: slot.number });
      } catch (error) {
        // The worker has ended; the next log line gives the reason.
        const report = error instanceof StartFailedError ? error.report : String(error);
        logger.error('worker did not start', { worker: slot.number, reason: report });
      }
    }
  }
}
