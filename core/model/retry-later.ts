import { HostError } from '@keyhost/spi';

/**
 * Creates an error that asks the caller to try again: 503 with `Retry-After`. The caller gets its text.
 * @param seconds after which a retry makes sense
 * @param cause for the log
 */
export function retryLater(code: string, text: string, seconds: number, cause?: unknown): HostError {
  return new HostError(code, text, retryOptions(seconds, cause));
}

/** The HostError options of a `retryLater` error, for error classes. */
export function retryOptions(seconds: number, cause?: unknown) {
  const options = { status: 503, expose: true, headers: { 'retry-after': String(seconds) } };
  return cause === undefined ? options : { ...options, cause };
}
