import { createRequire } from 'node:module';

export type SqlValue = string | number | null;

/** The part of a prepared statement of `node:sqlite` that Keyhost uses. */
export interface SqliteStatement {
  run(...parameters: SqlValue[]): { changes: number | bigint };
  get(...parameters: SqlValue[]): unknown;
  all(...parameters: SqlValue[]): unknown[];
}

/** The part of `DatabaseSync` that Keyhost uses. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export interface SqliteDriver {
  readonly DatabaseSync: new (path: string, options?: { readOnly?: boolean }) => SqliteDatabase;
}

let driver: SqliteDriver | undefined;

/**
 * Returns `node:sqlite` if Node has it without a flag (22.13 and later), and with the features that searches need,
 * which some builds lack. Otherwise it returns the package with the same API.
 */
export function sqliteDriver(): SqliteDriver {
  driver ??=
    ifSupportsSearch(loadBuiltIn()) ?? (createRequire(import.meta.url)('@photostructure/sqlite') as SqliteDriver);
  return driver;
}

function ifSupportsSearch(candidate: SqliteDriver | undefined): SqliteDriver | undefined {
  if (candidate === undefined) return undefined;
  const db = new candidate.DatabaseSync(':memory:');
  try {
    db.exec("CREATE VIRTUAL TABLE s USING fts5(x, content='', contentless_delete=1, tokenize='trigram')");
    return candidate;
  } catch {
    return undefined;
  } finally {
    db.close();
  }
}

/**
 * Loads `node:sqlite`. It suppresses Node's warning that the module is experimental, because an operator cannot do
 * anything about that.
 */
function loadBuiltIn(): SqliteDriver | undefined {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (String(warning).startsWith('SQLite is an experimental feature')) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    return process.getBuiltinModule('node:sqlite') as SqliteDriver | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}
