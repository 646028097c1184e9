import { readFileSync } from 'node:fs';
import { describeMistakes } from './data-mistakes.js';
import { fillDefaultsAndCheck, type Shape } from './fill-defaults.js';

/** A stored book. The price is a 32-bit float, as on the wire. */
export interface Book {
  readonly book_id: number;
  readonly title: string;
  readonly price: number;
  readonly pages: number;
  readonly author_id: number;
}

export interface Author {
  readonly author_id: number;
  readonly first_name: string;
  readonly last_name: string;
  readonly gender: string;
  readonly book_id: number;
}

/** The stored authors and books, in the order of the file. */
export interface BookData {
  readonly authors: readonly Author[];
  readonly books: readonly Book[];
  /** The first author with each ID. */
  readonly authorById: ReadonlyMap<number, Author>;
  readonly booksByAuthor: ReadonlyMap<number, readonly Book[]>;
}

/** The data file in the package. */
export const SHIPPED_DATA = new URL('../data/books.json', import.meta.url);

const int32: Shape = { type: 'integer', minimum: -2147483648, maximum: 2147483647, default: 0 };
const text: Shape = { type: 'string', default: '' };
/** The largest 32-bit float, a little rounded up as JSON writes it. */
const FLOAT_MAX = 3.4028235e38;

const list = (properties: Record<string, Shape>): Shape => ({
  type: 'array',
  items: { type: 'object', properties, additionalProperties: false },
});

const SCHEMA: Shape = {
  type: 'object',
  properties: {
    $schema: { type: 'string' },
    authors: list({ author_id: int32, first_name: text, last_name: text, gender: text, book_id: int32 }),
    books: list({
      book_id: int32,
      title: text,
      price: { type: 'number', minimum: -FLOAT_MAX, maximum: FLOAT_MAX, default: 0 },
      pages: int32,
      author_id: int32,
    }),
  },
  required: ['authors', 'books'],
  additionalProperties: false,
};

/** The problems of a data file, each on a line of its own, as `file:line:column path: message`. */
export class DataFileError extends Error {
  override readonly name = 'DataFileError';
}

/** @throws DataFileError */
export function readBookData(file: string | URL): BookData {
  const name = typeof file === 'string' ? file : file.pathname;
  let json: string;
  try {
    json = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const reason =
      code === 'ENOENT'
        ? 'file not found'
        : code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
          ? 'it is not UTF-8'
          : String(cause);
    throw new DataFileError(`${name}: ${reason}`, { cause });
  }
  const value = parsed(json);
  if (!fillDefaultsAndCheck(value, SCHEMA)) throw new DataFileError(describeMistakes(json, name, SCHEMA));
  const { authors, books } = value as { authors: Author[]; books: Book[] };
  return index(authors, books);
}

/** Returns undefined for text that is not JSON, which no data file can be. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function index(authors: readonly Author[], stored: readonly Book[]): BookData {
  // Round to 32-bit floats, so that stored prices compare equal to those from the wire.
  const books = stored.map((book) => Object.freeze({ ...book, price: Math.fround(book.price) }));
  const authorById = new Map<number, Author>();
  for (const author of authors) if (!authorById.has(author.author_id)) authorById.set(author.author_id, author);
  const booksByAuthor = new Map<number, Book[]>();
  for (const book of books) {
    const others = booksByAuthor.get(book.author_id);
    if (others === undefined) booksByAuthor.set(book.author_id, [book]);
    else others.push(book);
  }
  return { authors, books, authorById, booksByAuthor };
}
