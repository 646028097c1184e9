import type { Connection, Submittable } from 'pg';

/** A statement that the server has prepared under a name, or prepares each time if the name is empty. */
export interface Prepared {
  readonly name: string;
  readonly sql: string;
  isParsed: boolean;
  /** Columns of its rows, known after its first answer. */
  columns: readonly Column[] | undefined;
}

interface Column {
  readonly name: string;
  readonly isNumber: boolean;
}

export interface BatchItem {
  readonly prepared: Prepared;
  readonly values: readonly (string | null)[];
}

export interface Answer {
  readonly rows: readonly Record<string, unknown>[];
  /** The server's command tag, such as `INSERT 0 1` or `COMMIT`. */
  readonly tag: string;
}

/** Numbers that are read as such: bigint, integer, smallint. Times and counts stay far below 2^53. */
const NUMBERS = new Set([20, 23, 21]);

/** The methods that `pg` gives to a custom query; its types omit them. */
interface Messages {
  readonly stream: { cork(): void; uncork(): void };
  parse(query: { name: string; text: string }): void;
  bind(config: { portal: string; statement: string; values: readonly (string | null)[] }): void;
  describe(message: { type: 'P'; name: string }): void;
  execute(config: { portal: string; rows: number }): void;
  sync(): void;
}

/**
 * Statements that are sent in one message and answered together. An error ends the batch, and later statements are not
 * begun. Without BEGIN and COMMIT, PostgreSQL runs them as one transaction.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY
 */
export class Batch implements Submittable {
  readonly answers: Promise<readonly Answer[]>;
  readonly #items: readonly BatchItem[];
  readonly #done: Answer[] = [];
  /** Statements that the server has not yet acknowledged as prepared, in order. */
  readonly #parsing: Prepared[] = [];
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
    const messages = connection as unknown as Messages;
    const { stream } = messages;
    stream.cork();
    for (const { prepared, values } of this.#items) {
      if (!prepared.isParsed) {
        messages.parse({ name: prepared.name, text: prepared.sql });
        // Assumed until an error arrives: the same statement may follow in this batch.
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
    const { prepared } = this.#items[this.#done.length] as BatchItem;
    prepared.columns = fields.map(({ name, dataTypeID }) => ({ name, isNumber: NUMBERS.has(dataTypeID) }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const { columns = [] } = (this.#items[this.#done.length] as BatchItem).prepared;
    const row: Record<string, unknown> = {};
    for (const [index, { name, isNumber }] of columns.entries()) {
      const field = fields[index] ?? null;
      row[name] = isNumber && field !== null ? Number(field) : field;
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { prepared } = this.#items[this.#done.length] as BatchItem;
    prepared.columns ??= [];
    this.#done.push({ rows: this.#rows, tag: text });
    this.#rows = [];
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#done);
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

/** How many rows a statement has written, by the server's words. Reading is none. */
export function rowsWritten({ tag }: Answer): number {
  return tag.startsWith('SELECT') ? 0 : Number(/ (\d+)$/.exec(tag)?.[1] ?? 0);
}
