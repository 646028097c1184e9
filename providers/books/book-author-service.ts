import { GrpcError } from '@keyhost/spi';
import type { Author, Book, BookData } from './book-data.js';

/** The four calls of `com.devProblems.BookAuthorService`. It has no state between calls. */
export class BookAuthorService {
  readonly #data: () => BookData;
  readonly #maxResults: number;

  /** @param maxResults the maximum number of books that one getBooksByGender may collect */
  constructor(data: () => BookData, maxResults: number) {
    this.#data = data;
    this.#maxResults = maxResults;
  }

  /** The first stored author with that ID. If there is none, the call ends with OK and no message. */
  async getAuthor({ author_id }: Author): Promise<Author | undefined> {
    return this.#data().authorById.get(author_id);
  }

  async *getBooksByAuthor({ author_id }: Author): AsyncGenerator<Book> {
    yield* this.#booksOf(author_id);
  }

  /**
   * Starts at 0 and compares with “greater than”: the first of equal prices wins, and without a price above 0 the
   * answer is an empty Book.
   */
  async getExpensiveBook(books: AsyncIterable<Book>): Promise<Partial<Book>> {
    let dearest: Partial<Book> = {};
    let price = 0;
    for await (const book of books) {
      if (!(book.price > price)) continue;
      dearest = book;
      price = book.price;
    }
    return dearest;
  }

  /** Collects while the client sends, and answers once it has sent everything. */
  async *getBooksByGender(books: AsyncIterable<Book>): AsyncGenerator<Book> {
    const collected: (readonly Book[])[] = [];
    let count = 0;
    for await (const { author_id } of books) {
      const found = this.#booksOf(author_id);
      count += found.length;
      if (count > this.#maxResults) {
        throw new GrpcError('RESOURCE_EXHAUSTED', `The result would have more than ${this.#maxResults} books`);
      }
      // Lists are shared, not copied: a long request costs little more than its own length.
      if (found.length > 0) collected.push(found);
    }
    for (const found of collected) yield* found;
  }

  #booksOf(authorId: number): readonly Book[] {
    return this.#data().booksByAuthor.get(authorId) ?? [];
  }
}
