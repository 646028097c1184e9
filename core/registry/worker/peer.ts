import type { MessagePort } from 'node:worker_threads';
import { HostError } from '@keyhost/spi';
import { messageOf } from '../../model/thrown.js';
import { notCloneableError } from '../sessions/cloneable.js';
import { FRAME, type Frame, type StreamPositions } from './frames.js';
import { deserializeError, serializeError } from './serialized-errors.js';
import { isStream, Streams } from './streams.js';

/** A call from the other end. */
export interface ServedCall {
  readonly target: number;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly context: unknown;
  /** The names of the provider's methods, set by the receiver of the call and sent with the result or the error. */
  methodNames?: unknown;
}

export interface PeerParts {
  readonly port: MessagePort;
  /** The host uses odd IDs, the worker even ones, so that IDs are unique. */
  readonly firstId: 1 | 2;
  /** Answers a call with a value or an async iterable. */
  readonly serve: (call: ServedCall) => Promise<unknown>;
  /** Maximum number of concurrent calls from the other end. */
  readonly maxConcurrentCalls: number;
  /**
   * Handles a frame that belongs to no call or stream.
   * @returns false for an unknown one
   */
  readonly receive: (frame: Frame) => boolean;
  /** Called with a reason if the other end violates the protocol. */
  readonly onViolation: (reason: string) => void;
  /** True if errors are sent with their stacks and causes. */
  readonly withStacks: boolean;
  /**
   * Called before a value is sent, with the value and a description of it for error messages.
   * @throws HostError if it must not be sent
   */
  readonly checkContent?: (value: unknown, what: string) => void;
}

interface PendingCall {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onMethodNames: ((names: unknown) => void) | undefined;
}

/**
 * One end of a port: sends and receives calls, streams with flow control, and errors with their fields. Both ends use
 * this class.
 */
export class Peer {
  readonly #parts: PeerParts;
  readonly #pending = new Map<number, PendingCall>();
  readonly #abandoned = new Set<number>();
  readonly #streams = new Streams((frame) => this.#postItem(frame));
  #nextId: number;
  #activeCalls = 0;
  #closeState: { readonly error: unknown } | undefined;

