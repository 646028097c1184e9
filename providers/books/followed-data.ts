import { unwatchFile, watchFile } from 'node:fs';
import type { Logger } from '@keyhost/spi';
import { type BookData, readBookData } from './book-data.js';

/** The interval at which the file is checked for changes, in milliseconds. */
const POLL_MS = 500;

/** The data of a file, read again after each edit. A file with mistakes is logged and changes nothing. */
export class FollowedData {
  readonly #file: string;
  readonly #logger: Logger;
  #current: BookData;

  /** @throws DataFileError */
  constructor(file: string, logger: Logger) {
    this.#file = file;
    this.#logger = logger;
    this.#current = readBookData(file);
    watchFile(file, { interval: POLL_MS, persistent: false }, this.#reload);
  }

  get current(): BookData {
    return this.#current;
  }

  close(): void {
    unwatchFile(this.#file, this.#reload);
  }

  readonly #reload = () => {
    try {
      this.#current = readBookData(this.#file);
    } catch (error) {
      this.#logger.error('the book data has mistakes, the previous data stays in use', {
        reason: (error as Error).message,
      });
      return;
    }
    const { authors, books } = this.#current;
    this.#logger.info('book data reloaded', { file: this.#file, authors: authors.length, books: books.length });
  };
}
