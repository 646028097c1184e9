import { HostError } from '@keyhost/spi';
import { memberOf } from '../../model/thrown.js';
import { storeUnavailableError, toHostError } from '../engine/store-error.js';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const UNIQUE_VIOLATION = '23505';
const INTEGRITY_CONSTRAINT = '23';
/**
 * Classes of errors that the caller or Keyhost has caused: data, syntax. All others mean that the store cannot work.
 */
const CALLER_ERRORS = ['22', '42'];
/** The error of a standby for a write. */
export const READ_ONLY = '25006';
/** The errors for a prepared statement of another connection, which a connection pooler may cause. */
export const DUPLICATE_STATEMENT = '42P05';
export const UNKNOWN_STATEMENT = '26000';
const INSUFFICIENT_PRIVILEGE = '42501';
const UNDEFINED_FUNCTION = '42883';
const FEATURE_NOT_SUPPORTED = '0A000';
/** After these errors a connection is unusable: it leads to a standby, or the server closes it. */
const CONNECTION_LOST = ['08', '57P', READ_ONLY, UNKNOWN_STATEMENT, '25P03'];

/** Returns the server's SQLSTATE; undefined if the error is not from the server, but from the connection. */
export function sqlState(error: unknown): string | undefined {
  const code = memberOf(error, 'code');
  const severity = memberOf(error, 'severity');
  return typeof code === 'string' && severity !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** True if the server has rolled back the transaction because of concurrent ones. It may succeed the next time. */
export function isRolledBackForOthers(error: unknown): boolean {
  const state = sqlState(error);
  return state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED;
}

export function isUniqueViolation(error: unknown): boolean {
  return sqlState(error) === UNIQUE_VIOLATION;
}

/** True if the server does not have a function, or does not let this user call it. */
export function isUnsupported(error: unknown): boolean {
  const state = sqlState(error);
  return state === INSUFFICIENT_PRIVILEGE || state === UNDEFINED_FUNCTION || state === FEATURE_NOT_SUPPORTED;
}

/** True if the connection must not be used again. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof HostError) return false;
  const state = sqlState(error);
  return state === undefined || CONNECTION_LOST.some((prefix) => state.startsWith(prefix));
}

/** True if no connection was available. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof HostError && error.code === 'store_unavailable';
}

/**
 * Converts an error to one for the caller: `store_unavailable` (503), `store_conflict` (500; a key already exists), or
 * `store_error` (500).
 */
export function hostErrorOf(error: unknown): HostError {
  if (error instanceof HostError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const state = sqlState(error) ?? '';
  if (state.startsWith(INTEGRITY_CONSTRAINT))
    return toHostError({ code: 'store_conflict', message, status: 500 }, error);
  if (state !== INSUFFICIENT_PRIVILEGE && CALLER_ERRORS.includes(state.slice(0, 2)))
    return toHostError({ code: 'store_error', message, status: 500 }, error);
  return storeUnavailableError(message, error);
}
