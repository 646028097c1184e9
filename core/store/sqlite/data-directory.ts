import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import { codeOf } from '../../model/thrown.js';

/** The files of a store. */
export interface DataDirectory {
  readonly path: string;
  readonly database: string;
  /** Held open and locked as long as the store is open. */
  readonly lock: string;
}

const OTHERS = 0o077;

/**
 * Creates the directory for its owner alone, and removes the permissions of others on an existing one and its files.
 * @throws BootError `store_failed`
 */
export function prepareDataDirectory(directory: string): DataDirectory {
  const path = resolve(directory);
  const database = join(path, 'keyhost.db');
  const lock = join(path, 'keyhost.lock');
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    tighten(path, 0o700);
    // Never opened and closed by other means than SQLite once it exists: closing any descriptor drops a POSIX lock.
    if (!existsSync(lock)) closeSync(openSync(lock, 'wx', 0o600));
    for (const file of [lock, database, `${database}-wal`, `${database}-shm`]) {
      if (existsSync(file)) tighten(file, 0o600);
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

function tighten(path: string, mode: number): void {
  if (process.platform !== 'win32' && (statSync(path).mode & OTHERS) !== 0) chmodSync(path, mode);
}
