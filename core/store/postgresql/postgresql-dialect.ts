import type { Dialect } from '../engine/dialect.js';
import { LIMITS } from './limits.js';

/*
 * All SQL that is particular to PostgreSQL, and to those that speak like it. README.md says which of it they understand.
 */

export const BEGIN = 'BEGIN';
export const COMMIT = 'COMMIT';
export const ROLLBACK = 'ROLLBACK';
export const ALLOW_LONG_STATEMENTS = `SET LOCAL statement_timeout = ${LIMITS.longStatement}`;

/** Keeps a row that is read from others until the transaction ends. */
export function locking(select: string): string {
  return `${select} FOR UPDATE`;
}

/** A statement with a select in brackets at its end: what others keep is left out of that, and nobody is waited for. */
export function skippingLocked(statement: string): string {
  return statement.replace(/\)$/, ' FOR UPDATE SKIP LOCKED)');
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
  "set_config('synchronous_commit', CASE current_setting('synchronous_commit') " +
  "WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false), " +
  "set_config('search_path', CASE $1 WHEN '' THEN current_setting('search_path') ELSE quote_ident($1) END, false), " +
  "pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on' AS is_read_only";

/** Fails when the schema is not there, and answers NULL when the search path leads nowhere. */
export const CURRENT_SCHEMA = 'SELECT current_schema() AS name';

export const MIGRATION_TABLES = [
  'CREATE TABLE IF NOT EXISTS schema_migrations ' +
    '(version BIGINT NOT NULL PRIMARY KEY, checksum TEXT NOT NULL, applied_at BIGINT NOT NULL)',
  'CREATE TABLE IF NOT EXISTS schema_lock (id BIGINT NOT NULL PRIMARY KEY)',
  'INSERT INTO schema_lock (id) VALUES (1) ON CONFLICT (id) DO NOTHING',
];
/** Held by who brings the schema up to date, until its transaction ends: however that ends. */
export const MIGRATION_LOCK = locking('SELECT id FROM schema_lock WHERE id = 1');

/** JSON text with what jsonb refuses put out of the way: NUL and lone surrogates, which only escapes can say. */
function json(column: string): string {
  return `regexp_replace(${column}, '\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\\\ufffd', 'gi')::jsonb`;
}

/** https://www.postgresql.org/docs/current/functions-json.html */
export const POSTGRESQL: Dialect = {
  time: '(extract(epoch FROM clock_timestamp()) * 1000)::bigint',
  text: (column, ...path) => `(${json(column)} #>> '{${path.join(',')}}')`,
  isTrue: (column, member) => `CASE WHEN ${json(column)} -> '${member}' = 'true'::jsonb THEN 1 ELSE 0 END`,
  listHas: (column, member, name, value) =>
    `COALESCE((${json(column)} -> '${member}' -> ${name}::text) ? ${value}::text, false)`,
};
