import { HostError } from '@keyhost/spi';

/** An error as it crosses from where an operation is carried out. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly status: number;
}

/** The writer is gone, the disk is full, the server cannot be reached: whatever was asked for did not happen. */
export function storeUnavailable(reason: string, cause?: unknown): HostError {
  return new HostError('store_unavailable', `the store is unavailable: ${reason}`, { status: 503, cause });
}

export function errorOf({ code, message, status }: Failure, cause?: unknown): HostError {
  return new HostError(code, message, { status, cause });
}
