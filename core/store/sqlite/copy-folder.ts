import { existsSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import { messageOf } from '../../model/thrown.js';
import {
  ALL_PROGRESS,
  type AppliedRecord,
  COPY_TABLE,
  type CopySource,
  type CopyState,
  type CopyTarget,
  DROP_COPY_TABLE,
  ORIGIN,
  storeProgress,
} from '../copy/copy-database.js';
import { unfinishedError } from '../copy/origin.js';
import { deleteAllSql, type Row } from '../copy/tables.js';
import type { Statement } from '../engine/operation.js';
import type { Connection } from './connection.js';
import { prepareDataDirectory } from './data-directory.js';
import { lockDataDirectory } from './directory-lock.js';
import { hasLoads, undoLeftLoads } from './left-loads.js';
import { create, openDraft, openReader } from './open-database.js';
import { rollBack } from './roll-back.js';
import { syncDirectoryOf } from './sync-directory.js';

/** Returns the name of a store while it is being copied into its folder. */
export const draftPathOf = (database: string): string => `${database}.copying`;

const SELECT_COPY_TABLE = "SELECT 1 AS there FROM sqlite_master WHERE type = 'table' AND name = 'store_copy'";

/**
 * Checks that no copy into this folder is running, or was interrupted.
 * @throws BootError `store_failed`
 */
export function refuseDraft(database: string): void {
  const draft = draftPathOf(database);
  if (existsSync(database) || !existsSync(draft)) return;
  const origin = withCopyErrors(database, () => {
    // Open it for writing, because an interrupted transaction must be rolled back before the file can be read.
    const db = openDraft(draft);
    try {
      return readProgress(db)?.get(ORIGIN);
    } finally {
      db.close();
    }
  });
  throw unfinishedError(database, origin, `delete ${draft}`);
}

/**
 * Opens the store of a data directory as the source of a copy. The directory is locked, so that no host uses it. If a
 * killed process has left users of an import, they are removed.
 * @throws BootError `store_failed`, `store_locked`
 */
export function openFolderSource(dataDir: string): CopySource {
  const directory = resolve(dataDir);
  const database = join(directory, 'keyhost.db');
  if (!existsSync(database)) {
    refuseDraft(database);
    throw new BootError('store_failed', `no store found in ${directory}`, { hint: 'see --from' });
  }
  const release = lockDataDirectory(prepareDataDirectory(directory));
  const db = withCopyErrors(directory, () => openWithoutLoads(database));
  return {
    location: directory,
    engine: 'sqlite',
    rows: async (statement) => rowsOf(db, statement, directory),
    appliedMigrations: async () =>
      withCopyErrors(directory, () =>
        db.all<AppliedRecord>('SELECT version, checksum, applied_at FROM schema_migrations ORDER BY version'),
      ),
    async close() {
      db.close();
      release();
    },
  };
}

/** Users of an import that was killed must not be copied: the target may be a database, which no opening cleans up. */
function openWithoutLoads(database: string): Connection {
  const reader = openReader(database);
  if (!hasLoads(reader)) return reader;
  const db = openDraft(database);
  try {
    undoLeftLoads(db);
  } finally {
    db.close();
  }
  return reader;
}

/**
 * Prepares a data directory as the target of a copy. Until the copy is finished, the store has another name. A host
 * that is started there reports this, and does not create a store.
 * @throws BootError `store_failed`, `store_locked`
 */
export function openFolderTarget(dataDir: string, now: number): CopyTarget {
  const directory = prepareDataDirectory(dataDir);
  const { path, database } = directory;
  const release = lockDataDirectory(directory);
  const draft = draftPathOf(database);
  let openConnection: Connection | undefined;
  const connection = () => {
    openConnection ??= openDraft(draft);
    return openConnection;
  };
  return {
    location: path,
    engine: 'sqlite',
    rows: async (statement) => rowsOf(connection(), statement, path),
    async kept() {
      if (existsSync(database)) {
        throw new BootError('copy_failed', `${path} already contains a store`, {
          hint: 'nothing was overwritten: use an empty folder, or move that store away',
        });
      }
      return existsSync(draft) ? withCopyErrors(path, () => readProgress(connection())) : undefined;
    },
    async begin(tables, origin) {
      withCopyErrors(path, () => {
        if (!existsSync(draft)) create(draft, now);
        inTransaction(connection(), (db) => {
          for (const table of tables) db.exec(deleteAllSql(table));
          db.exec(COPY_TABLE);
          runAll(db, [storeProgress(ORIGIN, origin)]);
        });
      });
    },
    async write(statements, { name, said }) {
      withCopyErrors(path, () =>
        inTransaction(connection(), (db) => runAll(db, [...statements, storeProgress(name, said)])),
      );
    },
    async finish() {
      withCopyErrors(path, () => {
        connection().exec(DROP_COPY_TABLE);
        connection().close();
        openConnection = undefined;
        renameSync(draft, database);
        syncDirectoryOf(database);
      });
    },
    async close() {
      openConnection?.close();
      release();
    },
  };
}

function readProgress(db: Connection): CopyState | undefined {
  if (db.get(SELECT_COPY_TABLE) === undefined) return undefined;
  return new Map(db.all<{ name: string; said: string }>(ALL_PROGRESS).map(({ name, said }) => [name, said]));
}

function rowsOf(db: Connection, { sql, parameters }: Statement, directory: string): readonly Row[] {
  return withCopyErrors(directory, () => db.all<Row>(sql, ...parameters));
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

function runAll(db: Connection, statements: readonly Statement[]): void {
  for (const { sql, parameters } of statements) db.run(sql, ...parameters);
}

function withCopyErrors<T>(directory: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof BootError) throw cause;
    throw new BootError('copy_failed', `cannot use ${directory}: ${messageOf(cause)}`, {
      hint: 'fix the cause, then run the same command again to continue',
      cause,
    });
  }
}
