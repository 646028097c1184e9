import type { Reader } from '../engine/engine.js';
import type { Parameter, Statement } from '../engine/operation.js';
import { Gatherer } from './gatherer.js';
import type { Pool } from './pool.js';
import { POSTGRESQL } from './postgresql-dialect.js';
import { hostErrorOf, isConnectionLost } from './postgresql-error.js';

type Rows = readonly Record<string, unknown>[];

interface PendingRead {
  readonly statement: Statement;
  readonly resolve: (rows: Rows) => void;
  readonly reject: (error: unknown) => void;
}

/** Reads of single rows are sent together, because they are fast. Each read of several rows uses a connection alone. */
export class PostgresqlReader implements Reader {
  readonly dialect = POSTGRESQL;
  readonly isShared = true;
  readonly #pool: Pool;
  readonly #gatherer: Gatherer<PendingRead>;

  constructor(pool: Pool, options: { readonly atOnce: number; readonly together?: number }) {
    this.#pool = pool;
    this.#gatherer = new Gatherer<PendingRead>((readings) => this.#readBatch(readings), options);
  }

  async get<Row>(sql: string, ...parameters: Parameter[]): Promise<Row | undefined> {
    // No stored text contains NUL, and the server does not accept it.
    if (parameters.some(hasNul)) return undefined;
    const [row] = await new Promise<Rows>((resolve, reject) => {
      this.#gatherer.add({ statement: { answer: 'row', sql, parameters }, resolve, reject });
    });
    return row as Row | undefined;
  }

  async all<Row>(sql: string, ...parameters: Parameter[]): Promise<readonly Row[]> {
    if (parameters.some(hasNul)) return [];
    return (await this.#read({ answer: 'rows', sql, parameters })) as readonly Row[];
  }

  async #readBatch(reads: readonly PendingRead[]): Promise<void> {
    const [first] = reads;
    if (reads.length === 1 && first !== undefined) {
      await this.#read(first.statement).then(first.resolve, first.reject);
      return;
    }
    try {
      const answers = await this.#send(reads.map(({ statement }) => statement));
      for (const [index, { resolve }] of reads.entries()) resolve(answers[index]?.rows ?? []);
    } catch {
      // One read may have failed for all, so run each alone.
      await Promise.all(reads.map(({ statement, resolve, reject }) => this.#read(statement).then(resolve, reject)));
    }
  }

  async #read(statement: Statement): Promise<Rows> {
    try {
      return await this.#attempt(statement);
    } catch (error) {
      throw hostErrorOf(error);
    }
  }

  /**
   * Reads rows. A connection may have been lost before, as after a restart of the server, so try once more on a new
   * one.
   */
  async #attempt(statement: Statement): Promise<Rows> {
    try {
      return (await this.#send([statement]))[0]?.rows ?? [];
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      return (await this.#send([statement]))[0]?.rows ?? [];
    }
  }

  async #send(statements: readonly Statement[]) {
    const session = await this.#pool.lease();
    try {
      return await session.send(statements);
    } finally {
      this.#pool.release(session);
    }
  }
}

function hasNul(parameter: Parameter): boolean {
  return typeof parameter === 'string' && parameter.includes('\0');
}
