import type { Reader } from '../engine/engine.js';
import type { Parameter } from '../engine/operation.js';
import { errorOf, storeUnavailable } from '../engine/store-error.js';
import type { Connection } from './connection.js';
import { SQLITE } from './sqlite-dialect.js';
import { failureOf } from './sqlite-error.js';

/** Reads on the calling thread, synchronously. */
export class SqliteReader implements Reader {
  readonly dialect = SQLITE;
  readonly isShared: boolean;
  #db: Connection | undefined;

  /** @param isShared One process owns a database; in memory, several hosts of it may have one. */
  constructor(db: Connection, isShared = false) {
    this.isShared = isShared;
    this.#db = db;
  }

  /** @throws HostError `store_unavailable` (503) */
  get<Row>(sql: string, ...parameters: Parameter[]): Row | undefined {
    const db = this.#open();
    try {
      return db.get<Row>(sql, ...parameters);
    } catch (error) {
      throw errorOf(failureOf(error), error);
    }
  }

  /** @throws HostError `store_unavailable` (503) */
  all<Row>(sql: string, ...parameters: Parameter[]): Row[] {
    const db = this.#open();
    try {
      return db.all<Row>(sql, ...parameters);
    } catch (error) {
      throw errorOf(failureOf(error), error);
    }
  }

  close(): void {
    this.#db?.close();
    this.#db = undefined;
  }

  #open(): Connection {
    if (this.#db === undefined) throw storeUnavailable('it is closed');
    return this.#db;
  }
}
