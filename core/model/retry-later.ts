import { HostError } from '@keyhost/spi';

/**
 * Creates an error that asks the caller to try again, with the status 503 and `Retry-After`. The caller gets the text.
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
