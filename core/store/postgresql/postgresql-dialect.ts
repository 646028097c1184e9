import type { Dialect } from '../engine/dialect.js';
import { ADD_READABLE_BY, MIGRATIONS_TABLE } from '../engine/migrations.js';
import { LIMITS } from './limits.js';
import { elements, POSTGRESQL_USERS } from './user-pieces.js';

/* All SQL that is specific to PostgreSQL and compatible databases. README.md lists what those support. */

export const BEGIN = 'BEGIN';
export const COMMIT = 'COMMIT';
export const ROLLBACK = 'ROLLBACK';
export const ALLOW_LONG_STATEMENTS = `SET LOCAL statement_timeout = ${LIMITS.longStatement}`;

/** For connections that only read whole tables. */
export const NO_TIME_LIMIT = 'SET statement_timeout = 0';

/** Returns a select that locks its rows until the transaction ends. */
export function lockRows(select: string): string {
  return `${select} FOR UPDATE`;
}

/** Returns a select, or a statement with one in brackets, that skips rows that other transactions have locked. */
export function skipLocked(statement: string): string {
  if (statement.startsWith('SELECT')) return `${statement} FOR UPDATE SKIP LOCKED`;
  return statement.replace(/\)( RETURNING \w+)?$/, ' FOR UPDATE SKIP LOCKED)$1');
}

/**
 * Prepares a connection. With any settings of the server, an acknowledged commit is on its disk, and the
 * default isolation is read committed. `$1` is the schema for the search path, or '' if none is configured. The answer
 * contains whether the server accepts writes.
 */
export const PREPARE_CONNECTION =
  "SELECT set_config('statement_timeout', $2, false), set_config('lock_timeout', $3, false), " +
  "set_config('idle_in_transaction_session_timeout', $4, false), " +
  "set_config('default_transaction_isolation', 'read committed', false), " +
  // No statement runs long enough for compilation or parallel workers to pay off. Exact bitmaps need memory: with less,
  // they cover whole pages, and all rows of these are checked.
  "set_config('jit', 'off', false), set_config('max_parallel_workers_per_gather', '0', false), " +
  "set_config('work_mem', greatest(pg_size_bytes(current_setting('work_mem')), 67108864) / 1024 || 'kB', false), " +
  "set_config('synchronous_commit', CASE current_setting('synchronous_commit') " +
  "WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false), " +
  "set_config('search_path', CASE $1 WHEN '' THEN current_setting('search_path') ELSE quote_ident($1) END, false), " +
  "pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on' AS is_read_only";

/** The timeline of a primary as eight hexadecimal digits. Standbys and compatible databases do not support it. */
export const TIMELINE =
  'SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system, ' +
  'left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline';

/** The process ID of the server that runs this statement. */
export const BACKEND_PID = 'SELECT pg_backend_pid() AS pid';

/** Fails if the schema does not exist; returns NULL if no schema of the search path exists. */
export const CURRENT_SCHEMA = 'SELECT current_schema() AS name';

export const MIGRATION_TABLES = [
  `CREATE TABLE IF NOT EXISTS ${MIGRATIONS_TABLE}`,
  ADD_READABLE_BY.replace('ADD COLUMN', 'ADD COLUMN IF NOT EXISTS'),
  'CREATE TABLE IF NOT EXISTS schema_lock (id BIGINT NOT NULL PRIMARY KEY)',
  'INSERT INTO schema_lock (id) VALUES (1) ON CONFLICT (id) DO NOTHING',
];
/**
 * Locks the row that a host holds while it migrates the schema. The lock is released when its transaction ends, even
 * after a crash.
 */
export const MIGRATION_LOCK = lockRows('SELECT id FROM schema_lock WHERE id = 1');

/**
 * Settings for the statements of a migration. They wait for locks only briefly, because later statements queue behind
 * them. Their own work has no time limit.
 */
export const MIGRATION_SETTINGS = [
  `SET LOCAL lock_timeout = ${LIMITS.migrationLock}`,
  'SET LOCAL statement_timeout = 0',
];

/** Returns a select of the columns of a table; it has no rows if the schema does not have the table. */
export function selectColumns(table: string): string {
  return (
    'SELECT column_name AS name FROM information_schema.columns ' +
    `WHERE table_schema = current_schema() AND table_name = '${table}'`
  );
}

/** Estimated number of a table's rows by the server's last analysis; negative if there was none. */
export const ESTIMATED_ROWS =
  'SELECT c.reltuples::bigint AS rows FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace ' +
  'WHERE c.relname = $1 AND n.nspname = current_schema()';

export function selectRowCount(table: string): string {
  return `SELECT count(*) AS rows FROM "${table}"`;
}

/** Returns a select that has a row if the schema has the table. */
export function selectTable(name: string): string {
  return `SELECT 1 AS there FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = '${name}'`;
}

/**
 * Returns the statement that collects a table's statistics now, instead of waiting for autovacuum. The server needs
 * them to plan queries.
 */
export function analyze(table: string): string {
  return `ANALYZE "${table}"`;
}

/** Returns JSON text as jsonb. It replaces the escapes that jsonb rejects: NUL and lone surrogates. */
function toJsonb(column: string): string {
  return `regexp_replace(${column}, '\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\\\ufffd', 'gi')::jsonb`;
}

/** https://www.postgresql.org/docs/current/functions-json.html */
export const POSTGRESQL: Dialect = {
  users: POSTGRESQL_USERS,
  time: '(extract(epoch FROM clock_timestamp()) * 1000)::bigint',
  text: (column, ...path) => `(${toJsonb(column)} #>> '{${path.join(',')}}')`,
  isTrue: (column, member) => `CASE WHEN ${toJsonb(column)} -> '${member}' = 'true'::jsonb THEN 1 ELSE 0 END`,
  elements,
  textAt: (list, index) => `(${list}::json ->> ${index})`,
  listHas: (column, member, name, pattern) =>
    `EXISTS (SELECT 1 FROM jsonb_path_query(${toJsonb(column)} -> '${member}' -> ${name}::text, '$[*]') v ` +
    `WHERE lower(v #>> '{}') LIKE lower(${pattern}::text) ESCAPE '\\')`,
};
