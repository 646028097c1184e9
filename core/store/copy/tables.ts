import type { Statement } from '../engine/operation.js';
import type { Connection } from '../sqlite/connection.js';
import { openMemoryDatabase } from '../sqlite/open-database.js';

/** A value as both engines have it. */
export type Value = string | number | null;
/** By the names of its columns. */
export type Row = Readonly<Record<string, Value>>;

export interface Column {
  readonly name: string;
  readonly kind: 'text' | 'integer';
}

/** A table of records. */
export interface Table {
  readonly name: string;
  /** In the order of their names: engines have them in orders of their own. */
  readonly columns: readonly Column[];
  /** The columns of its primary key, in its order. */
  readonly key: readonly string[];
}

/** Tables about the store itself. Each engine writes them when it creates a store. */
export const ABOUT_THE_STORE = ['schema_migrations', 'schema_lock', 'store_copy'];
/** Tables of SQLite's user searches. Its triggers fill them from the copied rows. */
const OF_SEARCHES = /^users_search/;

/**
 * The tables of records, read from a database with all migrations applied, so that none is forgotten. Tables that an
 * operator added are not among them.
 */
export function recordTables(): readonly Table[] {
  const db = openMemoryDatabase(0);
  try {
    return tablesOf(db).filter(({ name }) => !ABOUT_THE_STORE.includes(name));
  } finally {
    db.close();
  }
}

function tablesOf(db: Connection): readonly Table[] {
  const names = db.all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
  );
  return names
    .filter(({ name }) => !OF_SEARCHES.test(name))
    .map(({ name }) => {
      const columns = db.all<{ name: string; type: string; pk: number }>(
        'SELECT name, type, pk FROM pragma_table_info($1) ORDER BY name',
        name,
      );
      const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
      return {
        name,
        columns: columns.map((column) => ({ name: column.name, kind: kindOf(name, column) })),
        key: key.map((column) => column.name),
      };
    });
}

function kindOf(table: string, { name, type }: { name: string; type: string }): Column['kind'] {
  if (type === 'TEXT') return 'text';
  if (type === 'BIGINT') return 'integer';
  throw new Error(`${table}.${name} is ${type}: say in core/store/copy how engines exchange that`);
}

/** The rows behind a key, in the order of keys. @param after the key of the last row before them; all without it */
export function pageOf({ name, columns, key }: Table, after: readonly Value[] | undefined, limit: number): Statement {
  const names = columns.map((column) => quoted(column.name)).join(', ');
  const ordered = key.map(quoted).join(', ');
  const beyond =
    after === undefined ? '' : ` WHERE (${ordered}) > (${key.map((_, index) => `$${index + 2}`).join(', ')})`;
  return {
    answer: 'rows',
    sql: `SELECT ${names} FROM ${quoted(name)}${beyond} ORDER BY ${ordered} LIMIT $1`,
    parameters: [limit, ...(after ?? [])],
  };
}

export function keyOf({ key }: Table, row: Row): readonly Value[] {
  return key.map((name) => row[name] ?? null);
}

export function countOf({ name }: Table): Statement {
  return { answer: 'row', sql: `SELECT count(*) AS rows FROM ${quoted(name)}`, parameters: [] };
}

/** Rows that are written by one statement: it is planned once, and servers take them faster than one by one. */
const WRITTEN_TOGETHER = 50;

export function* inserting(table: Table, rows: readonly Row[]): Generator<Statement> {
  const whole = rows.length - (rows.length % WRITTEN_TOGETHER);
  for (let first = 0; first < whole; first += WRITTEN_TOGETHER) {
    yield insertingSome(table, rows.slice(first, first + WRITTEN_TOGETHER));
  }
  for (const row of rows.slice(whole)) yield insertingSome(table, [row]);
}

function insertingSome({ name, columns }: Table, rows: readonly Row[]): Statement {
  const names = columns.map((column) => quoted(column.name)).join(', ');
  let next = 1;
  const values = rows.map(() => `(${columns.map(() => `$${next++}`).join(', ')})`).join(', ');
  return {
    answer: 'changed',
    sql: `INSERT INTO ${quoted(name)} (${names}) VALUES ${values}`,
    parameters: rows.flatMap((row) => columns.map((column) => row[column.name])),
  };
}

/** Removes the rows that migrations have put into a table. */
export function emptying({ name }: Table): string {
  return `DELETE FROM ${quoted(name)}`;
}

function quoted(name: string): string {
  return `"${name}"`;
}