  constructor(parts: PeerParts) {
    this.#parts = parts;
    this.#nextId = parts.firstId;
    parts.port.on('message', (frame: Frame) => this.#receive(frame));
    parts.port.on('messageerror', () => parts.onViolation('a frame could not be read'));
  }

  /** The number of abandoned calls that the other end has not answered yet. */
  get abandonedCount(): number {
    return this.#abandoned.size;
  }

  /** The number of calls that wait for an answer. */
  get pendingCount(): number {
    return this.#pending.size;
  }

  /**
   * Calls the other end.
   * @param onMethodNames called with the names of the provider's methods if the answer has them, before it settles
   * @returns the ID, for `abandon`, and the answer, which is an async iterable if the other end returned one. It
   * rejects with HostError `not_cloneable` if the arguments cannot be sent
   */
  call(
    target: number,
    method: string,
    args: readonly unknown[],
    context?: unknown,
    onMethodNames?: (names: unknown) => void,
  ): { id: number; answer: Promise<unknown> } {
    const id = this.#newId();
    const answer = new Promise<unknown>((resolve, reject) => {
      if (this.#closeState !== undefined) {
        reject(this.#closeState.error);
        return;
      }
      const streams: [number, AsyncIterable<unknown>, number][] = [];
      const values = args.map((arg, index) => {
        if (!isStream(arg)) return arg;
        streams.push([index, arg, this.#newId()]);
        return undefined;
      });
      const positions: StreamPositions = streams.map(([index, , stream]) => [index, stream]);
      try {
        this.#parts.checkContent?.(values, method);
        this.post([FRAME.CALL, id, target, method, values, positions, context]);
      } catch (cause) {
        if (cause instanceof HostError) reject(cause);
        else reject(notCloneableError(`${method}: ${messageOf(cause)}`));
        return;
      }
      this.#pending.set(id, { resolve, reject, onMethodNames });
      for (const [, items, stream] of streams) this.#streams.send(stream, items);
    });
    return { id, answer };
  }

  /** Abandons a call. Its answer rejects with the error, and a result that arrives later is dropped. */
  abandon(id: number, error: unknown): void {
    const pendingCall = this.#pending.get(id);
    if (pendingCall === undefined) return;
    this.#pending.delete(id);
    this.#abandoned.add(id);
    pendingCall.reject(error);
  }

  post(frame: Frame): void {
    if (this.#closeState === undefined) this.#parts.port.postMessage(frame);
  }

  /** Rejects all active calls and streams with the error, and closes the port. */
  close(error: unknown): void {
    if (this.#closeState !== undefined) return;
    this.#closeState = { error };
    this.#parts.port.close();
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
    this.#streams.close(error);
  }

  #receive(frame: Frame): void {
    // Messages that were in transit when the port was closed still arrive: ignore them.
    if (this.#closeState !== undefined) return;
    let isExpected = false;
    try {
      isExpected = Array.isArray(frame) && typeof frame[1] === 'number' && this.#handle(frame);
    } catch (error) {
      this.#parts.onViolation(String(error));
      return;
    }
    if (!isExpected) this.#parts.onViolation(`unexpected frame: ${String(frame?.[0])}`);
  }

  /**
   * Handles a frame.
   * @returns false if the frame is unexpected. Too many concurrent calls are reported here instead
   */
  #handle(frame: Frame): boolean {
    const [kind, id, content, stream, methodNames] = frame;
    switch (kind) {
      case FRAME.CALL:
        if (!isCall(frame)) return false;
        if (this.#activeCalls >= this.#parts.maxConcurrentCalls) this.#parts.onViolation('too many calls at a time');
        else void this.#serve(frame);
        return true;
      case FRAME.RESULT:
      case FRAME.ERROR: {
        const streamId = kind === FRAME.RESULT && typeof stream === 'number' ? stream : undefined;
        const pendingCall = this.#pending.get(id);
        if (pendingCall === undefined) {
          if (streamId !== undefined) this.post([FRAME.STOP, streamId]);
          return this.#abandoned.delete(id);
        }
        this.#pending.delete(id);
        if (methodNames !== undefined) pendingCall.onMethodNames?.(methodNames);
        if (kind === FRAME.ERROR) pendingCall.reject(deserializeError(content));
        else pendingCall.resolve(streamId === undefined ? content : this.#streams.read(streamId));
        return true;
      }
      default:
        return this.#streams.handle(frame) ?? this.#parts.receive(frame);
    }
  }

  async #serve([, id, target, method, values, positions, context]: CallFrame): Promise<void> {
    const args = [...values];
    const readers = positions.map(([index, streamId]) => {
      const reader = this.#streams.read(streamId);
      args[index] = reader;
      return reader;
    });
    const finish = () => {
      this.#activeCalls -= 1;
      for (const reader of readers) void reader.return();
    };
    this.#activeCalls += 1;
    const call: ServedCall = { target, method, args, context };
    try {
      const value = await this.#parts.serve(call);
      if (!isStream(value)) {
        this.#answer(method, [FRAME.RESULT, id, value, undefined, call.methodNames]);
        finish();
        return;
      }
      const streamId = this.#newId();
      this.post([FRAME.RESULT, id, undefined, streamId, call.methodNames]);
      this.#streams.send(streamId, value, finish);
    } catch (error) {
      this.post([FRAME.ERROR, id, this.#serializeError(error, method), undefined, call.methodNames]);
      finish();
    }
  }

  /** Serialises an error. If it is too large, the error about its size is serialised instead. */
  #serializeError(thrown: unknown, method: string): unknown {
    const serializedError = serializeError(thrown, this.#parts.withStacks);
    try {
      this.#parts.checkContent?.(serializedError, method);
      return serializedError;
    } catch (error) {
      return serializeError(error, this.#parts.withStacks);
    }
  }

  #postItem(frame: Frame): void {
    if (frame[0] === FRAME.ITEM) this.#parts.checkContent?.(frame[2], 'an item of a stream');
    this.post(frame);
  }

  #answer(method: string, frame: Frame): void {
    this.#parts.checkContent?.(frame[2], `the answer of ${method}`);
    try {
      this.post(frame);
    } catch (cause) {
      throw notCloneableError(`${method}: ${messageOf(cause)}`);
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
  streams: StreamPositions,
  context: unknown,
];

function isCall(frame: Frame): frame is CallFrame {
  const [, , target, method, args, streams] = frame;
  if (typeof target !== 'number' || typeof method !== 'string') return false;
  return Array.isArray(args) && Array.isArray(streams) && streams.every((place) => Array.isArray(place));
}
