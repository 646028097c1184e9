import type { Parameter } from '../engine/operation.js';
import type { SqliteDatabase, SqliteStatement, SqlValue } from './driver.js';

/**
 * Cached statements per connection: more than the store has, so that only those of unusual filters are prepared again.
 */
const KEPT_STATEMENTS = 500;

interface Prepared {
  readonly statement: SqliteStatement;
  /** The parameter of each placeholder, if it is not simply the next one. */
  readonly order: readonly number[] | undefined;
}

/**
 * One SQLite connection with its prepared statements. SQL is written with PostgreSQL's `$1`, `$2`, … and prepared once.
 * Holds the database itself: a statement alone does not keep it open.
 */
export class Connection {
  readonly #database: SqliteDatabase;
  readonly #prepared = new Map<string, Prepared>();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  get<Row>(sql: string, ...parameters: Parameter[]): Row | undefined {
    const { statement, order } = this.#prepare(sql);
    return statement.get(...bind(parameters, order)) as Row | undefined;
  }

  all<Row>(sql: string, ...parameters: Parameter[]): Row[] {
    const { statement, order } = this.#prepare(sql);
    return statement.all(...bind(parameters, order)) as Row[];
  }

  /** @returns how many rows it changed */
  run(sql: string, ...parameters: Parameter[]): number {
    const { statement, order } = this.#prepare(sql);
    return Number(statement.run(...bind(parameters, order)).changes);
  }

  /** Runs statements without parameters or results; they are not cached. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /**
   * On Node 20 the file stays open until the prepared statements are collected: `@photostructure/sqlite` does not end
   * them. The write-ahead log is therefore emptied by the one who closes, not by the last connection.
   */
  close(): void {
    this.#prepared.clear();
    this.#database.close();
  }

  #prepare(sql: string): Prepared {
    let prepared = this.#prepared.get(sql);
    if (prepared === undefined) {
      const order: number[] = [];
      const text = sql.replace(/\$(\d+)/g, (_, number: string) => {
        order.push(Number(number) - 1);
        return '?';
      });
      const inOrder = order.every((argument, index) => argument === index);
      prepared = { statement: this.#database.prepare(text), order: inOrder ? undefined : order };
      const [oldest] = this.#prepared.size < KEPT_STATEMENTS ? [] : this.#prepared.keys();
      if (oldest !== undefined) this.#prepared.delete(oldest);
      this.#prepared.set(sql, prepared);
    }
    return prepared;
  }
}

/** The driver of Node 20 cuts a text at NUL, so two keys could become one. U+FFFD replaces it, as in PostgreSQL. */
function bind(parameters: Parameter[], order: readonly number[] | undefined): SqlValue[] {
  for (let i = 0; i < parameters.length; i++) {
    const parameter = parameters[i] ?? null;
    parameters[i] =
      typeof parameter === 'string' && parameter.includes('\0') ? parameter.replaceAll('\0', '\ufffd') : parameter;
  }
  if (order !== undefined) return order.map((index) => parameters[index] ?? null);
  return parameters as SqlValue[];
}
