import { closeSync, existsSync, openSync, readSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import { messageOf } from '../../model/thrown.js';
import { type Migration, readMigrations } from '../engine/migrations.js';
import { Connection } from './connection.js';
import { sqliteDriver } from './driver.js';
import { undoLeftLoads } from './left-loads.js';
import { createSchema, migrate } from './migrations.js';
import { sqliteCode } from './sqlite-error.js';
import { syncDirectoryOf } from './sync-directory.js';

const SQLITE_IOERR = 10;
const LOG_INDEX_BYTES = 32 * 1024;
/** https://www.sqlite.org/fileformat2.html#the_database_header */
const HEADER_BYTES = 100;
const SYNCHRONOUS_FULL = 2;
/** "KeyH": distinguishes a store from any other SQLite file. */
const APPLICATION_ID = 0x4b657948;

/**
 * Opens the writing connection. A new store is created under another name, and renamed when it is complete. So a file
 * that is empty or truncated is always damaged, and is never mistaken for a new store. The caller holds the lock of the
 * directory: loads of users that are found there are those of a dead process, and are undone.
 * @param onStep called before each migration of an existing store
 * @throws BootError `store_failed`
 */
export function openDatabase(file: string, appliedAt: number, onStep?: (migration: Migration) => void): Connection {
  try {
    if (!existsSync(file)) create(file, appliedAt);
    else checkLength(file);
    const db = connect(file);
    try {
      checkStore(db, file);
      requireDurability(db);
      migrate(db, readMigrations(), appliedAt, onStep);
      undoLeftLoads(db);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof BootError) throw error;
    throw damagedError(file, isDiskFull(error, file) ? 'database or disk is full' : messageOf(error), error);
  }
}

/**
 * True if the disk is full. If the index of the write-ahead log cannot grow, SQLite reports a disk error without that
 * reason. The index grows by 32 KiB at a time.
 */
function isDiskFull(error: unknown, file: string): boolean {
  if (sqliteCode(error) !== SQLITE_IOERR) return false;
  const { bavail, bsize } = statfsSync(dirname(file));
  return bavail * bsize < LOG_INDEX_BYTES;
}

/** Opens a store in memory, which exists as long as its connection. */
export function openMemoryDatabase(appliedAt: number): Connection {
  const db = connect(':memory:');
  createSchema(db, readMigrations(), appliedAt);
  return db;
}

/** Opens a second connection, only for reading. The writing connection must be open. */
export function openReader(file: string): Connection {
  const { DatabaseSync } = sqliteDriver();
  const db = new Connection(new DatabaseSync(file, { readOnly: true }));
  db.exec('PRAGMA busy_timeout = 5000; PRAGMA cache_size = -16000; PRAGMA query_only = ON');
  return db;
}

/** Opens a connection that reads a store, or a copy of one, while other processes use it. It can also create a copy. */
export function openShared(file: string): Connection {
  const { DatabaseSync } = sqliteDriver();
  const db = new Connection(new DatabaseSync(file, { readOnly: true }));
  db.exec('PRAGMA busy_timeout = 5000; PRAGMA trusted_schema = OFF');
  return db;
}

/**
 * Opens a store for writing that no host uses, without a check of it. A store that is being created is one file without
 * a write-ahead log, so that it can be renamed.
 */
export function openDraft(file: string): Connection {
  const db = connect(file);
  db.exec(
    'PRAGMA busy_timeout = 5000; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000; PRAGMA trusted_schema = OFF',
  );
  return db;
}

function connect(file: string): Connection {
  const { DatabaseSync } = sqliteDriver();
  return new Connection(new DatabaseSync(file));
}

/** Creates a store without records. It is completely on disk, or not at all. */
export function create(file: string, appliedAt: number): void {
  if (existsSync(`${file}-wal`)) throw damagedError(file, 'it is missing, but its write-ahead log exists');
  const draft = `${file}.new`;
  for (const leftover of [draft, `${draft}-wal`, `${draft}-shm`, `${draft}-journal`]) rmSync(leftover, { force: true });
  closeSync(openSync(draft, 'wx', 0o600));
  const db = connect(draft);
  try {
    db.exec(`PRAGMA synchronous = FULL; PRAGMA application_id = ${APPLICATION_ID}`);
    createSchema(db, readMigrations(), appliedAt);
  } finally {
    db.close();
  }
  renameSync(draft, file);
  syncDirectoryOf(file);
}

/**
 * Checks that the file is not truncated: SQLite reads missing bytes of the last page as zeros. If there is a
 * write-ahead log, it may still have to complete the file.
 * @throws BootError `store_failed`
 */
export function checkLength(file: string): void {
  const { size } = statSync(file);
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const header = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(file, 'r');
  const bytesRead = readSync(descriptor, header, 0, HEADER_BYTES, 0);
  closeSync(descriptor);
  // The value 1 means 65536, which does not fit into two bytes.
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  if (bytesRead < HEADER_BYTES || (log === 0 && size % pageSize !== 0)) throw damagedError(file, 'it is truncated');
}

/**
 * Checks the integrity of a store.
 * @throws BootError `store_failed` if the file is damaged, or is not a store
 */
export function checkStore(db: Connection, file: string): void {
  const id = db.get<{ application_id: number }>('PRAGMA application_id')?.application_id;
  const checkResult = db.all<{ quick_check: string }>('PRAGMA quick_check(1)')[0]?.quick_check;
  if (checkResult !== 'ok') throw damagedError(file, checkResult ?? 'the integrity check returned no result');
  if (id !== APPLICATION_ID) throw damagedError(file, 'it is not a Keyhost store');
}

/**
 * Sets the journal mode and makes commits durable. Some builds of SQLite open an existing write-ahead log with
 * `synchronous=NORMAL`, which loses acknowledged writes.
 */
function requireDurability(db: Connection): void {
  const mode = db.get<{ journal_mode: string }>('PRAGMA journal_mode = WAL')?.journal_mode;
  db.exec('PRAGMA synchronous = FULL');
  const synchronous = db.get<{ synchronous: number }>('PRAGMA synchronous')?.synchronous;
  if (mode !== 'wal' || synchronous !== SYNCHRONOUS_FULL) {
    throw new BootError('store_failed', `SQLite runs with journal_mode=${mode}, synchronous=${synchronous}`, {
      hint: 'the data directory must be on a local file system that SQLite can use a write-ahead log on',
    });
  }
  db.exec(`
    PRAGMA busy_timeout = 5000;
    PRAGMA cache_size = -16000;
    PRAGMA temp_store = MEMORY;
    PRAGMA trusted_schema = OFF;
    PRAGMA journal_size_limit = 67108864;
  `);
}

function damagedError(file: string, reason: string, cause?: unknown): BootError {
  return new BootError('store_failed', `cannot open the store ${file}: ${reason}`, {
    hint: 'restore the data directory from a backup, or move it away to start with an empty store',
    cause,
  });
}
