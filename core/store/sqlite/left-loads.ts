import { SELECT_LOADS, userLoadOperations } from '../records/user-loads.js';
import type { Connection } from './connection.js';
import { rollBack } from './roll-back.js';
import { runOperation } from './writing/carry-out.js';

/** True if a process has not ended a load of users. If it is still alive, the load may end. */
export function hasLoads(db: Connection): boolean {
  return db.get(SELECT_LOADS) !== undefined;
}

/**
 * Removes the users of loads that a dead process has left, in short transactions. No other process may use the store.
 */
export function undoLeftLoads(db: Connection): void {
  for (const { realm } of db.all<{ realm: string }>(SELECT_LOADS)) while (undoPiece(db, realm));
}

function undoPiece(db: Connection, realm: string): boolean {
  db.exec('BEGIN IMMEDIATE');
  try {
    const isLeft = runOperation(db, userLoadOperations['userLoads.undo'](realm));
    db.exec('COMMIT');
    return isLeft;
  } catch (error) {
    rollBack(db);
    throw error;
  }
}
