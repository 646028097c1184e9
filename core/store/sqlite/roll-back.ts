import type { Connection } from './connection.js';

/**
 * Rolls back a failed transaction. SQLite may have done so itself, as on a full disk: then the original failure is
 * reported, not this one.
 */
export function rollBack(db: Connection): void {
  try {
    db.exec('ROLLBACK');
  } catch {
    // There is no transaction left to roll back.
  }
}
