import { existsSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import { messageOf } from '../../model/thrown.js';
import {
  ALL_PROGRESS,
  type Applied,
  COPY_TABLE,
  type CopySource,
  type CopyState,
  type CopyTarget,
  DROP_COPY_TABLE,
  ORIGIN,
  storeProgress,
} from '../copy/copy-database.js';
import { unfinished } from '../copy/origin.js';
import { emptying, type Row } from '../copy/tables.js';
import type { Statement } from '../engine/operation.js';
import type { Connection } from './connection.js';
import { prepareDataDirectory } from './data-directory.js';
import { lockDataDirectory } from './directory-lock.js';
import { create, openDraft, openReader } from './open-database.js';
import { rollBack } from './roll-back.js';
import { syncDirectoryOf } from './sync-directory.js';

/** The name of a store while it is being copied into its folder. */
export const draftOf = (database: string): string => `${database}.copying`;

const HAS_KEPT = "SELECT 1 AS there FROM sqlite_master WHERE type = 'table' AND name = 'store_copy'";

/** @throws BootError `store_failed` if a copy into this folder is running, or was interrupted */
export function refuseDraft(database: string): void {
  const draft = draftOf(database);
  if (existsSync(database) || !existsSync(draft)) return;
  const origin = guarded(database, () => {
    // Opened for writing: an interrupted transaction must be rolled back before the file can be read.
    const db = openDraft(draft);
    try {
      return keptIn(db)?.get(ORIGIN);
    } finally {
      db.close();
    }
  });
  throw unfinished(database, origin, `delete ${draft}`);
}

/**
 * Takes the store of a data directory, which no host has meanwhile.
 * @throws BootError `store_failed`, `store_locked`
 */
export function openFolderSource(dataDir: string): CopySource {
  const place = resolve(dataDir);
  const database = join(place, 'keyhost.db');
  if (!existsSync(database)) {
    refuseDraft(database);
    throw new BootError('store_failed', `no store found in ${place}`, { hint: 'see --from' });
  }
  const release = lockDataDirectory(prepareDataDirectory(place));
  const db = guarded(place, () => openReader(database));
  return {
    place,
    engine: 'sqlite',
    rows: async (statement) => rowsOf(db, statement, place),
    applied: async () =>
      guarded(place, () =>
        db.all<Applied>('SELECT version, checksum, applied_at FROM schema_migrations ORDER BY version'),
      ),
    async close() {
      db.close();
      release();
    },
  };
}

/**
 * Prepares a data directory for a copied store. Until it is finished the store has another name: a host that is started
 * there reports this, and creates no store of its own.
 * @throws BootError `store_failed`, `store_locked`
 */
export function openFolderTarget(dataDir: string, now: number): CopyTarget {
  const directory = prepareDataDirectory(dataDir);
  const { path, database } = directory;
  const release = lockDataDirectory(directory);
  const draft = draftOf(database);
  let open: Connection | undefined;
  const connection = () => {
    open ??= openDraft(draft);
    return open;
  };
  return {
    place: path,
    engine: 'sqlite',
    rows: async (statement) => rowsOf(connection(), statement, path),
    async kept() {
      if (existsSync(database)) {
        throw new BootError('copy_failed', `${path} already contains a store`, {
          hint: 'nothing was overwritten: use an empty folder, or move that store away',
        });
      }
      return existsSync(draft) ? guarded(path, () => keptIn(connection())) : undefined;
    },
    async begin(tables, origin) {
      guarded(path, () => {
        if (!existsSync(draft)) create(draft, now);
        inTransaction(connection(), (db) => {
          for (const table of tables) db.exec(emptying(table));
          db.exec(COPY_TABLE);
          carryOut(db, [storeProgress(ORIGIN, origin)]);
        });
      });
    },
    async write(statements, { name, said }) {
      guarded(path, () =>
        inTransaction(connection(), (db) => carryOut(db, [...statements, storeProgress(name, said)])),
      );
    },
    async finish() {
      guarded(path, () => {
        connection().exec(DROP_COPY_TABLE);
        connection().close();
        open = undefined;
        renameSync(draft, database);
        syncDirectoryOf(database);
      });
    },
    async close() {
      open?.close();
      release();
    },
  };
}

function keptIn(db: Connection): CopyState | undefined {
  if (db.get(HAS_KEPT) === undefined) return undefined;
  return new Map(db.all<{ name: string; said: string }>(ALL_PROGRESS).map(({ name, said }) => [name, said]));
}

function rowsOf(db: Connection, { sql, parameters }: Statement, place: string): readonly Row[] {
  return guarded(place, () => db.all<Row>(sql, ...parameters));
}

function inTransaction(db: Connection, work: (db: Connection) => void): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    work(db);
    db.exec('COMMIT');
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

function carryOut(db: Connection, statements: readonly Statement[]): void {
  for (const { sql, parameters } of statements) db.run(sql, ...parameters);
}

function guarded<T>(place: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof BootError) throw cause;
    throw new BootError('copy_failed', `cannot use ${place}: ${messageOf(cause)}`, {
      hint: 'fix the cause, then run the same command again to continue',
      cause,
    });
  }
}
