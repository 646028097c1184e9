import type { Engine } from '../engine/engine.js';
import type { Pool } from './pool.js';
import { PostgresqlReader } from './reader.js';
import type { Session } from './session.js';
import { indexUsers } from './user-index.js';
import { PostgresqlWriter } from './writer.js';

/** Options for benchmarks. A host does not set them. */
export interface EngineOptions {
  /** Maximum number of statements that are sent together; 1 to send each alone. */
  readonly together?: number;
}

/** Reads and writes a PostgreSQL database through a pool of connections. */
export class PostgresqlEngine implements Engine {
  readonly reader: PostgresqlReader;
  readonly writer: PostgresqlWriter;
  readonly #pool: Pool;
  readonly #openSession: () => Promise<Session>;

  /** @param openSession opens a connection outside the pool */
  constructor(pool: Pool, poolSize: number, openSession: () => Promise<Session>, options: EngineOptions = {}) {
    // Groups use only a part of the connections, and leave the others to single operations.
    const atOnce = options.together === 1 ? poolSize : Math.max(1, Math.floor(poolSize / 3));
    this.#pool = pool;
    this.#openSession = openSession;
    this.reader = new PostgresqlReader(pool, { atOnce, ...options });
    this.writer = new PostgresqlWriter(pool, { atOnce, ...options });
  }

  indexUsers(signal?: AbortSignal): Promise<boolean> {
    return indexUsers(this.#openSession, signal);
  }

  async close(): Promise<void> {
    await this.writer.drain();
    await this.#pool.close();
  }
}
