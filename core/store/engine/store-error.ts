import { HostError } from '@keyhost/spi';

/** An error in the form in which a thread sends it. */
export interface SerializedError {
  readonly code: string;
  readonly message: string;
  readonly status: number;
}

/**
 * Creates the error for a store that cannot work: no writer, a full disk, an unreachable server. The requested write
 * has not happened.
 */
export function storeUnavailableError(reason: string, cause?: unknown): HostError {
  return new HostError('store_unavailable', `the store is unavailable: ${reason}`, { status: 503, cause });
}

export function toHostError({ code, message, status }: SerializedError, cause?: unknown): HostError {
  return new HostError(code, message, { status, cause });
}
