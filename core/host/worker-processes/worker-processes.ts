import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@keyhost/spi';
import { RestartPolicy } from '../../registry/worker/restart-policy.js';
import type { Question, StartedWorker, WorkerAnswers } from './messages.js';
import { StartFailed } from './start-failed.js';
import { WorkerProcess } from './worker-process.js';

/** Grace period for a restart, in milliseconds: the host is not ready if a worker is missing for longer. */
const RESTART_GRACE_MS = 10_000;

/**
 * Ping interval and timeout in milliseconds, and the number of missed pings after which a worker hangs. Two, because
 * after a suspend of the whole machine one answer is late.
 */
const PING_MS = 10_000;
const PINGS = 2;

/** A slot for a worker, which is restarted when it ends. */
interface WorkerSlot {
  readonly number: number;
  readonly restarts: RestartPolicy;
  worker: WorkerProcess | undefined;
  isReady: boolean;
  /** By a monotonic clock. */
  missingSince: number;
  started: number;
}

export interface WorkerProcessesParts {
  readonly count: number;
  readonly logger: Logger;
  /** The arguments of this process: `start` or `start-dev`, and the options. */
  readonly argv: readonly string[];
  /** Called when a worker has ended, which may be restarted with the same number. */
  readonly onEnded: (number: number) => void;
}

/** The worker processes: starts them, restarts those that end, queries and stops them. */
export class WorkerProcesses {
  readonly #parts: WorkerProcessesParts;
  readonly #places: readonly WorkerSlot[];
  #managementUrl = '';
  #isStarted = false;
  #isStopping = false;

  constructor(parts: WorkerProcessesParts) {
    this.#parts = parts;
    this.#places = Array.from({ length: parts.count }, (_, index) => ({
      number: index + 1,
      restarts: new RestartPolicy(),
      worker: undefined,
      isReady: false,
      missingSince: 0,
      started: 0,
    }));
  }

  /** True once all have served, until `stop` or `kill` is called. */
  get isServing(): boolean {
    return this.#isStarted && !this.#isStopping;
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  get wanted(): number {
    return this.#places.length;
  }

  get ready(): number {
    return this.#places.filter(({ isReady }) => isReady).length;
  }

  /** False if a worker is missing for longer than a restart takes. */
  get areComplete(): boolean {
    const now = performance.now();
    return this.ready > 0 && this.#places.every((one) => one.isReady || now - one.missingSince < RESTART_GRACE_MS);
  }

  /** Number of restarts of each, by its number. */
  restarts(): readonly (readonly [number: number, count: number])[] {
    return this.#places.map(({ number, started }) => [number, Math.max(0, started - 1)]);
  }

  /**
   * Starts the first worker, and all others when it serves: by then it has done the work that only one may do, such as
   * reading realm files.
   * @param managementUrl management URL of the host
   * @returns their addresses
   * @throws StartFailed of the first that failed; the others still run
   */
  async start(managementUrl: string): Promise<StartedWorker> {
    this.#managementUrl = managementUrl;
    const [first, ...others] = this.#places as [WorkerSlot, ...WorkerSlot[]];
    const started = await this.#start(first);
    await Promise.race([this.#endOf(first), Promise.all(others.map((place) => this.#start(place)))]);
    this.#isStarted = true;
    for (const place of this.#places) void this.#restartOnEnd(place);
    return started;
  }

  /** Asks the first ready worker. @throws Error if none is ready, or it does not answer */
  async askOne<Q extends Question>(
    question: Q,
    words: Parameters<WorkerAnswers[Q]>,
    limitMs: number,
  ): Promise<Awaited<ReturnType<WorkerAnswers[Q]>>> {
    const place = this.#places.find(({ isReady }) => isReady);
    if (place?.worker === undefined) throw new Error('no worker is running');
    return place.worker.ask(question, words, limitMs);
  }

  /** Asks all ready workers. @returns the answers by number; undefined for one that did not answer */
  async askAll<Q extends Question>(question: Q, words: Parameters<WorkerAnswers[Q]>, limitMs: number) {
    const serving = this.#places.filter(({ isReady }) => isReady);
    const answers = serving.map(async ({ number, worker }) => {
      const answer = await worker?.ask(question, words, limitMs).catch(() => undefined);
      return [number, answer] as const;
    });
    return new Map(await Promise.all(answers));
  }

  /**
   * Drains and ends them; those that have not ended after the limit are killed.
   * @param limitMs in milliseconds
   * @returns how those ended that did not end cleanly, by their numbers
   */
  async stop(limitMs: number): Promise<ReadonlyMap<number, string>> {
    this.#isStopping = true;
    const failed = new Map<number, string>();
    const ends = this.#places.map(async ({ number, worker, isReady }) => {
      if (worker === undefined) return;
      // One that is still starting has no requests.
      if (!isReady) {
        worker.kill();
        await worker.ended;
        return;
      }
      worker.stop();
      const limit = setTimeout(() => worker.kill(), limitMs);
      const end = await worker.ended;
      clearTimeout(limit);
      if (end !== 'exit code 0') failed.set(number, end);
    });
    await Promise.all(ends);
    return failed;
  }

  /** Ends them at once. */
  kill(): void {
    this.#isStopping = true;
    for (const { worker } of this.#places) worker?.kill();
  }

  /** @throws StartFailed */
  async #start(place: WorkerSlot): Promise<StartedWorker> {
    const { argv, onEnded } = this.#parts;
    const worker = new WorkerProcess({ number: place.number, managementUrl: this.#managementUrl, argv });
    place.worker = worker;
    place.started += 1;
    void worker.ended.then(() => {
      if (place.isReady) place.missingSince = performance.now();
      place.isReady = false;
      onEnded(place.number);
    });
    const started = await worker.ready;
    place.isReady = worker.isRunning;
    place.restarts.up(performance.now());
    void this.#watch(place, worker);
    return started;
  }

  /** Kills a worker that hangs. A liveness probe reaches only this process, and would never notice. */
  async #watch(place: WorkerSlot, worker: WorkerProcess): Promise<void> {
    // A debugger may stop a worker for any time.
    if (process.execArgv.some((word) => word.startsWith('--inspect'))) return;
    for (let missed = 0; worker.isRunning && missed < PINGS; await sleep(missed === 0 ? PING_MS : 0)) {
      missed = await worker.ask('ping', [], PING_MS).then(
        () => 0,
        () => missed + 1,
      );
    }
    if (!worker.isRunning || this.#isStopping) return;
    this.#parts.logger.error('worker does not respond, killing it', { worker: place.number });
    worker.kill();
  }

  /** @throws StartFailed when it ends */
  async #endOf({ number, worker }: WorkerSlot): Promise<never> {
    const end = await worker?.ended;
    throw new StartFailed(`keyhost: worker ${number} ended while others started (${end})`);
  }

  /** Restarts the worker of a slot when it ends, with a growing delay if that fails. */
  async #restartOnEnd(place: WorkerSlot): Promise<void> {
    const { logger } = this.#parts;
    while (true) {
      const end = await place.worker?.ended;
      if (this.#isStopping) return;
      const wait = Math.round(place.restarts.failed(performance.now()));
      logger.error('worker ended, restarting it', {
        worker: place.number,
        end: end ?? '',
        inMilliseconds: wait,
      });
      await sleep(wait);
      if (this.#isStopping) return;
      try {
        await this.#start(place);
        logger.info('worker restarted', { worker: place.number });
      } catch (error) {
        // It ended; the next log line gives the reason.
        const report = error instanceof StartFailed ? error.report : String(error);
        logger.error('worker did not start', { worker: place.number, reason: report });
      }
    }
  }
}
