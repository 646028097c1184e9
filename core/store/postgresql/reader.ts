import type { Reader } from '../engine/engine.js';
import type { Parameter, Statement } from '../engine/operation.js';
import { Gatherer } from './gatherer.js';
import type { Pool } from './pool.js';
import { POSTGRESQL } from './postgresql-dialect.js';
import { hostErrorOf, isLost } from './postgresql-error.js';

type Rows = readonly Record<string, unknown>[];

interface Reading {
  readonly statement: Statement;
  readonly resolve: (rows: Rows) => void;
  readonly reject: (error: unknown) => void;
}

/** Reads of one row go together, as they are quick; each read of several rows has a connection of its own meanwhile. */
export class PostgresqlReader implements Reader {
  readonly dialect = POSTGRESQL;
  readonly isShared = true;
  readonly #pool: Pool;
  readonly #together: Gatherer<Reading>;

  constructor(pool: Pool, options: { readonly atOnce: number; readonly together?: number }) {
    this.#pool = pool;
    this.#together = new Gatherer<Reading>((readings) => this.#readTogether(readings), options);
  }

  async get<Row>(sql: string, ...parameters: Parameter[]): Promise<Row | undefined> {
    // No text of the database has a NUL, and the server takes none.
    if (parameters.some(hasNul)) return undefined;
    const [row] = await new Promise<Rows>((resolve, reject) => {
      this.#together.add({ statement: { answer: 'row', sql, parameters }, resolve, reject });
    });
    return row as Row | undefined;
  }

  async all<Row>(sql: string, ...parameters: Parameter[]): Promise<readonly Row[]> {
    if (parameters.some(hasNul)) return [];
    return (await this.#read({ answer: 'rows', sql, parameters })) as readonly Row[];
  }

  async #readTogether(readings: readonly Reading[]): Promise<void> {
    const [only] = readings;
    if (readings.length === 1 && only !== undefined) {
      await this.#read(only.statement).then(only.resolve, only.reject);
      return;
    }
    try {
      const answers = await this.#send(readings.map(({ statement }) => statement));
      for (const [index, { resolve }] of readings.entries()) resolve(answers[index]?.rows ?? []);
    } catch {
      // One of them may have failed for all: run each alone to find out.
      await Promise.all(readings.map(({ statement, resolve, reject }) => this.#read(statement).then(resolve, reject)));
    }
  }

  async #read(statement: Statement): Promise<Rows> {
    try {
      return await this.#attempt(statement);
    } catch (error) {
      throw hostErrorOf(error);
    }
  }

  /** A lost connection may be an old one, as after a restart of the server: try once more on a new one. */
  async #attempt(statement: Statement): Promise<Rows> {
    try {
      return (await this.#send([statement]))[0]?.rows ?? [];
    } catch (error) {
      if (!isLost(error)) throw error;
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
