import type { MessagePort } from 'node:worker_threads';
import { HostError } from '@keyhost/spi';
import { messageOf } from '../../model/thrown.js';
import { notCloneable } from '../sessions/cloneable.js';
import { fromCrossing, toCrossing } from './crossing-errors.js';
import { FRAME, type Frame, type StreamPlaces } from './frames.js';
import { isStream, Streams } from './streams.js';

/** A call of the other end. */
export interface ServedCall {
  readonly target: number;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly context: unknown;
  /** Data that is sent with the result or the error: the methods of the provider. */
  extra?: unknown;
}

export interface PeerParts {
  readonly port: MessagePort;
  /** One end uses odd IDs, the other even ones, so that an ID is unique. */
  readonly firstId: 1 | 2;
  /** Answers a call: with a value, or an async iterable. */
  readonly serve: (call: ServedCall) => Promise<unknown>;
  /** How many calls of the other end may be under way at a time. */
  readonly maxServed: number;
  /** Receives a frame that belongs to no call or stream. @returns false for an unknown one */
  readonly receive: (frame: Frame) => boolean;
  /** Called with a reason when the other end does not keep to the protocol. */
  readonly onViolation: (reason: string) => void;
  /** True if errors are sent with their stacks. */
  readonly withStacks: boolean;
  /**
   * Called with all content, and a description of it, before it is sent. @throws HostError for content that must not be
   * sent
   */
  readonly checkSent?: (value: unknown, what: string) => void;
}

interface Pending {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onExtra: ((extra: unknown) => void) | undefined;
}

/**
 * One end of a port: calls with IDs, streams with credit, errors with their fields. The implementation is the same for
 * both ends.
 */
export class Peer {
  readonly #parts: PeerParts;
  readonly #pending = new Map<number, Pending>();
  readonly #abandoned = new Set<number>();
  readonly #streams = new Streams((frame) => this.#postItem(frame));
  #nextId: number;
  #served = 0;
  #closed: { readonly error: unknown } | undefined;

