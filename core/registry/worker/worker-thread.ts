import type { Worker } from 'node:worker_threads';
import { HostError, type JsonObject, type Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { defined } from '../../model/defined.js';
import { messageOf } from '../../model/thrown.js';
import { loggerWith } from '../log/logger-with.js';
import { within } from '../sessions/time-limit.js';
import { fromCrossing } from './crossing-errors.js';
import { type DownReason, unavailable, type WornReason } from './down.js';
import { type CallContext, FRAME, type Frame, type Memory, type Opening, PLUGIN, PROTOCOL } from './frames.js';
import { Peer } from './peer.js';
import { callSession, type ServedSession } from './session-calls.js';
import { spawnWorker } from './spawn-worker.js';
import { WorkerHealth } from './worker-health.js';
import { LINES_PER_SECOND } from './worker-log.js';

const MB = 1024 * 1024;
/** Calls of sessions that a worker may have under way; its own end has no more than 64 under way. */
const SESSION_CALLS = 512;
/** Shares of the memory limit: from the first on the worker is replaced, from the second on it is ended at once. */
const SOFT = 0.6;
const FIRM = 0.8;
/** How long a thread may take to end before it counts as stuck in native code, in milliseconds. */
const STUCK_MS = 3_000;
/** With more unanswered calls that nobody waits for, the thread is replaced. */
const ABANDONED = 64;
/** Ended sessions are told with the next call. Where so many wait for one they are told by themselves. */
const ENDED = 64;

export interface WorkerThreadParts {
  /** The package's name, for messages. */
  readonly module: string;
  readonly file: string;
  /** Limit of the heap, and of buffers, in megabytes. */
  readonly memory: number;
  /** Calls that may be under way, of all realms together. */
  readonly calls: number;
  readonly env: Readonly<Record<string, string>>;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Called once, with a word and its explanation, when the thread is of no use any more. */
  readonly onDown: (reason: DownReason, detail: string) => void;
  /** Called when another thread should take its place: its memory or its unanswered calls grow. */
  readonly onWorn: (reason: WornReason) => void;
  /** Called when the thread does not end, and when it has ended after all. */
  readonly onStuck: (isStuck: boolean) => void;
}

export interface InstanceCall {
  /** The session that the instance may call. */
  readonly served?: ServedSession;
  /** What it is created from; undefined once a call of the instance was answered. */
  readonly opening?: Opening | undefined;
  /** Called with the names of the methods that the instance has, when they come along. */
  readonly onMethods?: (names: unknown) => void;
}

interface Settle {
  readonly resolve: (described: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** One thread that runs one plugin, until it is down. */
export class WorkerThread {
  readonly peer: Peer;
  /** The plugin as data. @throws what its import threw, or HostError `worker_down` */
  readonly imported: Promise<unknown>;
  memory: Memory = { heap: 0, buffers: 0 };
  readonly #parts: WorkerThreadParts;
  readonly #worker: Worker;
  readonly #health: WorkerHealth;
  readonly #sessions = new Map<number, ServedSession>();
  readonly #import: Settle;
  #ended: number[] = [];
  #lines = 0;
  /** The import, and calls of the plugin itself, under way: they have limits of their own. */
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
      // What is imported, opened or closed may keep its thread for as long as these may take.
      isExcused: () => this.#preparing > 0,
      onHung: () => this.end('hung', 'it does not answer'),
    });
    worker.on('error', (error: unknown) => this.end('crash', messageOf(error)));
    worker.on('exit', (code) => this.end('exit', `it ended with code ${code}`));
  }

  /** What happened to it; undefined while it runs. */
  get down(): string | undefined {
    return this.#down;
  }

  /** Resolves when the thread has ended, or has turned out to be stuck. */
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
   * @throws HostError `plugin_unavailable` (503) when there is too much to do; by the promise, when the thread is down
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

  /** Gives calls of an instance up. */
  abandon(instance: number, calls: Iterable<number>, error: unknown): void {
    for (const id of calls) this.peer.abandon(id, error);
    this.peer.post([FRAME.CANCEL, instance]);
    if (this.peer.abandoned > ABANDONED) this.#parts.onWorn('overdue');
  }

  /** The session of an instance has ended. The worker hears of it in time. */
  forget(instance: number): void {
    if (!this.#sessions.delete(instance)) return;
    this.#ended.push(instance);
    if (this.#ended.length >= ENDED) this.#tellEnded();
    if (this.#sessions.size === 0) this.#onIdle?.();
  }

  /** Resolves when no session uses the thread any more. */
  idle(): Promise<void> {
    if (this.#sessions.size === 0 || this.#down !== undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }

  /** Ends the thread, whatever it does. Calls under way fail; nobody waits for the thread itself. */
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

  /** A thread in native code cannot be ended: it goes on, and keeps its memory. */
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
    this.#tellEnded();
    this.peer.post([FRAME.PING, n]);
  }

  #tellEnded(): void {
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
        this.#remember(first as Memory, id === 0);
        return true;
      case FRAME.LOG:
        return this.#log(first, second, third);
      default:
        return false;
    }
  }

  /** @param isShort true where the worker itself says that memory is short */
  #remember(memory: Memory, isShort: boolean): void {
    this.memory = { heap: Number(memory?.heap), buffers: Number(memory?.buffers) };
    const most = Math.max(this.memory.heap, this.memory.buffers) / (this.#parts.memory * MB);
    if (most > FIRM) this.end('memory', `it uses ${Math.round(most * 100)} % of its memory`);
    else if (isShort) this.#parts.onWorn('memory');
  }

  #log(level: unknown, message: unknown, fields: unknown): boolean {
    this.#lines += 1;
    const write = this.#logger[level as keyof Logger];
    if (typeof write !== 'function' || typeof message !== 'string') return false;
    write(message, fields as JsonObject | undefined);
    return this.#lines <= LINES_PER_SECOND * 4;
  }
}
