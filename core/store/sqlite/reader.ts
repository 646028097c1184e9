import type { Reader } from '../engine/engine.js';
import type { Parameter } from '../engine/operation.js';
import { storeUnavailableError, toHostError } from '../engine/store-error.js';
import type { Connection } from './connection.js';
import { SQLITE } from './sqlite-dialect.js';
import { toSerializedError } from './sqlite-error.js';

/** Reads synchronously, on the calling thread. */
export class SqliteReader implements Reader {
  readonly dialect = SQLITE;
  readonly isShared: boolean;
  #db: Connection | undefined;

  /** @param isShared true if several hosts use it, which is only possible in memory */
  constructor(db: Connection, isShared = false) {
    this.isShared = isShared;
    this.#db = db;
  }

  /**
   * Returns the first row.
   * @throws HostError `store_unavailable` (503)
   */
  get<Row>(sql: string, ...parameters: Parameter[]): Row | undefined {
    const db = this.#requireOpen();
    try {
      return db.get<Row>(sql, ...parameters);
    } catch (error) {
      throw toHostError(toSerializedError(error), error);
    }
  }

  /**
   * Returns all rows.
   * @throws HostError `store_unavailable` (503)
   */
  all<Row>(sql: string, ...parameters: Parameter[]): Row[] {
    const db = this.#requireOpen();
    try {
      return db.all<Row>(sql, ...parameters);
    } catch (error) {
      throw toHostError(toSerializedError(error), error);
    }
  }

  close(): void {
    this.#db?.close();
    this.#db = undefined;
  }

  #requireOpen(): Connection {
    if (this.#db === undefined) throw storeUnavailableError('it is closed');
    return this.#db;
  }
}
