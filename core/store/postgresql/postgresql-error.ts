import { HostError } from '@keyhost/spi';
import { memberOf } from '../../model/thrown.js';
import { errorOf, storeUnavailable } from '../engine/store-error.js';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const UNIQUE_VIOLATION = '23505';
const INTEGRITY_CONSTRAINT = '23';
/** Classes of errors that the caller or Keyhost made: data, syntax. All others mean that the store cannot work. */
const MISTAKES = ['22', '42'];
/** The answer of a standby to a write. */
export const READ_ONLY = '25006';
const INSUFFICIENT_PRIVILEGE = '42501';
/** After these errors a connection is unusable: it leads to a standby, or its server closes it. */
const LOST = ['08', '57P', READ_ONLY, '26000', '25P03'];

/** The server's SQLSTATE; undefined if the connection failed and not the server. */
export function sqlState(error: unknown): string | undefined {
  const code = memberOf(error, 'code');
  const severity = memberOf(error, 'severity');
  return typeof code === 'string' && severity !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** True when the server has rolled the transaction back because of others: it may go well the next time. */
export function isRolledBackForOthers(error: unknown): boolean {
  const state = sqlState(error);
  return state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED;
}

export function isUniqueViolation(error: unknown): boolean {
  return sqlState(error) === UNIQUE_VIOLATION;
}

/** True when the connection must not be used again. */
export function isLost(error: unknown): boolean {
  if (error instanceof HostError) return false;
  const state = sqlState(error);
  return state === undefined || LOST.some((prefix) => state.startsWith(prefix));
}

/** True when there was no connection to be had. */
export function isAway(error: unknown): boolean {
  return error instanceof HostError && error.code === 'store_unavailable';
}

/**
 * The error for the caller: `store_unavailable` (503), `store_conflict` (a key exists; 500), or `store_error` (500).
 */
export function hostErrorOf(error: unknown): HostError {
  if (error instanceof HostError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const state = sqlState(error) ?? '';
  if (state.startsWith(INTEGRITY_CONSTRAINT)) return errorOf({ code: 'store_conflict', message, status: 500 }, error);
  if (state !== INSUFFICIENT_PRIVILEGE && MISTAKES.includes(state.slice(0, 2)))
    return errorOf({ code: 'store_error', message, status: 500 }, error);
  return storeUnavailable(message, error);
}
