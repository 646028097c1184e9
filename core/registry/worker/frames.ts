/** The version of the frames. Both ends are files of one build: where their versions differ, the build is broken. */
export const PROTOCOL = 1;

/**
 * What goes over the port of a worker: arrays, one a message, the kind first. `id` names a call or a stream of the
 * sender's or the receiver's: the host counts odd numbers, the worker even ones, and none is used twice.
 */
export const FRAME = {
  /** `[READY, 0, PROTOCOL, described plugin]` or `[FAILED, 0, error]`: what came of the import. To the host. */
  READY: 0,
  FAILED: 1,
  /** `[CALL, id, target, method, args, streams, context]` */
  CALL: 2,
  /** `[RESULT, id, value, stream, methods]` or `[ERROR, id, error, undefined, methods]` */
  RESULT: 3,
  ERROR: 4,
  /** `[CANCEL, instance]`, to the worker: nobody waits for what the instance does any more. */
  CANCEL: 5,
  /** `[ITEM, stream, value]` and `[END, stream, error]`, from who sends a stream. */
  ITEM: 6,
  END: 7,
  /** `[CREDIT, stream, n]` and `[STOP, stream]`, from who reads it. */
  CREDIT: 8,
  STOP: 9,
  /** `[PING, n]` to the worker, `[PONG, n, memory]` from it; n 0: unasked, because memory is short. */
  PING: 10,
  PONG: 11,
  /** `[LOG, 0, level, message, fields]`, from the worker; nobody answers. */
  LOG: 12,
  /** `[FORGET, 0, instances]`, to the worker: their sessions have ended. Sent where no call is about to tell it. */
  FORGET: 13,
} as const;

export type Frame = readonly [kind: number, id: number, ...rest: unknown[]];

/** Which of the arguments are streams, by their place. */
export type StreamPlaces = readonly (readonly [index: number, stream: number])[];

/** What a call to a plugin's provider brings besides its arguments. */
export interface CallContext {
  /** The host's clock, in milliseconds since the epoch. */
  readonly now: number;
  /** Whether that is the time until the next call tells another one. */
  readonly standsStill?: boolean;
  /** Instances whose sessions have ended. */
  readonly ended?: readonly number[];
  /** What the instance is created from: goes along with its calls until one of them is answered. */
  readonly opening?: Opening;
}

/** What a provider is created from. */
export interface Opening {
  /** The number of the factory, which it got when it was opened. */
  readonly factory: number;
  readonly realm: object;
  readonly remoteAddress: string;
  readonly realmConfig: unknown;
}

/** Used by a worker, in bytes. */
export interface Memory {
  readonly heap: number;
  readonly buffers: number;
}

/** A provider of a plugin as data. */
export interface DescribedProvider {
  readonly spi: { readonly id: unknown };
  readonly id: unknown;
  readonly version: unknown;
  readonly config: unknown;
  readonly realmConfig: unknown;
  readonly declaration: unknown;
  readonly background: unknown;
  readonly schedule: unknown;
  /** Whether it has an `open`. */
  readonly opens: boolean;
}

/** Stands for the function by which a plugin migrates entries of its state. */
export const MIGRATES = 'function';

/** The target of calls that go to the plugin itself, and not to an instance of a provider. */
export const PLUGIN = 0;

/** How many items of a stream the sender may send before the reader asks for more. */
export const WINDOW = 16;

/** What is given to a new worker. */
export interface WorkerStart {
  readonly port: import('node:worker_threads').MessagePort;
  readonly file: string;
  /** Bytes of heap, or of buffers, at which the worker says so by itself. */
  readonly softMemory: number;
}
