import type { Worker } from 'node:worker_threads';
import { HostError, type JsonObject, type Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { defined } from '../../model/defined.js';
import { messageOf } from '../../model/thrown.js';
import { loggerWith } from '../log/logger-with.js';
import { within } from '../sessions/time-limit.js';
import { fromCrossing } from './crossing-errors.js';
import { type DegradedReason, type DownReason, unavailable } from './down.js';
import { type CallContext, FRAME, type Frame, type Memory, type Opening, PLUGIN, PROTOCOL } from './frames.js';
import { Peer } from './peer.js';
import { callSession, type ServedSession } from './session-calls.js';
import { spawnWorker } from './spawn-worker.js';
import { WorkerHealth } from './worker-health.js';
import { LINES_PER_SECOND } from './worker-log.js';

const MB = 1024 * 1024;
/** Maximum number of active calls of sessions from a worker; the worker itself sends at most 64 at a time. */
const SESSION_CALLS = 512;
/** Fractions of the memory limit: above the first the worker is replaced, above the second it is terminated at once. */
const SOFT = 0.6;
const FIRM = 0.8;
/** Time limit for a thread to end, in milliseconds, after which it counts as stuck in native code. */
const STUCK_MS = 3_000;
/** With more abandoned calls without an answer, the thread is replaced. */
const MAX_ABANDONED = 64;
/** Ended sessions are reported with the next call, or separately once there are this many. */
const MAX_UNSENT_ENDED = 64;

export interface WorkerThreadParts {
  /** The package's name, for messages. */
  readonly module: string;
  readonly file: string;
  /** The limit of the heap, and of buffers, in megabytes. */
  readonly memory: number;
  /** Maximum number of active calls, of all realms together. */
  readonly calls: number;
  readonly env: Readonly<Record<string, string>>;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Called once, with a reason and its explanation, when the thread is no longer usable. */
  readonly onDown: (reason: DownReason, detail: string) => void;
  /** Called when another thread should replace it: its memory or its number of abandoned calls grows. */
  readonly onDegraded: (reason: DegradedReason) => void;
  /** Called when the thread does not end, and if it ends later. */
  readonly onStuck: (isStuck: boolean) => void;
}

export interface InstanceCall {
  /** The session that the instance may call. */
  readonly served?: ServedSession;
  /** The data from which it is created; undefined after the first answer. */
  readonly opening?: Opening | undefined;
  /** Called with the names of the instance's methods, when they arrive. */
  readonly onMethods?: (names: unknown) => void;
}

interface Settle {
  readonly resolve: (described: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread that runs one plugin, until it is down. */
export class WorkerThread {
  readonly peer: Peer;
  /** The plugin as data. @throws any error of the import, or HostError `worker_down` */
  readonly imported: Promise<unknown>;
  memory: Memory = { heap: 0, buffers: 0 };
  readonly #parts: WorkerThreadParts;
  readonly #worker: Worker;
  readonly #health: WorkerHealth;
  readonly #sessions = new Map<number, ServedSession>();
  readonly #import: Settle;
  #ended: number[] = [];
  #lines = 0;
  /** The number of active imports and calls of the plugin itself, which have their own time limits. */
  readonly #logger: Logger;
  #preparing = 1;
  #down: string | undefined;
  #settled: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;

  constructor(parts: WorkerThreadParts) {
    this.#parts = parts;
    const { module, memory } = parts;
    this.#logger = loggerWith(parts.logger, { plugin: module });
    const { worker, port } = spawnWorker({
      ...parts,
      softMemory: memory * SOFT * MB,
      onLine: (line, stream) => this.#logger.info(line, { stream }),
    });
    this.#worker = worker;
    let settle: Settle = { resolve: () => {}, reject: () => {} };
    this.imported = new Promise((resolve, reject) => {
      settle = { resolve, reject };
    });
    this.imported.catch(() => {});
    this.#import = settle;
    this.peer = new Peer({
      port,
      firstId: 1,
      maxServed: SESSION_CALLS,
      withStacks: false,
      serve: ({ target, method, args }) => callSession(this.#sessions.get(target), method, args),
      receive: (frame) => this.#receive(frame),
      onViolation: (reason) => this.end('protocol', reason),
    });
    this.#health = new WorkerHealth({
      ask: (n) => this.#ping(n),
      // Imports, opens and closes may block the thread; they have their own time limits.
      isExcused: () => this.#preparing > 0,
      onHung: () => this.end('hung', 'it does not answer'),
    });
    worker.on('error', (error: unknown) => this.end('crash', messageOf(error)));
    worker.on('exit', (code) => this.end('exit', `it ended with code ${code}`));
  }

  /** The reason why it is down; undefined while it runs. */
  get down(): string | undefined {
    return this.#down;
  }

  /** Resolves when the thread has ended, or counts as stuck. */
  get settled(): Promise<void> | undefined {
    return this.#settled;
  }

  /** Calls the plugin itself: `open` or `close`. */
  async callPlugin(method: string, args: readonly unknown[]): Promise<unknown> {
    this.#preparing += 1;
    try {
      return await this.peer.call(PLUGIN, method, args).answer;
    } finally {
      this.#preparing -= 1;
    }
  }

  /**
   * Calls a method of an instance.
   * @throws HostError `plugin_unavailable` (503) if there are too many calls; by the promise, if the thread is down
   */
  call(instance: number, method: string, args: readonly unknown[], details: InstanceCall = {}) {
    if (this.peer.pending >= this.#parts.calls) throw unavailable('The provider is busy');
    const { served, opening, onMethods } = details;
    if (served !== undefined) this.#sessions.set(instance, served);
    const ended = this.#ended;
    if (ended.length > 0) this.#ended = [];
    const context: CallContext = {
      now: this.#parts.clock.now(),
      ...(this.#parts.clock.standsStill === true ? { standsStill: true } : {}),
      ...(ended.length > 0 ? { ended } : {}),
      ...defined({ opening }),
    };
    return this.peer.call(instance, method, args, context, onMethods);
  }

  /** Abandons calls of an instance. */
  abandon(instance: number, calls: Iterable<number>, error: unknown): void {
    for (const id of calls) this.peer.abandon(id, error);
    this.peer.post([FRAME.CANCEL, instance]);
    if (this.peer.abandoned > MAX_ABANDONED) this.#parts.onDegraded('overdue');
  }

  /** Called when the session of an instance has ended. The worker is notified later. */
  forget(instance: number): void {
    if (!this.#sessions.delete(instance)) return;
    this.#ended.push(instance);
    if (this.#ended.length >= MAX_UNSENT_ENDED) this.#sendEnded();
    if (this.#sessions.size === 0) this.#onIdle?.();
  }

  /** Resolves when no session uses the thread any more. */
  idle(): Promise<void> {
    if (this.#sessions.size === 0 || this.#down !== undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }

  /** Terminates the thread. Active calls fail; the caller does not wait for the thread to end. */
  end(reason: DownReason, detail: string): void {
    if (this.#down !== undefined) return;
    this.#down = detail;
    this.#health.stop();
    const error = unavailable();
    this.#import.reject(new HostError('worker_down', detail));
    this.peer.close(error);
    this.#sessions.clear();
    this.#onIdle?.();
    this.#settled = this.#terminate();
    this.#parts.onDown(reason, detail);
  }

  /** A thread in native code cannot be terminated: it continues to run and holds its memory. */
  async #terminate(): Promise<void> {
    const ended = this.#worker.terminate();
    const isStuck = await within(STUCK_MS, () => ended).then(
      () => false,
      () => true,
    );
    if (!isStuck) return;
    this.#parts.onStuck(true);
    void ended.then(() => this.#parts.onStuck(false));
  }

  #ping(n: number): void {
    this.#lines = 0;
    this.#sendEnded();
    this.peer.post([FRAME.PING, n]);
  }

  #sendEnded(): void {
    if (this.#ended.length > 0) this.peer.post([FRAME.FORGET, 0, this.#ended]);
    this.#ended = [];
  }

  #receive([kind, id, first, second, third]: Frame): boolean {
    switch (kind) {
      case FRAME.READY:
        if (first !== PROTOCOL) return false;
        this.#preparing -= 1;
        this.#import.resolve(second);
        return true;
      case FRAME.FAILED:
        this.#import.reject(fromCrossing(first));
        return true;
      case FRAME.PONG:
        this.#health.answered(id);
        this.#recordMemory(first as Memory, id === 0);
        return true;
      case FRAME.LOG:
        return this.#log(first, second, third);
      default:
        return false;
    }
  }

  /** @param isShort true if the worker itself reported low memory */
  #recordMemory(memory: Memory, isShort: boolean): void {
    this.memory = { heap: Number(memory?.heap), buffers: Number(memory?.buffers) };
    const most = Math.max(this.memory.heap, this.memory.buffers) / (this.#parts.memory * MB);
    if (most > FIRM) this.end('memory', `it uses ${Math.round(most * 100)} % of its memory`);
    else if (isShort) this.#parts.onDegraded('memory');
  }

  #log(level: unknown, message: unknown, fields: unknown): boolean {
    this.#lines += 1;
    const write = this.#logger[level as keyof Logger];
    if (typeof write !== 'function' || typeof message !== 'string') return false;
    write(message, fields as JsonObject | undefined);
    return this.#lines <= LINES_PER_SECOND * 4;
  }
}