  constructor(parts: PeerParts) {
    this.#parts = parts;
    this.#nextId = parts.firstId;
    parts.port.on('message', (frame: Frame) => this.#receive(frame));
    parts.port.on('messageerror', () => parts.onViolation('a frame could not be read'));
  }

  /** Number of abandoned calls that the other end has not answered yet. */
  get abandoned(): number {
    return this.#abandoned.size;
  }

  /** Number of calls that wait for an answer. */
  get pending(): number {
    return this.#pending.size;
  }

  /**
   * Calls the other end.
   * @param onExtra called with the extra data of the answer, before the answer settles
   * @returns the ID, for `abandon`, and the answer, which is an async iterable if the other end returned one
   * @throws HostError `not_cloneable`, by the promise
   */
  call(
    target: number,
    method: string,
    args: readonly unknown[],
    context?: unknown,
    onExtra?: (extra: unknown) => void,
  ): { id: number; answer: Promise<unknown> } {
    const id = this.#newId();
    const answer = new Promise<unknown>((resolve, reject) => {
      if (this.#closed !== undefined) {
        reject(this.#closed.error);
        return;
      }
      const streams: [number, AsyncIterable<unknown>, number][] = [];
      const values = args.map((arg, index) => {
        if (!isStream(arg)) return arg;
        streams.push([index, arg, this.#newId()]);
        return undefined;
      });
      const places: StreamPlaces = streams.map(([index, , stream]) => [index, stream]);
      try {
        this.#parts.checkSent?.(values, method);
        this.post([FRAME.CALL, id, target, method, values, places, context]);
      } catch (cause) {
        if (cause instanceof HostError) reject(cause);
        else reject(notCloneable(`${method}: ${messageOf(cause)}`));
        return;
      }
      this.#pending.set(id, { resolve, reject, onExtra });
      for (const [, items, stream] of streams) this.#streams.send(stream, items);
    });
    return { id, answer };
  }

  /** Abandons a call: its answer rejects with the error, and a later result is dropped. */
  abandon(id: number, error: unknown): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    this.#abandoned.add(id);
    pending.reject(error);
  }

  post(frame: Frame): void {
    if (this.#closed === undefined) this.#parts.port.postMessage(frame);
  }

  /** Rejects everything active with the error, and stops sending and receiving. */
  close(error: unknown): void {
    if (this.#closed !== undefined) return;
    this.#closed = { error };
    this.#parts.port.close();
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
    this.#streams.close(error);
  }

  #receive(frame: Frame): void {
    // Messages that were in transit when the port was closed are still delivered: ignore them.
    if (this.#closed !== undefined) return;
    let known = false;
    try {
      known = Array.isArray(frame) && typeof frame[1] === 'number' && this.#take(frame);
    } catch (error) {
      this.#parts.onViolation(String(error));
      return;
    }
    if (!known) this.#parts.onViolation(`unexpected frame: ${String(frame?.[0])}`);
  }

  /** @returns false for a frame that violates the protocol */
  #take(frame: Frame): boolean {
    const [kind, id, first, second, third] = frame;
    switch (kind) {
      case FRAME.CALL:
        if (!isCall(frame)) return false;
        if (this.#served >= this.#parts.maxServed) this.#parts.onViolation('too many calls at a time');
        else void this.#serve(frame);
        return true;
      case FRAME.RESULT:
      case FRAME.ERROR: {
        const stream = kind === FRAME.RESULT && typeof second === 'number' ? second : undefined;
        const pending = this.#pending.get(id);
        if (pending === undefined) {
          if (stream !== undefined) this.post([FRAME.STOP, stream]);
          return this.#abandoned.delete(id);
        }
        this.#pending.delete(id);
        if (third !== undefined) pending.onExtra?.(third);
        if (kind === FRAME.ERROR) pending.reject(fromCrossing(first));
        else pending.resolve(stream === undefined ? first : this.#streams.read(stream));
        return true;
      }
      default:
        return this.#streams.take(frame) ?? this.#parts.receive(frame);
    }
  }

  async #serve([, id, target, method, values, places, context]: CallFrame): Promise<void> {
    const args = [...values];
    const readers = places.map(([index, stream]) => {
      const reader = this.#streams.read(stream);
      args[index] = reader;
      return reader;
    });
    const done = () => {
      this.#served -= 1;
      for (const reader of readers) void reader.return();
    };
    this.#served += 1;
    const call: ServedCall = { target, method, args, context };
    try {
      const value = await this.#parts.serve(call);
      if (!isStream(value)) {
        this.#answer(method, [FRAME.RESULT, id, value, undefined, call.extra]);
        done();
        return;
      }
      const stream = this.#newId();
      this.post([FRAME.RESULT, id, undefined, stream, call.extra]);
      this.#streams.send(stream, value, done);
    } catch (error) {
      this.post([FRAME.ERROR, id, this.#crossing(error, method), undefined, call.extra]);
      done();
    }
  }

  /** Serialises an error. If it is too large, the error about its size is sent instead. */
  #crossing(thrown: unknown, method: string): unknown {
    const crossing = toCrossing(thrown, this.#parts.withStacks);
    try {
      this.#parts.checkSent?.(crossing, method);
      return crossing;
    } catch (error) {
      return toCrossing(error, this.#parts.withStacks);
    }
  }

  #postItem(frame: Frame): void {
    if (frame[0] === FRAME.ITEM) this.#parts.checkSent?.(frame[2], 'an item of a stream');
    this.post(frame);
  }

  #answer(method: string, frame: Frame): void {
    this.#parts.checkSent?.(frame[2], `the answer of ${method}`);
    try {
      this.post(frame);
    } catch (cause) {
      throw notCloneable(`${method}: ${messageOf(cause)}`);
    }
  }

  #newId(): number {
    const id = this.#nextId;
    this.#nextId += 2;
    return id;
  }
}

type CallFrame = readonly [
  kind: number,
  id: number,
  target: number,
  method: string,
  args: unknown[],
  streams: StreamPlaces,
  context: unknown,
];

function isCall(frame: Frame): frame is CallFrame {
  const [, , target, method, args, streams] = frame;
  if (typeof target !== 'number' || typeof method !== 'string') return false;
  return Array.isArray(args) && Array.isArray(streams) && streams.every((place) => Array.isArray(place));
}
