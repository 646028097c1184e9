import type { Dialect } from '../engine/dialect.js';
import { ADD_READABLE_BY, MIGRATIONS_TABLE } from '../engine/migrations.js';
import { LIMITS } from './limits.js';
import { elements, POSTGRESQL_USERS } from './user-pieces.js';

/*
 * All SQL that is particular to PostgreSQL, and to those that speak like it. README.md says which of it they understand.
 */

export const BEGIN = 'BEGIN';
export const COMMIT = 'COMMIT';
export const ROLLBACK = 'ROLLBACK';
export const ALLOW_LONG_STATEMENTS = `SET LOCAL statement_timeout = ${LIMITS.longStatement}`;

/** For whoever goes through all tables and nothing else. */
export const NO_TIME_LIMIT = 'SET statement_timeout = 0';

/** Keeps a row that is read from others until the transaction ends. */
export function locking(select: string): string {
  return `${select} FOR UPDATE`;
}

/** A select, or a statement with one in brackets: what others keep is left out of that, and nobody is waited for. */
export function skippingLocked(statement: string): string {
  if (statement.startsWith('SELECT')) return `${statement} FOR UPDATE SKIP LOCKED`;
  return statement.replace(/\)( RETURNING \w+)?$/, ' FOR UPDATE SKIP LOCKED)$1');
}

/**
 * What a connection begins with. Whatever the server's own settings are, a commit is on its disk when it is acknowledged, and
 * transactions that ask for nothing else see what is committed. Of the search path `$1` is the schema, '' where none is named. It
 * answers whether the server takes writes.
 */
export const PREPARE_CONNECTION =
  "SELECT set_config('statement_timeout', $2, false), set_config('lock_timeout', $3, false), " +
  "set_config('idle_in_transaction_session_timeout', $4, false), " +
  "set_config('default_transaction_isolation', 'read committed', false), " +
  // Nothing here runs so long that to compile it, or to start further processes for it, is worth it. A search by an index
  // remembers rows, not pages of them: of these all are looked at.
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
 * For the statements of a migration. It waits for others for a moment only, since everybody who comes meanwhile waits behind it; what it
 * does itself takes as long as it takes.
 */
export const MIGRATING = [`SET LOCAL lock_timeout = ${LIMITS.migrationLock}`, 'SET LOCAL statement_timeout = 0'];

/** The columns of a table, none where the schema has no such table. */
export function columnsOf(table: string): string {
  return (
    'SELECT column_name AS name FROM information_schema.columns ' +
    `WHERE table_schema = current_schema() AND table_name = '${table}'`
  );
}

/** About how many rows a table has, as the server last looked; less than 0 where it never did. */
export const ESTIMATED_ROWS =
  'SELECT c.reltuples::bigint AS rows FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace ' +
  'WHERE c.relname = $1 AND n.nspname = current_schema()';

export function countingRows(table: string): string {
  return `SELECT count(*) AS rows FROM "${table}"`;
}

/** A row where the schema has the table. */
export function tableThere(name: string): string {
  return `SELECT 1 AS there FROM information_schema.tables WHERE table_schema = current_schema() AND table_name = '${name}'`;
}

/** How a table is filled is what the server plans by: it looks at once, and not when it comes to it. */
export function analyzing(table: string): string {
  return `ANALYZE "${table}"`;
}

/** JSON text with what jsonb refuses put out of the way: NUL and lone surrogates, which only escapes can say. */
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
