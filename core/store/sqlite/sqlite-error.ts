import { memberOf } from '../../model/thrown.js';
import type { SerializedError } from '../engine/store-error.js';

const SQLITE_ERROR = 1;
const SQLITE_CONSTRAINT = 19;
const SQLITE_MISMATCH = 20;
const SQLITE_RANGE = 25;
/** Primary result codes of errors that the caller or Keyhost has caused. All others mean that the store cannot work. */
const CALLER_ERRORS = new Set([SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_RANGE]);

/** Returns the primary result code of an SQLite error; undefined for other errors. */
export function sqliteCode(error: unknown): number | undefined {
  const code = memberOf(error, 'errcode');
  return typeof code === 'number' ? code & 0xff : undefined;
}

/**
 * Converts an error to one for the caller: `store_unavailable` (503), `store_conflict` (500; a key already exists), or
 * `store_error` (500).
 */
export function toSerializedError(error: unknown): SerializedError {
  const message = error instanceof Error ? error.message : String(error);
  const code = sqliteCode(error);
  if (code !== undefined && !CALLER_ERRORS.has(code)) {
    return { code: 'store_unavailable', message: `the store is unavailable: ${message}`, status: 503 };
  }
  return { code: code === SQLITE_CONSTRAINT ? 'store_conflict' : 'store_error', message, status: 500 };
}
