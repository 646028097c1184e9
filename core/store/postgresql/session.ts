import type { Client } from 'pg';
import type { Parameter, Statement } from '../engine/operation.js';
import { errorOf } from '../engine/store-error.js';
import { type Answer, Batch, type Prepared } from './batch.js';
import { LIMITS } from './limits.js';
import { locking, skippingLocked } from './postgresql-dialect.js';
import { isLost } from './postgresql-error.js';

/**
 * Maximum number of named statements: more than the store has, so that only those of unusual filters are prepared each
 * time.
 */
const NAMED_STATEMENTS = 500;

/** Names that all connections give to statements, so that the statistics of the server show each one once. */
export class StatementNames {
  readonly #names = new Map<string, string>();

  /** @returns '' for a statement that is not worth a name */
  of(sql: string): string {
    const known = this.#names.get(sql);
    if (known !== undefined) return known;
    if (this.#names.size >= NAMED_STATEMENTS) return '';
    const name = `keyhost_${this.#names.size + 1}`;
    this.#names.set(sql, name);
    return name;
  }
}

/** One connection. It carries one batch at a time. */
export class Session {
  readonly #client: Client;
  readonly #names: StatementNames;
  readonly #prepared = new Map<string, Prepared>();
  #batch: Batch | undefined;
  #isBroken = false;
  #sentAt = 0;
  /** Set by who sends statements that go through whole tables. */
  mayTakeLong = false;

  constructor(client: Client, names: StatementNames) {
    this.#client = client;
    this.#names = names;
    // Callers that wait for an answer get the error itself.
    client.on('error', () => this.#break());
    client.on('end', () => this.#break());
    client.connection.on('parseComplete', () => this.#batch?.handleParseComplete());
  }

  /** Nothing can be sent any more. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Since when an answer is waited for, in milliseconds of `performance.now()`; undefined when none is. */
  get waitingSince(): number | undefined {
    return this.#batch === undefined ? undefined : this.#sentAt;
  }

  /**
   * Sends statements together.
   * @throws errors of the server or the network, see postgresql-error.ts; HostError `store_error` for a value that
   * cannot be stored
   */
  async send(statements: readonly (Statement | string)[]): Promise<readonly Answer[]> {
    const batch = new Batch(
      statements.map((statement) =>
        typeof statement === 'string'
          ? { prepared: this.#prepare(statement), values: [] }
          : {
              prepared: this.#prepare(sqlOf(statement)),
              values: statement.parameters.map(textOf),
            },
      ),
    );
    this.#batch = batch;
    this.#sentAt = performance.now();
    try {
      this.#client.query(batch);
      return await batch.answers;
    } catch (error) {
      if (isLost(error)) this.#break();
      throw error;
    } finally {
      this.#batch = undefined;
    }
  }

  /** Closes the connection; a batch in flight is answered before. */
  async end(): Promise<void> {
    this.#isBroken = true;
    // If the network is down, the server never closes it.
    const late = setTimeout(() => this.destroy('it did not end in time'), LIMITS.end);
    await this.#client.end().catch(() => undefined);
    clearTimeout(late);
  }

  /** Ends the connection as it is: the server, or the network, does not answer. */
  destroy(reason: string): void {
    this.#isBroken = true;
    this.#client.connection.stream.destroy(new Error(reason));
  }

  #break(): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.#client.connection.stream.destroy();
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const prepared: Prepared = { name: this.#names.of(sql), sql, isParsed: false, columns: undefined };
    if (prepared.name !== '') this.#prepared.set(sql, prepared);
    return prepared;
  }
}

function sqlOf({ sql, locks, skipsLocked }: Statement): string {
  if (locks === true) return locking(sql);
  return skipsLocked === true ? skippingLocked(sql) : sql;
}

/** The server accepts no NUL in a text, so the replacement character takes its place. */
function textOf(parameter: Parameter): string | null {
  if (typeof parameter === 'string') return parameter.includes('\0') ? parameter.replaceAll('\0', '\ufffd') : parameter;
  if (parameter === undefined || parameter === null) return null;
  if (typeof parameter === 'number') return String(parameter);
  throw errorOf({ code: 'store_error', message: `a ${typeof parameter} cannot be stored`, status: 500 });
}
