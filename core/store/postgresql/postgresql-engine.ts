import type { Engine } from '../engine/engine.js';
import type { Pool } from './pool.js';
import { PostgresqlReader } from './reader.js';
import type { Session } from './session.js';
import { indexUsers } from './user-index.js';
import { PostgresqlWriter } from './writer.js';

/** Options for benchmarks; a host never sets them. */
export interface EngineOptions {
  /** Most statements that go to the server together; 1: none. */
  readonly together?: number;
}

/** Reads and writes a PostgreSQL database through one pool. */
export class PostgresqlEngine implements Engine {
  readonly reader: PostgresqlReader;
  readonly writer: PostgresqlWriter;
  readonly #pool: Pool;
  readonly #alone: () => Promise<Session>;

  /** @param alone a connection besides those of the pool */
  constructor(pool: Pool, poolSize: number, alone: () => Promise<Session>, options: EngineOptions = {}) {
    // Groups use a part of the connections, and leave the others to single operations.
    const atOnce = options.together === 1 ? poolSize : Math.max(1, Math.floor(poolSize / 3));
    this.#pool = pool;
    this.#alone = alone;
    this.reader = new PostgresqlReader(pool, { atOnce, ...options });
    this.writer = new PostgresqlWriter(pool, { atOnce, ...options });
  }

  indexUsers(signal?: AbortSignal): Promise<boolean> {
    return indexUsers(this.#alone, signal);
  }

  async close(): Promise<void> {
    await this.writer.drain();
    await this.#pool.close();
  }
}
