import { HostError } from '@keyhost/spi';

/**
 * An answer that asks the caller to try again: 503 with `Retry-After`, its text shown to the caller.
 * @param seconds until the next try makes sense
 * @param cause for the log
 */
export function retryLater(code: string, text: string, seconds: number, cause?: unknown): HostError {
  return new HostError(code, text, retryOptions(seconds, cause));
}

/** The options of this error, for classes of errors. */
export function retryOptions(seconds: number, cause?: unknown) {
  const options = { status: 503, expose: true, headers: { 'retry-after': String(seconds) } };
  return cause === undefined ? options : { ...options, cause };
}
