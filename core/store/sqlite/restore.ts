import { chmodSync, constants, copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import { messageOf } from '../../model/thrown.js';
import { readMigrations } from '../engine/migrations.js';
import { refuseDraft } from './copy-folder.js';
import { prepareDataDirectory } from './data-directory.js';
import { lockDataDirectory } from './directory-lock.js';
import { readMissingMigrations } from './migrations.js';
import { checkLength, checkStore, openShared } from './open-database.js';
import { syncDirectoryOf, syncFile } from './sync-directory.js';

/**
 * Copies a backup of a store into a data directory that has none. The store is completely on disk, or not there at all.
 * @throws BootError `backup_failed`; `store_locked` while a host uses the directory; `store_failed` if the backup is
 * damaged, is not a store, or is from a newer Keyhost
 */
export function restore(from: string, dataDir: string): void {
  const source = resolve(from);
  if (!existsSync(source)) throw new BootError('backup_failed', `file ${source} not found`);
  if ((statSync(`${source}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new BootError(
      'backup_failed',
      `${source} is not a backup, but the store of a server that is running or was killed`,
      {
        hint: 'create a backup with keyhost backup',
      },
    );
  }
  const directory = prepareDataDirectory(dataDir);
  const release = lockDataDirectory(directory);
  const { database } = directory;
  const draft = `${database}.restored`;
  try {
    refuseDraft(database);
    refuseStore(database);
    rmSync(draft, { force: true });
    copyFileSync(source, draft, constants.COPYFILE_EXCL);
    chmodSync(draft, 0o600);
    checkCopy(draft, source);
    syncFile(draft);
    renameSync(draft, database);
    syncDirectoryOf(database);
  } catch (cause) {
    if (cause instanceof BootError) throw cause;
    throw new BootError('backup_failed', `cannot restore ${source}: ${messageOf(cause)}`, { cause });
  } finally {
    for (const leftover of [draft, `${draft}-wal`, `${draft}-shm`]) rmSync(leftover, { force: true });
    release();
  }
}

function refuseStore(database: string): void {
  const existing = [database, `${database}-wal`].find((file) => existsSync(file));
  if (existing === undefined) return;
  throw new BootError('backup_failed', `a store already exists: ${existing}`, {
    hint: 'nothing was overwritten: move it and the files beside it away, or set another --data-dir',
  });
}

function checkCopy(draft: string, source: string): void {
  checkLength(source);
  const db = openShared(draft);
  try {
    checkStore(db, source);
    readMissingMigrations(db, readMigrations());
  } finally {
    db.close();
  }
}
