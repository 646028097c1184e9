import type { Dialect } from '../engine/dialect.js';
import { ADD_READABLE_BY, MIGRATIONS_TABLE } from '../engine/migrations.js';
import { LIMITS } from './limits.js';
import { elements, POSTGRESQL_USERS } from './user-pieces.js';

/* All SQL that is specific to PostgreSQL and compatible databases. README.md lists what those support. */

export const BEGIN = 'BEGIN';
export const COMMIT = 'COMMIT';
export const ROLLBACK = 'ROLLBACK';
export const ALLOW_LONG_STATEMENTS = `SET LOCAL statement_timeout = ${LIMITS.longStatement}`;

/** For connections that only scan whole tables. */
export const NO_TIME_LIMIT = 'SET statement_timeout = 0';

/** Locks the rows that it reads until the transaction ends. */
export function locking(select: string): string {
  return `${select} FOR UPDATE`;
}

/**
 * For a select, or a statement with one in brackets: skips rows that other transactions have locked, without waiting.
 */
export function skippingLocked(statement: string): string {
  if (statement.startsWith('SELECT')) return `${statement} FOR UPDATE SKIP LOCKED`;
  return statement.replace(/\)( RETURNING \w+)?$/, ' FOR UPDATE SKIP LOCKED)$1');
}

/**
 * Prepares a connection. With any settings of the server, an acknowledged commit is on its disk, and the default
 * isolation is read committed. `$1` is the schema of the search path, '' if none is configured. The answer tells
 * whether the server accepts writes.
 */
export const PREPARE_CONNECTION =
  "SELECT set_config('statement_timeout', $2, false), set_config('lock_timeout', $3, false), " +
  "set_config('idle_in_transaction_session_timeout', $4, false), " +
  "set_config('default_transaction_isolation', 'read committed', false), " +
  // No statement runs long enough for compilation or parallel workers to pay off. A bitmap of exact rows needs memory:
  // if it covers whole pages, all their rows are checked.
  "set_config('jit', 'off', false), set_config('max_parallel_workers_per_gather', '0', false), " +
  "set_config('work_mem', greatest(pg_size_bytes(current_setting('work_mem')), 67108864) / 1024 || 'kB', false), " +
  "set_config('synchronous_commit', CASE current_setting('synchronous_commit') " +
  "WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false), " +
  "set_config('search_path', CASE $1 WHEN '' THEN current_setting('search_path') ELSE quote_ident($1) END, false), " +
  "pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on' AS is_read_only";

/** Fails when the schema is not there, and answers NULL when the search path leads nowhere. */
export const CURRENT_SCHEMA = 'SELECT current_schema() AS name';

export const MIGRATION_TABLES = [
  `CREATE TABLE IF NOT EXISTS ${MIGRATIONS_TABLE}`,
  ADD_READABLE_BY.replace('ADD COLUMN', 'ADD COLUMN IF NOT EXISTS'),
  'CREATE TABLE IF NOT EXISTS schema_lock (id BIGINT NOT NULL PRIMARY KEY)',
  'INSERT INTO schema_lock (id) VALUES (1) ON CONFLICT (id) DO NOTHING',
];
/** Held by who brings the schema up to date, until its transaction ends: however that ends. */
export const MIGRATION_LOCK = locking('SELECT id FROM schema_lock WHERE id = 1');

/**
 * For the statements of a migration. It waits for locks only briefly, because all later statements queue behind it. Its
 * own work has no time limit.
 */
export const MIGRATING = [`SET LOCAL lock_timeout = ${LIMITS.migrationLock}`, 'SET LOCAL statement_timeout = 0'];

/** The columns of a table; none if the schema does not have the table. */
export function columnsOf(table: string): string {
  return (
    'SELECT column_name AS name FROM information_schema.columns ' +
    `WHERE table_schema = current_schema() AND table_name = '${table}'`
  );
}

/** Estimated number of a table's rows, from the server's last analysis; negative if there was none. */
export const ESTIMATED_ROWS =
  'SELECT c.reltuples::bigint AS rows FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace ' +
  'WHERE c.relname = $1 AND n.nspname = current_schema()';

export function countingRows(table: string): string {
  return `SELECT count(*) AS rows FROM "${table}"`;
}

/** Returns a row if the schema has the table. */
export function tableThere(name: string): string {
  return `SELECT 1 AS there FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = '${name}'`;
}

/** The server plans by the statistics of a table, so collect them now instead of waiting for autovacuum. */
export function analyzing(table: string): string {
  return `ANALYZE "${table}"`;
}

/** Replaces the escapes in a JSON text that jsonb refuses: NUL and lone surrogates. */
function json(column: string): string {
  return `regexp_replace(${column}, '\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\\\ufffd', 'gi')::jsonb`;
}

/** https://www.postgresql.org/docs/current/functions-json.html */
export const POSTGRESQL: Dialect = {
  users: POSTGRESQL_USERS,
  time: '(extract(epoch FROM clock_timestamp()) * 1000)::bigint',
  text: (column, ...path) => `(${json(column)} #>> '{${path.join(',')}}')`,
  isTrue: (column, member) => `CASE WHEN ${json(column)} -> '${member}' = 'true'::jsonb THEN 1 ELSE 0 END`,
  elements,
  listHas: (column, member, name, pattern) =>
    `EXISTS (SELECT 1 FROM jsonb_path_query(${json(column)} -> '${member}' -> ${name}::text, '$[*]') v ` +
    `WHERE lower(v #>> '{}') LIKE lower(${pattern}::text) ESCAPE '\\')`,
};
