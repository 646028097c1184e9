import type { Engine } from '../engine/engine.js';
import type { SqliteReader } from './reader.js';
import type { SqliteWriter } from './writing/writer.js';

/** The reading and the writing side of an SQLite database. */
export class SqliteEngine implements Engine {
  readonly reader: SqliteReader;
  readonly writer: SqliteWriter;
  readonly #release: () => void;

  /** @param release called when everything is closed */
  constructor(reader: SqliteReader, writer: SqliteWriter, release: () => void = () => undefined) {
    this.reader = reader;
    this.writer = writer;
    this.#release = release;
  }

  indexUsers(): Promise<boolean> {
    return this.writer.call('users.index');
  }

  async close(): Promise<void> {
    await this.writer.drain();
    this.reader.close();
    await this.writer.close().finally(this.#release);
  }
}
