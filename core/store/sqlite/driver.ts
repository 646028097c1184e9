import { createRequire } from 'node:module';

export type SqlValue = string | number | null;

/** What Keyhost uses of a prepared statement of `node:sqlite`. */
export interface SqliteStatement {
  run(...parameters: SqlValue[]): { changes: number | bigint };
  get(...parameters: SqlValue[]): unknown;
  all(...parameters: SqlValue[]): unknown[];
}

/** What Keyhost uses of `DatabaseSync`. */
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
 * `node:sqlite` where Node has it without a flag (22.13 and later) and with what searches need (not each of them has), else the
 * package with the same API.
 */
export function sqliteDriver(): SqliteDriver {
  driver ??= withSearches(builtIn()) ?? (createRequire(import.meta.url)('@photostructure/sqlite') as SqliteDriver);
  return driver;
}

function withSearches(candidate: SqliteDriver | undefined): SqliteDriver | undefined {
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

/** Node calls its module experimental on standard error each time it is loaded first: nothing an operator can act on. */
function builtIn(): SqliteDriver | undefined {
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
