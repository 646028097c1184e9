import type { Connection, Submittable } from 'pg';

/** A statement that the server has prepared under a name, or prepares anew each time where the name is empty. */
export interface Prepared {
  readonly name: string;
  readonly sql: string;
  isParsed: boolean;
  /** Of its rows, known after its first answer. */
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
  /** The words that the server says when it is done, such as `INSERT 0 1` and `COMMIT`. */
  readonly tag: string;
}

/** Numbers that are read as such: bigint, integer, smallint. Times and counts stay far below 2^53. */
const NUMBERS = new Set([20, 23, 21]);

/** What `pg` gives to a query of one's own; its types leave these out. */
interface Messages {
  readonly stream: { cork(): void; uncork(): void };
  parse(query: { name: string; text: string }): void;
  bind(config: { portal: string; statement: string; values: readonly (string | null)[] }): void;
  describe(message: { type: 'P'; name: string }): void;
  execute(config: { portal: string; rows: number }): void;
  sync(): void;
}

/**
 * Statements that go to the server in one message and come back in one: an error ends the batch, and what was not yet done of
 * it is not begun. Without BEGIN and COMMIT among them they are one transaction on PostgreSQL.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY
 */
export class Batch implements Submittable {
  readonly answers: Promise<readonly Answer[]>;
  readonly #items: readonly BatchItem[];
  readonly #done: Answer[] = [];
  /** Statements that the server is to prepare, in order, as far as it has not said that it has. */
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
        // Until an error says otherwise: the same one may follow in this batch.
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
