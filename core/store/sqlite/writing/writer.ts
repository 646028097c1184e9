import { carriedEvents } from '../../engine/carried-events.js';
import type { Writer } from '../../engine/engine.js';
import { storeUnavailableError, toHostError } from '../../engine/store-error.js';
import type { OperationArguments, OperationName, OperationResult } from '../../records/operations.js';
import { TransactionalEventScope, type TransactionalEvents } from '../../transactional-events.js';
import { toSerializedError } from '../sqlite-error.js';
import type { Reply, Request } from './group-commit.js';

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

interface Waiter {
  /** The recordings whose events are written with the request. */
  readonly recordings: readonly TransactionalEvents[];
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The writing side of SQLite. The requests of one turn of the event loop are sent in one message, and answered by one.
 * It rejects with HostErrors: `store_unavailable` (503), `store_conflict` (500) or `store_error` (500).
 */
export class SqliteWriter implements Writer, Receiver {
  /** The recordings whose events are written with the next change. */
  readonly transactionalEvents = new TransactionalEventScope();
  #transport: Transport | undefined;
  #queuedRequests: Request[] = [];
  /** The callers that wait, in the order of their requests. */
  #waiters: Waiter[] = [];
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
      this.#waiters.push({ resolve, reject, recordings });
      this.#queuedRequests.push(request);
      if (this.#isScheduled) return;
      this.#isScheduled = true;
      setImmediate(() => this.#send());
    });
  }

  reply({ results, failures, carried }: Reply): void {
    const waiters = this.#waiters.splice(0, results.length);
    for (const [index, { resolve, reject, recordings }] of waiters.entries()) {
      if (carried?.has(index)) for (const recording of recordings) recording.markWritten();
      const failure = failures?.get(index);
      if (failure === undefined) resolve(results[index] as never);
      else reject(toHostError(failure));
    }
    if (this.#waiters.length === 0) this.#onDrained?.();
  }

  transportEnded(reason: string, cause?: unknown): void {
    this.#closedReason ??= { reason, cause };
    this.#queuedRequests = [];
    const waiters = this.#waiters.splice(0);
    for (const { reject } of waiters) reject(storeUnavailableError(reason, cause));
    this.#onDrained?.();
  }

  /** Rejects new requests. Resolves when all earlier ones are answered. */
  async drain(): Promise<void> {
    this.#closedReason ??= { reason: 'it is closed' };
    if (this.#waiters.length === 0) return;
    await new Promise<void>((resolve) => {
      this.#onDrained = resolve;
    });
  }

  async close(): Promise<void> {
    await this.drain();
    await this.#transport?.close();
    this.#transport = undefined;
  }

  #send(): void {
    this.#isScheduled = false;
    const requests = this.#queuedRequests;
    if (requests.length === 0) return;
    this.#queuedRequests = [];
    try {
      this.#transport?.send(requests);
    } catch (error) {
      this.#sendSingly(requests, error);
    }
  }

  /**
   * Sends requests one by one. A value that cannot be copied to the thread would fail the whole message, but only its
   * own request must fail.
   */
  #sendSingly(requests: readonly Request[], error: unknown): void {
    if (requests.length > 1) {
      const waiters = this.#waiters.splice(this.#waiters.length - requests.length);
      for (const [index, request] of requests.entries()) {
        this.#waiters.push(waiters[index] as Waiter);
        this.#queuedRequests = [request];
        this.#send();
      }
      return;
    }
    this.#waiters.pop()?.reject(toHostError(toSerializedError(error), error));
    if (this.#waiters.length === 0) this.#onDrained?.();
  }
}
