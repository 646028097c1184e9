import type { Connection, Submittable } from 'pg';

/** A statement that the server has prepared under a name, or that is prepared each time if the name is empty. */
export interface PreparedStatement {
  readonly name: string;
  readonly sql: string;
  isParsed: boolean;
  /** The columns of its rows; undefined before its first answer. */
  columns: readonly Column[] | undefined;
}

interface Column {
  readonly name: string;
  readonly isNumber: boolean;
}

export interface BatchItem {
  readonly prepared: PreparedStatement;
  readonly values: readonly (string | null)[];
}

export interface Answer {
  readonly rows: readonly Record<string, unknown>[];
  /** The server's command tag, such as `INSERT 0 1` or `COMMIT`. */
  readonly tag: string;
}

/** The types that are read as numbers: bigint, integer, smallint. Times and counts are far below 2^53. */
const NUMBER_TYPES = new Set([20, 23, 21]);

/** The methods that `pg` gives to a custom query. Its types omit them. */
interface MessageMethods {
  readonly stream: { cork(): void; uncork(): void };
  parse(query: { name: string; text: string }): void;
  bind(config: { portal: string; statement: string; values: readonly (string | null)[] }): void;
  describe(message: { type: 'P'; name: string }): void;
  execute(config: { portal: string; rows: number }): void;
  sync(): void;
}

/**
 * Statements that are sent in one message and answered together. An error ends the batch, and later statements are not
 * run. Without BEGIN and COMMIT, PostgreSQL runs them as one transaction.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY
 */
export class Batch implements Submittable {
  readonly answers: Promise<readonly Answer[]>;
  readonly #items: readonly BatchItem[];
  readonly #answered: Answer[] = [];
  /** The statements that the server has not yet confirmed as prepared, in order. */
  readonly #parsing: PreparedStatement[] = [];
  #rows: Record<string, unknown>[] = [];
  #resolve!: (answers: readonly Answer[]) => void;
  #reject!: (error: unknown) => void;

  constructor(items: readonly BatchItem[]) {
    this.#items = items;
    this.answers = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: Connection): void {
    const messages = connection as unknown as MessageMethods;
    const { stream } = messages;
    stream.cork();
    for (const { prepared, values } of this.#items) {
      if (!prepared.isParsed) {
        messages.parse({ name: prepared.name, text: prepared.sql });
        // Assume success until an error arrives, because the same statement may follow in this batch.
        prepared.isParsed = prepared.name !== '';
        this.#parsing.push(prepared);
      }
      messages.bind({ portal: '', statement: prepared.name, values });
      if (prepared.columns === undefined) messages.describe({ type: 'P', name: '' });
      messages.execute({ portal: '', rows: 0 });
    }
    messages.sync();
    stream.uncork();
  }

  handleParseComplete(): void {
    this.#parsing.shift();
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    const { prepared } = this.#items[this.#answered.length] as BatchItem;
    prepared.columns = fields.map(({ name, dataTypeID }) => ({ name, isNumber: NUMBER_TYPES.has(dataTypeID) }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const { columns = [] } = (this.#items[this.#answered.length] as BatchItem).prepared;
    const row: Record<string, unknown> = {};
    for (const [index, { name, isNumber }] of columns.entries()) {
      const field = fields[index] ?? null;
      row[name] = isNumber && field !== null ? Number(field) : field;
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { prepared } = this.#items[this.#answered.length] as BatchItem;
    prepared.columns ??= [];
    this.#answered.push({ rows: this.#rows, tag: text });
    this.#rows = [];
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#answered);
  }

  handleError(error: unknown): void {
    for (const prepared of this.#parsing) prepared.isParsed = false;
    this.#reject(error);
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handlePortalSuspended(): void {}

  handleCopyInResponse(): void {}

  handleCopyData(): void {}
}

/** Returns the number of rows that a statement has written, by the server's command tag; 0 for a select. */
export function rowsWritten({ tag }: Answer): number {
  return tag.startsWith('SELECT') ? 0 : Number(/ (\d+)$/.exec(tag)?.[1] ?? 0);
}
