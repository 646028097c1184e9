import { HostError } from '@keyhost/spi';
import { memberOf } from '../../model/thrown.js';

/** An error as it crosses from the writer's thread. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly status: number;
}

/** The writer is gone, the disk is full, the file cannot be read: whatever was asked for did not happen. */
export function storeUnavailable(reason: string, cause?: unknown): HostError {
  return new HostError('store_unavailable', `the store is unavailable: ${reason}`, { status: 503, cause });
}

const SQLITE_ERROR = 1;
const SQLITE_CONSTRAINT = 19;
const SQLITE_MISMATCH = 20;
const SQLITE_RANGE = 25;
/** Primary result codes that are the caller's or our own mistake; every other one says that the store cannot work. */
const MISTAKES = new Set([SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_RANGE]);

/** The primary result code of an error of SQLite. */
export function sqliteCode(error: unknown): number | undefined {
  const code = memberOf(error, 'errcode');
  return typeof code === 'number' ? code & 0xff : undefined;
}

/** What the caller is told: `store_unavailable` (503), `store_conflict` (a key exists; 500), or `store_error` (500). */
export function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  const code = sqliteCode(error);
  if (code !== undefined && !MISTAKES.has(code)) {
    return { code: 'store_unavailable', message: `the store is unavailable: ${message}`, status: 503 };
  }
  return { code: code === SQLITE_CONSTRAINT ? 'store_conflict' : 'store_error', message, status: 500 };
}

export function errorOf({ code, message, status }: Failure, cause?: unknown): HostError {
  return new HostError(code, message, { status, cause });
}
