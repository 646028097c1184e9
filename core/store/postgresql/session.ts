import type { Client } from 'pg';
import type { Parameter, Statement } from '../engine/operation.js';
import { toHostError } from '../engine/store-error.js';
import { type Answer, Batch, type PreparedStatement } from './batch.js';
import { LIMITS } from './limits.js';
import { lockRows, skipLocked } from './postgresql-dialect.js';
import { isConnectionLost } from './postgresql-error.js';
import type { Timeline } from './timelines.js';

/** Maximum number of named statements. The store has fewer, so only those of unusual filters are prepared each time. */
const MAX_NAMED_STATEMENTS = 500;

/**
 * The names of statements. All connections use the same ones, so that the server's statistics show each statement once.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();

  /** Returns the name of a statement; '' if too many have names already. */
  nameOf(sql: string): string {
    const existing = this.#names.get(sql);
    if (existing !== undefined) return existing;
    if (this.#names.size >= MAX_NAMED_STATEMENTS) return '';
    const name = `keyhost_${this.#names.size + 1}`;
    this.#names.set(sql, name);
    return name;
  }
}

/** A connection. It sends one batch at a time. */
export class Session {
  readonly #client: Client;
  readonly #names: StatementNames;
  readonly #prepared = new Map<string, PreparedStatement>();
  #batch: Batch | undefined;
  #isBroken = false;
  #sentAt = 0;
  /** Undefined if the server does not provide it. */
  timeline: Timeline | undefined;
  /** Set by the caller if its statements read or write whole tables. */
  mayTakeLong = false;

  constructor(client: Client, names: StatementNames) {
    this.#client = client;
    this.#names = names;
    // Callers that wait for an answer get the error from their query.
    client.on('error', () => this.#break());
    client.on('end', () => this.#break());
    client.connection.on('parseComplete', () => this.#batch?.handleParseComplete());
  }

  /** True if nothing can be sent any more. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /**
   * The process ID that the server announced at the connection. A connection pooler announces a number of its own.
   */
  get announcedPid(): number {
    // The types of `pg` lack this member.
    return (this.#client as unknown as { processID: number }).processID;
  }

  /** When the current batch was sent, in milliseconds of `performance.now()`; undefined if there is none. */
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
              values: statement.parameters.map(toText),
            },
      ),
    );
    this.#batch = batch;
    this.#sentAt = performance.now();
    try {
      this.#client.query(batch);
      return await batch.answers;
    } catch (error) {
      if (isConnectionLost(error)) this.#break();
      throw error;
    } finally {
      this.#batch = undefined;
    }
  }

  /** Closes the connection, after the answer to a batch in flight. */
  async end(): Promise<void> {
    this.#isBroken = true;
    // If the network is down, the server never closes the connection.
    const timer = setTimeout(() => this.destroy('it did not end in time'), LIMITS.end);
    await this.#client.end().catch(() => undefined);
    clearTimeout(timer);
  }

  /** Closes the connection at once, because the server or the network does not respond. */
  destroy(reason: string): void {
    this.#isBroken = true;
    this.#client.connection.stream.destroy(new Error(reason));
  }

  #break(): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.#client.connection.stream.destroy();
  }

  #prepare(sql: string): PreparedStatement {
    const existing = this.#prepared.get(sql);
    if (existing !== undefined) return existing;
    const prepared: PreparedStatement = { name: this.#names.nameOf(sql), sql, isParsed: false, columns: undefined };
    if (prepared.name !== '') this.#prepared.set(sql, prepared);
    return prepared;
  }
}

function sqlOf({ sql, locks, skipsLocked }: Statement): string {
  if (locks === true) return lockRows(sql);
  return skipsLocked === true ? skipLocked(sql) : sql;
}

/** The server does not accept NUL in a text, so U+FFFD replaces it. */
function toText(parameter: Parameter): string | null {
  if (typeof parameter === 'string') return parameter.includes('\0') ? parameter.replaceAll('\0', '\ufffd') : parameter;
  if (parameter === undefined || parameter === null) return null;
  if (typeof parameter === 'number') return String(parameter);
  throw toHostError({ code: 'store_error', message: `a ${typeof parameter} cannot be stored`, status: 500 });
}
