import { HostError } from '@keyhost/spi';

/** An error in the form in which it crosses from a thread. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly status: number;
}

/** The store cannot work: no writer, a full disk, an unreachable server. The requested write did not happen. */
export function storeUnavailable(reason: string, cause?: unknown): HostError {
  return new HostError('store_unavailable', `the store is unavailable: ${reason}`, { status: 503, cause });
}

export function errorOf({ code, message, status }: Failure, cause?: unknown): HostError {
  return new HostError(code, message, { status, cause });
}
