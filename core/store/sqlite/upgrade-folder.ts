import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import { readMigrations } from '../engine/migrations.js';
import type { Upgradable } from '../engine/upgrade.js';
import type { Connection } from './connection.js';
import { refuseDraft } from './copy-folder.js';
import { prepareDataDirectory } from './data-directory.js';
import { lockDataDirectory } from './directory-lock.js';
import { unapplied } from './migrations.js';
import { openDatabase, openReader } from './open-database.js';

/**
 * Plans the upgrade of a data directory's store next to the process that owns it. The upgrade itself locks the
 * directory.
 * @throws BootError `store_failed`
 */
export function openFolderUpgrade(dataDir: string, now: number): Upgradable {
  const file = join(resolve(dataDir), 'keyhost.db');
  refuseDraft(file);
  let reader: Connection | undefined;
  const reading = <T>(work: (db: Connection) => T): T => {
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
    missing: async () => (existsSync(file) ? reading((db) => unapplied(db, readMigrations())) : undefined),
    rows: async (table) =>
      reading((db) => db.get<{ rows: number }>(`SELECT count(*) AS rows FROM "${table}"`)?.rows ?? 0),
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
