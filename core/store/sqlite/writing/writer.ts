import { carriedEvents } from '../../engine/carried-events.js';
import type { Writer } from '../../engine/engine.js';
import { storeUnavailableError, toHostError } from '../../engine/store-error.js';
import type { OperationArguments, OperationName, OperationResult } from '../../records/operations.js';
import { TransactionalEventScope, type TransactionalEvents } from '../../transactional-events.js';
import { toSerializedError } from '../sqlite-error.js';
import type { Reply, Request } from './group-commit.js';
import { isBulk, RequestQueue } from './request-queue.js';

/** Runs requests on another thread, or on this one. */
export interface Transport {
  /** Sends requests. Each is answered by `Receiver.reply`, in order. */
  send(requests: readonly Request[]): void;
  /** Called once, when no request is active. */
  close(): Promise<void>;
}

export interface Receiver {
  reply(reply: Reply): void;
  /** Called when the transport has ended, and answers no further requests. */
  transportEnded(reason: string, cause?: unknown): void;
}

/**
 * Maximum number of requests that are sent and not answered. The first request of a realm waits at most for these, of
 * which one may be bulk.
 */
const MAX_SENT = 256;

interface Waiter {
  readonly request: Request;
  /** The recordings whose events are written with the request. */
  readonly recordings: readonly TransactionalEvents[];
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The writing side of SQLite. The requests of one turn of the event loop are sent in one message.
 * It rejects with HostErrors: `store_unavailable` (503), `store_conflict` (500) or `store_error` (500).
 */
export class SqliteWriter implements Writer, Receiver {
  /** The recordings whose events are written with the next change. */
  readonly transactionalEvents = new TransactionalEventScope();
  #transport: Transport | undefined;
  /** The callers whose requests are not sent yet. */
  readonly #queue = new RequestQueue<Waiter>();
  /** The callers whose requests are sent, in the order of their requests. */
  #waiters: Waiter[] = [];
  /** The caller of the bulk request that is sent, if any. */
  #sentBulk: Waiter | undefined;
  #isScheduled = false;
  #closedReason: { readonly reason: string; readonly cause?: unknown } | undefined;
  #onDrained: (() => void) | undefined;

  connect(transport: Transport): void {
    this.#transport = transport;
  }

  call<Name extends OperationName>(
    name: Name,
    ...parameters: OperationArguments<Name>
  ): Promise<OperationResult<Name>> {
    if (this.#closedReason !== undefined)
      return Promise.reject(storeUnavailableError(this.#closedReason.reason, this.#closedReason.cause));
    return new Promise((resolve, reject) => {
      const { events, recordings } = carriedEvents(this.transactionalEvents, name, parameters);
      const request: Request = events.length > 0 ? [name, parameters, events] : [name, parameters];
      this.#queue.add({ request, resolve, reject, recordings });
      this.#schedule();
    });
  }

  reply({ results, failures, carried }: Reply): void {
    const waiters = this.#waiters.splice(0, results.length);
    for (const [index, waiter] of waiters.entries()) {
      const { resolve, reject, recordings } = waiter;
      if (waiter === this.#sentBulk) this.#sentBulk = undefined;
      if (carried?.has(index)) for (const recording of recordings) recording.markWritten();
      const failure = failures?.get(index);
      if (failure === undefined) resolve(results[index] as never);
      else reject(toHostError(failure));
    }
    if (this.#queue.size > 0) this.#schedule();
    this.#reportDrained();
  }

  transportEnded(reason: string, cause?: unknown): void {
    this.#closedReason ??= { reason, cause };
    const waiters = [...this.#waiters.splice(0), ...this.#queue.clear()];
    this.#sentBulk = undefined;
    for (const { reject } of waiters) reject(storeUnavailableError(reason, cause));
    this.#onDrained?.();
  }

  /** Rejects new requests. Resolves when all earlier ones are answered. */
  async drain(): Promise<void> {
    this.#closedReason ??= { reason: 'it is closed' };
    if (this.#waiters.length === 0 && this.#queue.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onDrained = resolve;
    });
  }

  async close(): Promise<void> {
    await this.drain();
    await this.#transport?.close();
    this.#transport = undefined;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#send(this.#queue.take(MAX_SENT - this.#waiters.length, this.#sentBulk === undefined));
    });
  }

  #send(waiters: readonly Waiter[]): void {
    if (waiters.length === 0) return;
    for (const waiter of waiters) this.#waiters.push(waiter);
    const last = waiters.at(-1);
    if (last !== undefined && isBulk(last.request)) this.#sentBulk = last;
    try {
      this.#transport?.send(waiters.map(({ request }) => request));
    } catch (error) {
      this.#waiters.splice(-waiters.length);
      if (last === this.#sentBulk) this.#sentBulk = undefined;
      this.#sendSingly(waiters, error);
    }
  }

  /**
   * Sends requests one by one. A value that cannot be copied to the thread would fail the whole message, but only its
   * own request must fail.
   */
  #sendSingly(waiters: readonly Waiter[], error: unknown): void {
    if (waiters.length > 1) {
      for (const waiter of waiters) this.#send([waiter]);
      return;
    }
    waiters[0]?.reject(toHostError(toSerializedError(error), error));
    if (this.#queue.size > 0) this.#schedule();
    this.#reportDrained();
  }

  #reportDrained(): void {
    if (this.#waiters.length === 0 && this.#queue.size === 0) this.#onDrained?.();
  }
}
