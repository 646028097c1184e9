import { BootError } from '../../config/boot-error.js';
import type { DataDirectory } from './data-directory.js';
import { type SqliteDatabase, sqliteDriver } from './driver.js';
import { sqliteCode } from './sqlite-error.js';

const SQLITE_BUSY = 5;

/**
 * Locks the directory for this process, by an exclusive transaction on a separate database. The operating system
 * releases the lock when the process ends, even after a crash.
 * @returns a function that releases the directory
 * @throws BootError `store_locked`, `store_failed`
 */
export function lockDataDirectory({ path, lock }: DataDirectory): () => void {
  const { DatabaseSync } = sqliteDriver();
  let database: SqliteDatabase | undefined;
  try {
    const opened = new DatabaseSync(lock);
    database = opened;
    database.exec('PRAGMA busy_timeout = 0');
    database.exec('BEGIN EXCLUSIVE');
    return () => opened.close();
  } catch (cause) {
    database?.close();
    if (sqliteCode(cause) !== SQLITE_BUSY) {
      throw new BootError('store_failed', `cannot use the lock file ${lock}`, {
        hint: 'delete it if no Keyhost process uses this directory',
        cause,
      });
    }
    throw new BootError('store_locked', `another Keyhost process uses the data directory ${path}`, {
      hint: 'stop the other process, or set another --data-dir',
      cause,
    });
  }
}
