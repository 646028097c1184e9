/** The version of the frames. Both ends belong to one build: if their versions differ, the build is broken. */
export const PROTOCOL = 1;

/**
 * The messages on the port of a worker: arrays, with the kind first. `id` identifies a call or a stream. The host uses
 * odd numbers and the worker even ones, and none is used twice.
 */
export const FRAME = {
  /** `[READY, 0, PROTOCOL, described plugin]` or `[FAILED, 0, error]`: the result of the import. To the host. */
  READY: 0,
  FAILED: 1,
  /** `[CALL, id, target, method, args, streams, context]` */
  CALL: 2,
  /** `[RESULT, id, value, stream, methods]` or `[ERROR, id, error, undefined, methods]` */
  RESULT: 3,
  ERROR: 4,
  /** `[CANCEL, instance]`, to the worker: aborts the work of the instance, whose results are no longer needed. */
  CANCEL: 5,
  /** `[ITEM, stream, value]` and `[END, stream, error]`, from the sender of a stream. */
  ITEM: 6,
  END: 7,
  /** `[CREDIT, stream, n]` and `[STOP, stream]`, from its reader. */
  CREDIT: 8,
  STOP: 9,
  /** `[PING, n]` to the worker, `[PONG, n, memory]` from it; n is 0 for an unsolicited one, because memory is low. */
  PING: 10,
  PONG: 11,
  /** `[LOG, 0, level, message, fields]`, from the worker, without an answer. */
  LOG: 12,
  /**
   * `[FORGET, 0, instances]`, to the worker: their sessions have ended. Sent if no call is about to carry this
   * information.
   */
  FORGET: 13,
} as const;

export type Frame = readonly [kind: number, id: number, ...rest: unknown[]];

/** The arguments that are streams, by position. */
export type StreamPlaces = readonly (readonly [index: number, stream: number])[];

/** Data of a call to a plugin's provider in addition to its arguments. */
export interface CallContext {
  /** The host's clock, in milliseconds since the epoch. */
  readonly now: number;
  /** True if the clock stands still: then `now` is valid until the next call. */
  readonly standsStill?: boolean;
  /** Instances whose sessions have ended. */
  readonly ended?: readonly number[];
  /** The data from which the instance is created: sent with its calls until one of them is answered. */
  readonly opening?: Opening;
}

/** The data from which a provider is created. */
export interface Opening {
  /** The number of the factory, assigned when it was opened. */
  readonly factory: number;
  readonly realm: object;
  readonly remoteAddress: string;
  readonly realmConfig: unknown;
}

/** Memory usage of a worker, in bytes. */
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
  /** True if it has an `open`. */
  readonly opens: boolean;
}

/** The placeholder for the function by which a plugin migrates entries of its state. */
export const MIGRATE_PLACEHOLDER = 'function';

/** The target of calls to the plugin itself, not to an instance of a provider. */
export const PLUGIN = 0;

/** Number of items of a stream that the sender may send before the reader asks for more. */
export const WINDOW = 16;

/** The data that a new worker gets. */
export interface WorkerStart {
  readonly port: import('node:worker_threads').MessagePort;
  readonly file: string;
  /** Bytes of heap, or of buffers, at which the worker reports low memory by itself. */
  readonly softMemory: number;
}
