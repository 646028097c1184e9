import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@keyhost/spi';
import { Restarts } from '../../registry/worker/restarts.js';
import type { Question, StartedWorker, WorkerAnswers } from './messages.js';
import { StartFailed } from './start-failed.js';
import { WorkerProcess } from './worker-process.js';

/** A worker that is missing for longer than a start takes is missed: the host is not ready without it. In milliseconds. */
const MISSED_MS = 10_000;

/**
 * How often a worker is asked whether it lives, and how long its answer may take, in milliseconds. Twice in a row: a machine
 * that was stopped as a whole finds one answer late.
 */
const PING_MS = 10_000;
const PINGS = 2;

/** The place of a worker, which is taken again when it ends. */
interface Place {
  readonly number: number;
  readonly restarts: Restarts;
  worker: WorkerProcess | undefined;
  isReady: boolean;
  /** By the clock that never jumps. */
  missingSince: number;
  started: number;
}

export interface WorkerProcessesParts {
  readonly count: number;
  readonly logger: Logger;
  /** What this process was started with: `start` or `start-dev`, and the options. */
  readonly argv: readonly string[];
  /** Called when a worker has ended, which may be begun again under the same number. */
  readonly onEnded: (number: number) => void;
}

/** The processes that serve: begun, begun again when they end, asked, stopped. */
export class WorkerProcesses {
  readonly #parts: WorkerProcessesParts;
  readonly #places: readonly Place[];
  #managementUrl = '';
  #isStarted = false;
  #isStopping = false;

  constructor(parts: WorkerProcessesParts) {
    this.#parts = parts;
    this.#places = Array.from({ length: parts.count }, (_, index) => ({
      number: index + 1,
      restarts: new Restarts(),
      worker: undefined,
      isReady: false,
      missingSince: 0,
      started: 0,
    }));
  }

  /** All of them served once, and they are not told to stop. */
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

  /** False when one is missing for longer than it takes to begin it again. */
  get areComplete(): boolean {
    const now = performance.now();
    return this.ready > 0 && this.#places.every((one) => one.isReady || now - one.missingSince < MISSED_MS);
  }

  /** How often each was begun again, by its number. */
  restarts(): readonly (readonly [number: number, count: number])[] {
    return this.#places.map(({ number, started }) => [number, Math.max(0, started - 1)]);
  }

  /**
   * The first, and when it serves all others: what only one may do of a start, such as reading realm files, is done then.
   * @param managementUrl where operators reach the host
   * @returns what they listen on
   * @throws StartFailed of the one that failed first; the others run still
   */
  async start(managementUrl: string): Promise<StartedWorker> {
    this.#managementUrl = managementUrl;
    const [first, ...others] = this.#places as [Place, ...Place[]];
    const started = await this.#begin(first);
    await Promise.race([this.#endOf(first), Promise.all(others.map((place) => this.#begin(place)))]);
    this.#isStarted = true;
    for (const place of this.#places) void this.#keep(place);
    return started;
  }

  /** Asks the first that serves: any of them knows. @throws Error when none serves, or the one asked does not answer */
  async askOne<Q extends Question>(
    question: Q,
    words: Parameters<WorkerAnswers[Q]>,
    limitMs: number,
  ): Promise<Awaited<ReturnType<WorkerAnswers[Q]>>> {
    const place = this.#places.find(({ isReady }) => isReady);
    if (place?.worker === undefined) throw new Error('no worker is running');
    return place.worker.ask(question, words, limitMs);
  }

  /** Asks all that serve. @returns what each answered by its number; undefined of one that did not */
  async askAll<Q extends Question>(question: Q, words: Parameters<WorkerAnswers[Q]>, limitMs: number) {
    const serving = this.#places.filter(({ isReady }) => isReady);
    const answers = serving.map(async ({ number, worker }) => {
      const answer = await worker?.ask(question, words, limitMs).catch(() => undefined);
      return [number, answer] as const;
    });
    return new Map(await Promise.all(answers));
  }

  /**
   * Has them drain and end; whoever has not after the limit is ended.
   * @param limitMs in milliseconds
   * @returns how those ended that did not end well, by their numbers
   */
  async stop(limitMs: number): Promise<ReadonlyMap<number, string>> {
    this.#isStopping = true;
    const failed = new Map<number, string>();
    const ends = this.#places.map(async ({ number, worker, isReady }) => {
      if (worker === undefined) return;
      // One that starts has nothing under way.
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
  async #begin(place: Place): Promise<StartedWorker> {
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

  /** Ends a worker that hangs: a probe of liveness asks this process, and would never find it. */
  async #watch(place: Place, worker: WorkerProcess): Promise<void> {
    // Whoever debugs a worker stops it for as long as that takes.
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
  async #endOf({ number, worker }: Place): Promise<never> {
    const end = await worker?.ended;
    throw new StartFailed(`keyhost: worker ${number} ended while others started (${end})`);
  }

  /** Begins another when the worker of a place ends, ever later when that fails. */
  async #keep(place: Place): Promise<void> {
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
        await this.#begin(place);
        logger.info('worker restarted', { worker: place.number });
      } catch (error) {
        // It ended: what the log says of that comes next.
        const report = error instanceof StartFailed ? error.report : String(error);
        logger.error('worker did not start', { worker: place.number, reason: report });
      }
    }
  }
}
