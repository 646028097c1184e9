/** How a call ended: `refused` is an error that the caller may know of, `stream` an answer whose end is the session's. */
export type CallEnd = 'ok' | 'refused' | 'failed' | 'timeout' | 'busy' | 'unavailable' | 'stream';

/** How calls end that bring nothing by a fault of the provider or its worker. */
export const FAILED_ENDS: readonly CallEnd[] = ['failed', 'timeout', 'unavailable', 'busy'];

/** A call that failed. What its error says stays in the log: it may tell of addresses and of people. */
export interface CallFailure {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  readonly end: CallEnd;
  /** The code of the error, or its class. */
  readonly error: string;
}

/** Of the failures of a provider in a realm so many are kept. */
const KEPT_FAILURES = 5;

/** The calls of one provider in one realm so far. */
export interface CallCounts {
  /** `spi/id` */
  readonly provider: string;
  readonly realm: string;
  /** Under way now. */
  running: number;
  /** Taken by those that ended. */
  seconds: number;
  readonly ends: Map<CallEnd, number>;
  /** The newest of those that brought nothing by a fault of the provider or its worker; the newest first. */
  readonly failures: CallFailure[];
  /** What its code got wrong with the last call that failed for its shape, until one is good again. */
  wrongShape?: string | undefined;
}

/** Before the first call. */
export function noCalls(provider: string, realm: string): CallCounts {
  return { provider, realm, running: 0, seconds: 0, ends: new Map(), failures: [] };
}

export function count({ ends }: CallCounts, end: CallEnd): void {
  ends.set(end, (ends.get(end) ?? 0) + 1);
}

/** Keeps a failure among the newest. */
export function note({ failures }: CallCounts, failure: CallFailure): void {
  failures.unshift(failure);
  failures.length = Math.min(failures.length, KEPT_FAILURES);
}
