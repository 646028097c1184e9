import type { Connection } from './connection.js';

/** Ends a transaction that failed. SQLite may have given it up itself, as on a full disk: then what failed is told, not that. */
export function giveUp(db: Connection): void {
  try {
    db.exec('ROLLBACK');
  } catch {
    // There is no transaction left to roll back: that is what was wanted.
  }
}
