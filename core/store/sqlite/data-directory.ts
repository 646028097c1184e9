import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import { codeOf } from '../../model/thrown.js';

/** The paths of a data directory and of the store's files in it. */
export interface DataDirectory {
  readonly path: string;
  readonly database: string;
  /** The lock file. It is open and locked as long as the store is open. */
  readonly lock: string;
}

const PERMISSIONS_OF_OTHERS = 0o077;

/**
 * Creates the directory with access only for its owner. If it exists, the permissions of others on it and its files are
 * removed.
 * @throws BootError `store_failed`
 */
export function prepareDataDirectory(directory: string): DataDirectory {
  const path = resolve(directory);
  const database = join(path, 'keyhost.db');
  const lock = join(path, 'keyhost.lock');
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    restrictPermissions(path, 0o700);
    // Once the file exists, only SQLite may open it: closing any other descriptor would release a POSIX lock.
    if (!existsSync(lock)) closeSync(openSync(lock, 'wx', 0o600));
    for (const file of [lock, database, `${database}-wal`, `${database}-shm`]) {
      if (existsSync(file)) restrictPermissions(file, 0o600);
    }
  } catch (cause) {
    const reason = codeOf(cause) ?? String(cause);
    throw new BootError('store_failed', `cannot use the data directory ${path} (${reason})`, {
      hint: 'it must be a directory that the user of Keyhost owns and can write to',
      cause,
    });
  }
  return { path, database, lock };
}

function restrictPermissions(path: string, mode: number): void {
  if (process.platform !== 'win32' && (statSync(path).mode & PERMISSIONS_OF_OTHERS) !== 0) chmodSync(path, mode);
}
