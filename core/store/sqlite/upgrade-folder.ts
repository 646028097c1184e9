import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import { readMigrations } from '../engine/migrations.js';
import type { UpgradableStore } from '../engine/upgrade.js';
import type { Connection } from './connection.js';
import { refuseDraft } from './copy-folder.js';
import { prepareDataDirectory } from './data-directory.js';
import { lockDataDirectory } from './directory-lock.js';
import { readMissingMigrations } from './migrations.js';
import { openDatabase, openReader } from './open-database.js';

/**
 * Opens the store of a data directory for an upgrade. The plan is made while another process may own the store; the
 * upgrade itself locks the directory.
 * @throws BootError `store_failed`
 */
export function openFolderUpgrade(dataDir: string, now: number): UpgradableStore {
  const file = join(resolve(dataDir), 'keyhost.db');
  refuseDraft(file);
  let reader: Connection | undefined;
  const withReader = <T>(work: (db: Connection) => T): T => {
    try {
      reader ??= openReader(file);
      return work(reader);
    } catch (cause) {
      if (cause instanceof BootError) throw cause;
      throw new BootError('store_failed', `cannot read the store ${file}`, { cause });
    }
  };
  return {
    isShared: false,
    missingMigrations: async () =>
      existsSync(file) ? withReader((db) => readMissingMigrations(db, readMigrations())) : undefined,
    rows: async (table) =>
      withReader((db) => db.get<{ rows: number }>(`SELECT count(*) AS rows FROM "${table}"`)?.rows ?? 0),
    async migrate(onStep) {
      const directory = prepareDataDirectory(dataDir);
      const release = lockDataDirectory(directory);
      try {
        const db = openDatabase(directory.database, now, onStep);
        db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        db.close();
      } finally {
        release();
      }
    },
    close: async () => reader?.close(),
  };
}
