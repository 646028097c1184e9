import type { Worker } from 'node:worker_threads';
import { HostError, type JsonObject, type Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { defined } from '../../model/defined.js';
import { messageOf } from '../../model/thrown.js';
import { loggerWith } from '../log/logger-with.js';
import { within } from '../sessions/time-limit.js';
import { type DegradedReason, type DownReason, unavailableError } from './down.js';
import { type CallContext, type CreationData, FRAME, type Frame, type Memory, PLUGIN, PROTOCOL } from './frames.js';
import { Peer } from './peer.js';
import { deserializeError } from './serialized-errors.js';
import { callSession, type RemoteSession } from './session-calls.js';
import { spawnWorker } from './spawn-worker.js';
import { WorkerHealth } from './worker-health.js';
import { LINES_PER_SECOND } from './worker-log.js';

const MB = 1024 * 1024;
/**
 * Maximum number of concurrent calls that a worker may make to the host's sessions. The worker limits itself to 64, so
 * more than this violates the protocol.
 */
const MAX_SESSION_CALLS = 512;
/** Fractions of the memory limit. Above the first the worker is replaced; above the second it is terminated at once. */
const SOFT_MEMORY_FRACTION = 0.6;
const HARD_MEMORY_FRACTION = 0.8;
/** If a thread has not ended after this time, in milliseconds, it counts as stuck in native code. */
const STUCK_AFTER_MS = 3_000;
/** Maximum number of abandoned calls that the worker has not answered. Above it, the thread is replaced. */
const MAX_ABANDONED = 64;
/** Ended sessions are reported with the next call or ping, or separately once there are this many. */
const MAX_UNSENT_ENDED = 64;

export interface WorkerThreadParts {
  /** The package's name, for messages. */
  readonly module: string;
  readonly file: string;
  /** The limit of the heap, and of the buffers, in megabytes. */
  readonly memoryLimitMb: number;
  /** Maximum number of active calls in all realms together. */
  readonly maxCalls: number;
  readonly env: Readonly<Record<string, string>>;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Called once, with the reason and an explanation, when the thread can no longer be used. */
  readonly onDown: (reason: DownReason, detail: string) => void;
  /**
   * Called when another thread should replace this one, because it uses too much memory or has too many unanswered
   * calls.
   */
  readonly onDegraded: (reason: DegradedReason) => void;
  /** Called with true if the thread does not end, and with false if it ends later. */
  readonly onStuck: (isStuck: boolean) => void;
}

export interface InstanceCall {
  /** The session that the instance may call. */
  readonly served?: RemoteSession;
  /** The data for creating the instance; undefined after the first answer. */
  readonly opening?: CreationData | undefined;
  /** Called with the names of the instance's methods, when they arrive. */
  readonly onMethods?: (names: unknown) => void;
}

interface Deferred {
  readonly resolve: (described: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread that runs one plugin. */
export class WorkerThread {
  readonly peer: Peer;
  /**
   * Resolves to the description of the plugin (providers, schemas), which the worker sends after the import.
   * @throws any error of the import, or HostError `worker_down`
   */
  readonly imported: Promise<unknown>;
  memory: Memory = { heap: 0, buffers: 0 };
  readonly #parts: WorkerThreadParts;
  readonly #worker: Worker;
  readonly #health: WorkerHealth;
  readonly #sessions = new Map<number, RemoteSession>();
  readonly #importDeferred: Deferred;
  #unsentEnded: number[] = [];
  #lineCount = 0;
  readonly #logger: Logger;
  /** The number of active imports, opens and closes, which have their own time limits. */
  #activePreparations = 1;
  #downDetail: string | undefined;
  #termination: Promise<void> | undefined;
  #onUnused: (() => void) | undefined;

  constructor(parts: WorkerThreadParts) {
    this.#parts = parts;
    const { module, memoryLimitMb } = parts;
    this.#logger = loggerWith(parts.logger, { plugin: module });
    const { worker, port } = spawnWorker({
      ...parts,
      softMemoryBytes: memoryLimitMb * SOFT_MEMORY_FRACTION * MB,
      onLine: (line, stream) => this.#logger.info(line, { stream }),
    });
    this.#worker = worker;
    let settle: Deferred = { resolve: () => {}, reject: () => {} };
    this.imported = new Promise((resolve, reject) => {
      settle = { resolve, reject };
    });
    this.imported.catch(() => {});
    this.#importDeferred = settle;
    this.peer = new Peer({
      port,
      firstId: 1,
      maxConcurrentCalls: MAX_SESSION_CALLS,
      withStacks: false,
      serve: ({ target, method, args }) => callSession(this.#sessions.get(target), method, args),
      receive: (frame) => this.#receive(frame),
      onViolation: (reason) => this.end('protocol', reason),
    });
    this.#health = new WorkerHealth({
      sendPing: (number) => this.#ping(number),
      // Imports, opens and closes may block the thread; they have their own time limits.
      isExcused: () => this.#activePreparations > 0,
      onHung: () => this.end('hung', 'it does not answer'),
    });
    worker.on('error', (error: unknown) => this.end('crash', messageOf(error)));
    worker.on('exit', (code) => this.end('exit', `it ended with code ${code}`));
  }

  /** A description of why the thread ended; undefined while it runs. */
  get downDetail(): string | undefined {
    return this.#downDetail;
  }

  /** Resolves when the thread has ended, or counts as stuck; undefined while it runs. */
  get termination(): Promise<void> | undefined {
    return this.#termination;
  }

  /** Calls the plugin itself: `open`, `close` or `migrate`. */
  async callPlugin(method: string, args: readonly unknown[]): Promise<unknown> {
    this.#activePreparations += 1;
    try {
      return await this.peer.call(PLUGIN, method, args).answer;
    } finally {
      this.#activePreparations -= 1;
    }
  }

  /**
   * Calls a method of an instance. The returned answer rejects if the thread is down.
   * @throws HostError `plugin_unavailable` (503) if there are too many calls
   */
  call(instance: number, method: string, args: readonly unknown[], details: InstanceCall = {}) {
    if (this.peer.pendingCount >= this.#parts.maxCalls) throw unavailableError('The provider is busy');
    const { served, opening, onMethods } = details;
    if (served !== undefined) this.#sessions.set(instance, served);
    const ended = this.#unsentEnded;
    if (ended.length > 0) this.#unsentEnded = [];
    const context: CallContext = {
      now: this.#parts.clock.now(),
      ...(this.#parts.clock.standsStill === true ? { standsStill: true } : {}),
      ...(ended.length > 0 ? { ended } : {}),
      ...defined({ opening }),
    };
    return this.peer.call(instance, method, args, context, onMethods);
  }

  /** Rejects pending calls of an instance, and makes the worker abort their work. */
  abandon(instance: number, calls: Iterable<number>, error: unknown): void {
    for (const id of calls) this.peer.abandon(id, error);
    this.peer.post([FRAME.CANCEL, instance]);
    if (this.peer.abandonedCount > MAX_ABANDONED) this.#parts.onDegraded('overdue');
  }

  /** Called when the session of an instance has ended. The worker is notified later. */
  endInstance(instance: number): void {
    if (!this.#sessions.delete(instance)) return;
    this.#unsentEnded.push(instance);
    if (this.#unsentEnded.length >= MAX_UNSENT_ENDED) this.#sendEnded();
    if (this.#sessions.size === 0) this.#onUnused?.();
  }

  /** Resolves when no session uses the thread any more, or when it is down. */
  whenUnused(): Promise<void> {
    if (this.#sessions.size === 0 || this.#downDetail !== undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onUnused = resolve;
    });
  }

  /** Terminates the thread. Active calls fail. This does not wait until the thread has ended. */
  end(reason: DownReason, detail: string): void {
    if (this.#downDetail !== undefined) return;
    this.#downDetail = detail;
    this.#health.stop();
    const error = unavailableError();
    this.#importDeferred.reject(new HostError('worker_down', detail));
    this.peer.close(error);
    this.#sessions.clear();
    this.#onUnused?.();
    this.#termination = this.#terminate();
    this.#parts.onDown(reason, detail);
  }

  /**
   * Terminates the thread. One that is stuck in native code cannot be terminated: it continues to run and holds its
   * memory.
   */
  async #terminate(): Promise<void> {
    const termination = this.#worker.terminate();
    const isStuck = await within(STUCK_AFTER_MS, () => termination).then(
      () => false,
      () => true,
    );
    if (!isStuck) return;
    this.#parts.onStuck(true);
    void termination.then(() => this.#parts.onStuck(false));
  }

  #ping(number: number): void {
    this.#lineCount = 0;
    this.#sendEnded();
    this.peer.post([FRAME.PING, number]);
  }

  #sendEnded(): void {
    if (this.#unsentEnded.length > 0) this.peer.post([FRAME.FORGET, 0, this.#unsentEnded]);
    this.#unsentEnded = [];
  }

  #receive([kind, id, first, second, third]: Frame): boolean {
    switch (kind) {
      case FRAME.READY:
        if (first !== PROTOCOL) return false;
        this.#activePreparations -= 1;
        this.#importDeferred.resolve(second);
        return true;
      case FRAME.FAILED:
        this.#importDeferred.reject(deserializeError(first));
        return true;
      case FRAME.PONG:
        this.#health.recordPong(id);
        this.#recordMemory(first as Memory, id === 0);
        return true;
      case FRAME.LOG:
        return this.#log(first, second, third);
      default:
        return false;
    }
  }

  /** @param isLowMemoryReport true if the worker has reported low memory by itself */
  #recordMemory(memory: Memory, isLowMemoryReport: boolean): void {
    this.memory = { heap: Number(memory?.heap), buffers: Number(memory?.buffers) };
    const usedFraction = Math.max(this.memory.heap, this.memory.buffers) / (this.#parts.memoryLimitMb * MB);
    if (usedFraction > HARD_MEMORY_FRACTION)
      this.end('memory', `it uses ${Math.round(usedFraction * 100)} % of its memory`);
    else if (isLowMemoryReport) this.#parts.onDegraded('memory');
  }

  #log(level: unknown, message: unknown, fields: unknown): boolean {
    this.#lineCount += 1;
    const write = this.#logger[level as keyof Logger];
    if (typeof write !== 'function' || typeof message !== 'string') return false;
    write(message, fields as JsonObject | undefined);
    return this.#lineCount <= LINES_PER_SECOND * 4;
  }
}
