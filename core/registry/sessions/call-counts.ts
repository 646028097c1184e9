/**
 * The result of a call. `refused`: an error that the caller may see. `stream`: a streamed response, which ends with the
 * session.
 */
export type CallResult = 'ok' | 'refused' | 'failed' | 'timeout' | 'busy' | 'unavailable' | 'stream';

/** The results that are a fault of the provider or its worker. */
export const FAILED_RESULTS: readonly CallResult[] = ['failed', 'timeout', 'unavailable', 'busy'];

/** A failed call. Its error message is only logged, because it may contain addresses and personal data. */
export interface CallFailure {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  readonly end: CallResult;
  /** The code of the error, or its class. */
  readonly error: string;
}

/** Maximum number of stored failures of a provider in a realm. */
const MAX_FAILURES = 5;

/** The calls of one provider in one realm since the process started. */
export interface CallCounts {
  /** `spi/id` */
  readonly provider: string;
  readonly realm: string;
  /** The number of active calls. */
  running: number;
  /** The total duration of completed calls, in seconds. */
  seconds: number;
  readonly ends: Map<CallResult, number>;
  /** The latest failures that are a fault of the provider or its worker, the newest first. */
  readonly failures: CallFailure[];
  /** The problem of the last result if it had an invalid shape. The next valid result clears it. */
  wrongShape?: string | undefined;
}

/** Returns the counts before the first call. */
export function emptyCallCounts(provider: string, realm: string): CallCounts {
  return { provider, realm, running: 0, seconds: 0, ends: new Map(), failures: [] };
}

export function countResult({ ends }: CallCounts, end: CallResult): void {
  ends.set(end, (ends.get(end) ?? 0) + 1);
}

/** Adds a failure to the latest ones. */
export function recordFailure({ failures }: CallCounts, failure: CallFailure): void {
  failures.unshift(failure);
  failures.length = Math.min(failures.length, MAX_FAILURES);
}
