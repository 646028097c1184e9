import type { Parameter } from '../engine/operation.js';
import type { SqliteDatabase, SqliteStatement, SqlValue } from './driver.js';

/**
 * Maximum number of cached statements per connection. The store has fewer, so only those of unusual filters are
 * prepared again.
 */
const MAX_CACHED_STATEMENTS = 500;

interface PreparedStatement {
  readonly statement: SqliteStatement;
  /** The parameter index of each placeholder; undefined if the parameters are in order. */
  readonly order: readonly number[] | undefined;
}

/**
 * An SQLite connection with its prepared statements. SQL has PostgreSQL's placeholders `$1`, `$2`, … and is prepared
 * once. It refers to the database itself, because a statement alone would not keep it open.
 */
export class Connection {
  readonly #database: SqliteDatabase;
  readonly #prepared = new Map<string, PreparedStatement>();

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

  /**
   * Runs a statement.
   * @returns the number of rows that it changed
   */
  run(sql: string, ...parameters: Parameter[]): number {
    const { statement, order } = this.#prepare(sql);
    return Number(statement.run(...bind(parameters, order)).changes);
  }

  /** Runs statements without parameters and results. They are not cached. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /**
   * Closes the connection. On Node 20 the file stays open until the prepared statements are garbage-collected, because
   * `@photostructure/sqlite` does not end them. So the write-ahead log must be emptied explicitly before, and not by
   * the last connection that is closed.
   */
  close(): void {
    this.#prepared.clear();
    this.#database.close();
  }

  #prepare(sql: string): PreparedStatement {
    let prepared = this.#prepared.get(sql);
    if (prepared === undefined) {
      const order: number[] = [];
      const text = sql.replace(/\$(\d+)/g, (_, number: string) => {
        order.push(Number(number) - 1);
        return '?';
      });
      const inOrder = order.every((argument, index) => argument === index);
      prepared = { statement: this.#database.prepare(text), order: inOrder ? undefined : order };
      const [oldest] = this.#prepared.size < MAX_CACHED_STATEMENTS ? [] : this.#prepared.keys();
      if (oldest !== undefined) this.#prepared.delete(oldest);
      this.#prepared.set(sql, prepared);
    }
    return prepared;
  }
}

/**
 * Puts the parameters in order. The driver of Node 20 cuts off a text at NUL, so that two keys could become one. U+FFFD
 * replaces it, as in PostgreSQL.
 */
function bind(parameters: Parameter[], order: readonly number[] | undefined): SqlValue[] {
  for (let i = 0; i < parameters.length; i++) {
    const parameter = parameters[i] ?? null;
    parameters[i] =
      typeof parameter === 'string' && parameter.includes('\0') ? parameter.replaceAll('\0', '\ufffd') : parameter;
  }
  if (order !== undefined) return order.map((index) => parameters[index] ?? null);
  return parameters as SqlValue[];
}
