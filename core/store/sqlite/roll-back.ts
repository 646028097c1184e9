import type { Connection } from './connection.js';

/**
 * Rolls back a failed transaction. SQLite may already have done so, for example on a full disk. Then only the original
 * failure is reported.
 */
export function rollBack(db: Connection): void {
  try {
    db.exec('ROLLBACK');
  } catch {
    // SQLite has already rolled it back.
  }
}
