import type { Statement } from '../engine/operation.js';
import type { Connection } from '../sqlite/connection.js';
import { openMemoryDatabase } from '../sqlite/open-database.js';

/** A value, as both engines return it. */
export type Value = string | number | null;
/** The values of a row, by column name. */
export type Row = Readonly<Record<string, Value>>;

export interface Column {
  readonly name: string;
  readonly kind: 'text' | 'integer';
}

/** A table of records. */
export interface Table {
  readonly name: string;
  /** The columns, sorted by name, because each engine returns them in a different order. */
  readonly columns: readonly Column[];
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
}

/**
 * Tables about the store itself, which are not copied. `store_copy` exists only during a copy, `schema_lock` only on
 * PostgreSQL.
 */
export const INTERNAL_TABLES = ['schema_migrations', 'schema_lock', 'store_copy'];
/** Tables for SQLite's user searches. Triggers fill them from the copied rows. */
const SEARCH_TABLE = /^users_search/;

/**
 * Returns the tables with records. They are read from a new database with all migrations applied, so that none is
 * missing. Tables that an operator has added are not included.
 */
export function recordTables(): readonly Table[] {
  const db = openMemoryDatabase(0);
  try {
    return tablesOf(db).filter(({ name }) => !INTERNAL_TABLES.includes(name));
  } finally {
    db.close();
  }
}

function tablesOf(db: Connection): readonly Table[] {
  const names = db.all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
  );
  return names
    .filter(({ name }) => !SEARCH_TABLE.test(name))
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

/**
 * Returns the statement that reads a page of rows in the order of their keys.
 * @param after the key of the last row of the previous page; undefined for the first page
 */
export function selectPage(
  { name, columns, key }: Table,
  after: readonly Value[] | undefined,
  limit: number,
): Statement {
  const names = columns.map((column) => quote(column.name)).join(', ');
  const ordered = key.map(quote).join(', ');
  const condition =
    after === undefined ? '' : ` WHERE (${ordered}) > (${key.map((_, index) => `$${index + 2}`).join(', ')})`;
  return {
    answer: 'rows',
    sql: `SELECT ${names} FROM ${quote(name)}${condition} ORDER BY ${ordered} LIMIT $1`,
    parameters: [limit, ...(after ?? [])],
  };
}

export function keyOf({ key }: Table, row: Row): readonly Value[] {
  return key.map((name) => row[name] ?? null);
}

export function selectCount({ name }: Table): Statement {
  return { answer: 'row', sql: `SELECT count(*) AS rows FROM ${quote(name)}`, parameters: [] };
}

/**
 * Number of rows for each INSERT statement. The database parses and plans a statement once, so this is faster than one
 * statement for each row.
 */
const ROWS_PER_INSERT = 50;

export function* insertStatements(table: Table, rows: readonly Row[]): Generator<Statement> {
  const groupedRows = rows.length - (rows.length % ROWS_PER_INSERT);
  for (let first = 0; first < groupedRows; first += ROWS_PER_INSERT) {
    yield insertStatement(table, rows.slice(first, first + ROWS_PER_INSERT));
  }
  for (const row of rows.slice(groupedRows)) yield insertStatement(table, [row]);
}

function insertStatement({ name, columns }: Table, rows: readonly Row[]): Statement {
  const names = columns.map((column) => quote(column.name)).join(', ');
  let next = 1;
  const values = rows.map(() => `(${columns.map(() => `$${next++}`).join(', ')})`).join(', ');
  return {
    answer: 'changed',
    sql: `INSERT INTO ${quote(name)} (${names}) VALUES ${values}`,
    parameters: rows.flatMap((row) => columns.map((column) => row[column.name])),
  };
}

/** Returns the statement that deletes the rows that migrations have inserted into a table. */
export function deleteAllSql({ name }: Table): string {
  return `DELETE FROM ${quote(name)}`;
}

function quote(name: string): string {
  return `"${name}"`;
}
