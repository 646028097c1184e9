/** The version of the protocol. Both ends belong to one build, so different versions mean that the build is broken. */
export const PROTOCOL = 1;

/**
 * The kinds of messages on a worker's port. A message is an array that begins with its kind. `id` identifies a call or
 * a stream. The host uses odd IDs and the worker even ones, and none is used twice.
 */
export const FRAME = {
  /**
   * `[READY, 0, PROTOCOL, description of the plugin]` or `[FAILED, 0, error]`, to the host: the result of the import.
   */
  READY: 0,
  FAILED: 1,
  /** `[CALL, id, target, method, args, streams, context]` */
  CALL: 2,
  /** `[RESULT, id, value, stream, methods]` or `[ERROR, id, error, undefined, methods]` */
  RESULT: 3,
  ERROR: 4,
  /** `[CANCEL, instance]`, to the worker: aborts the work of an instance, because its results are no longer needed. */
  CANCEL: 5,
  /** `[ITEM, stream, value]` and `[END, stream, error]`, from the sender of a stream. */
  ITEM: 6,
  END: 7,
  /** `[CREDIT, stream, n]` and `[STOP, stream]`, from the reader of a stream. */
  CREDIT: 8,
  STOP: 9,
  /**
   * `[PING, n]` to the worker, and `[PONG, n, memory]` from it. If n is 0, the worker sent it by itself because its
   * memory is low.
   */
  PING: 10,
  PONG: 11,
  /** `[LOG, 0, level, message, fields]`, from the worker, without an answer. */
  LOG: 12,
  /**
   * `[FORGET, 0, instances]`, to the worker: the sessions of these instances have ended. It is sent only if no call
   * carries this information first.
   */
  FORGET: 13,
} as const;

export type Frame = readonly [kind: number, id: number, ...rest: unknown[]];

/** The positions of the arguments that are streams, with the IDs of the streams. */
export type StreamPositions = readonly (readonly [index: number, stream: number])[];

/** Data that is sent with a call to a plugin's provider in addition to its arguments. */
export interface CallContext {
  /** The host's clock, in milliseconds since the epoch. */
  readonly now: number;
  /** True if the clock only moves when it is set, as in tests: then `now` is valid until the next call. */
  readonly standsStill?: boolean;
  /** Instances whose sessions have ended. */
  readonly ended?: readonly number[];
  /** The data for creating the instance. It is sent with each call until one of them is answered. */
  readonly opening?: CreationData;
}

/** The data for creating a provider. */
export interface CreationData {
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

/** The description of a plugin's provider, as plain data. */
export interface DescribedProvider {
  readonly spi: { readonly id: unknown };
  readonly id: unknown;
  readonly version: unknown;
  readonly config: unknown;
  readonly realmConfig: unknown;
  readonly declaration: unknown;
  readonly background: unknown;
  readonly schedule: unknown;
  /** True if it has an `open` function. */
  readonly opens: boolean;
}

/** Replaces the `migrate` function of a plugin's state in its description. */
export const MIGRATE_PLACEHOLDER = 'function';

/** The target of calls to the plugin itself, instead of an instance of a provider. */
export const PLUGIN = 0;

/** The number of items of a stream that the sender may send before the reader requests more. */
export const WINDOW = 16;

/** The data with which a worker is started. */
export interface WorkerStart {
  readonly port: import('node:worker_threads').MessagePort;
  readonly file: string;
  /** The number of bytes of heap, or of buffers, above which the worker reports low memory by itself. */
  readonly softMemory: number;
}
