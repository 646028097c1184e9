import { errorOf, failureOf, storeUnavailable } from '../engine/store-error.js';
import type { Connection, Parameter } from './connection.js';

/** The reading side: sees everything that was acknowledged before. */
export class Reader {
  #db: Connection | undefined;

  constructor(db: Connection) {
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
