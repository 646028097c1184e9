import { carriedEvents } from '../../engine/carried-events.js';
import type { Writer } from '../../engine/engine.js';
import { errorOf, storeUnavailable } from '../../engine/store-error.js';
import type { OperationArguments, OperationName, OperationResult } from '../../records/operations.js';
import { TransactionalEventScope, type TransactionalEvents } from '../../transactional-events.js';
import { failureOf } from '../sqlite-error.js';
import type { Reply, Request } from './group-commit.js';

/** Where requests are carried out. */
export interface Transport {
  /** Hands over requests; each is answered by `Receiver.reply`, in order. */
  send(requests: readonly Request[]): void;
  /** Called once, when nothing is under way. */
  close(): Promise<void>;
}

export interface Receiver {
  reply(reply: Reply): void;
  /** The transport has ended, and answers no further request. */
  gone(reason: string, cause?: unknown): void;
}

interface Waiter {
  /** Whose events go with it. */
  readonly recordings: readonly TransactionalEvents[];
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The writing side. The requests of one turn of the event loop are sent as one message and answered by one. Every
 * rejection is a HostError: `store_unavailable` (503), `store_conflict` (500) or `store_error` (500).
 */
export class SqliteWriter implements Writer, Receiver {
  /** Writes within one of these carry its events. */
  readonly recordings = new TransactionalEventScope();
  #transport: Transport | undefined;
  #queued: Request[] = [];
  /** The callers, in the order of their requests. */
  #waiters: Waiter[] = [];
  #scheduled = false;
  #closed: { readonly reason: string; readonly cause?: unknown } | undefined;
  #idle: (() => void) | undefined;

  connect(transport: Transport): void {
    this.#transport = transport;
  }

  call<Name extends OperationName>(
    name: Name,
    ...parameters: OperationArguments<Name>
  ): Promise<OperationResult<Name>> {
    if (this.#closed !== undefined) return Promise.reject(storeUnavailable(this.#closed.reason, this.#closed.cause));
    return new Promise((resolve, reject) => {
      const { events, recordings } = carriedEvents(this.recordings, name, parameters);
      const request: Request = events.length > 0 ? [name, parameters, events] : [name, parameters];
      this.#waiters.push({ resolve, reject, recordings });
      this.#queued.push(request);
      if (this.#scheduled) return;
      this.#scheduled = true;
      setImmediate(() => this.#send());
    });
  }

  reply({ results, failures, carried }: Reply): void {
    const waiters = this.#waiters.splice(0, results.length);
    for (const [index, { resolve, reject, recordings }] of waiters.entries()) {
      if (carried?.has(index)) for (const recording of recordings) recording.written();
      const failure = failures?.get(index);
      if (failure === undefined) resolve(results[index] as never);
      else reject(errorOf(failure));
    }
    if (this.#waiters.length === 0) this.#idle?.();
  }

  gone(reason: string, cause?: unknown): void {
    this.#closed ??= { reason, cause };
    this.#queued = [];
    const waiters = this.#waiters.splice(0);
    for (const { reject } of waiters) reject(storeUnavailable(reason, cause));
    this.#idle?.();
  }

  /** Refuses new requests; resolves when all earlier ones are answered. */
  async drain(): Promise<void> {
    this.#closed ??= { reason: 'it is closed' };
    if (this.#waiters.length === 0) return;
    await new Promise<void>((resolve) => {
      this.#idle = resolve;
    });
  }

  async close(): Promise<void> {
    await this.drain();
    await this.#transport?.close();
    this.#transport = undefined;
  }

  #send(): void {
    this.#scheduled = false;
    const requests = this.#queued;
    if (requests.length === 0) return;
    this.#queued = [];
    try {
      this.#transport?.send(requests);
    } catch (error) {
      this.#sendSingly(requests, error);
    }
  }

  /** A value that cannot be copied to the thread spoils the message for its neighbours, but only its own call fails. */
  #sendSingly(requests: readonly Request[], error: unknown): void {
    if (requests.length > 1) {
      const waiters = this.#waiters.splice(this.#waiters.length - requests.length);
      for (const [index, request] of requests.entries()) {
        this.#waiters.push(waiters[index] as Waiter);
        this.#queued = [request];
        this.#send();
      }
      return;
    }
    this.#waiters.pop()?.reject(errorOf(failureOf(error), error));
    if (this.#waiters.length === 0) this.#idle?.();
  }
}
