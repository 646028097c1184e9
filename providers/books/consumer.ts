import { type DescMessage, fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import {
  Client,
  type ClientDuplexStream,
  type ClientReadableStream,
  type ClientWritableStream,
  credentials,
  Metadata,
  type ServiceError,
} from '@grpc/grpc-js';
import { type BookData, readBookData, SHIPPED_DATA } from './book-data.js';
import { AuthorType, allFields, BookType, type FieldMap, message } from './messages.js';

export { type BookData, DataFileError, readBookData, SHIPPED_DATA } from './book-data.js';
export { AuthorType, allFields, BookType, byName, type FieldMap, toObject } from './messages.js';

/** The one key of what getExpensiveBook returns. */
export const EXPENSIVE_BOOK = 'Expensive Book';

const SERVICE = '/com.devProblems.BookAuthorService';
/** The default timeout of a streaming call, in milliseconds. */
const WAIT_MS = 60_000;

export interface ConsumerOptions {
  /** `host:port`. Default: `127.0.0.1:9090`. */
  readonly address?: string;
  /** TLS: true for the authorities that Node trusts, or the PEM certificates of others. Default: none. */
  readonly tls?: boolean | Uint8Array;
  /** An access token, sent as `authorization: Bearer …`. */
  readonly token?: string;
  /** The stored authors and books. Default: those that come with the package. */
  readonly data?: BookData;
  /** The timeout of a streaming call, in milliseconds. Default: 60,000. */
  readonly waitMs?: number;
  /** Called with an error that ended a stream. The messages before it are returned anyway. */
  readonly onStreamError?: (error: ServiceError) => void;
}

/** The reference consumer of BookAuthorService: every answer as a map of field descriptor to value. */
export class BookAuthorConsumer {
  readonly #client: Client;
  readonly #data: BookData;
  readonly #waitMs: number;
  readonly #metadata = new Metadata();
  readonly #onStreamError: (error: ServiceError) => void;

  constructor({ address, tls, token, data, waitMs, onStreamError }: ConsumerOptions = {}) {
    const secured =
      tls === undefined || tls === false ? credentials.createInsecure() : credentials.createSsl(roots(tls));
    this.#client = new Client(address ?? '127.0.0.1:9090', secured);
    this.#data = data ?? readBookData(SHIPPED_DATA);
    this.#waitMs = waitMs ?? WAIT_MS;
    this.#onStreamError = onStreamError ?? (() => {});
    if (token !== undefined) this.#metadata.set('authorization', `Bearer ${token}`);
  }

  /**
   * The author with that ID; an empty map if there is none.
   * @throws ServiceError of grpc-js, also `DEADLINE_EXCEEDED` after the timeout
   */
  getAuthor(authorId: number): Promise<FieldMap> {
    // Read the answer as a stream of at most one message. For grpc-js, a unary call that ends with OK and no message is
    // an error.
    const call = this.#read('getAuthor', message(AuthorType, { author_id: authorId }), AuthorType, {
      deadline: Date.now() + this.#waitMs,
    });
    return new Promise((resolve, reject) => {
      let found: FieldMap = new Map();
      call.on('data', (author: Message) => {
        if (found.size === 0) found = allFields(AuthorType, author);
      });
      call.on('end', () => resolve(found));
      call.on('error', reject);
    });
  }

  /**
   * Returns every book of that author. If the call times out, the list is empty; after an error, it has the books so
   * far.
   */
  getBooksByAuthor(authorId: number): Promise<FieldMap[]> {
    return this.#collect(this.#read('getBooksByAuthor', message(AuthorType, { author_id: authorId }), BookType));
  }

  /**
   * Sends every stored book. Returns a map from `Expensive Book` to the fields of the most expensive book. If the call
   * times out, the map is empty; after an error, it has the answer so far.
   */
  async getExpensiveBook(): Promise<Map<typeof EXPENSIVE_BOOK, FieldMap>> {
    // Read the answer as a stream, which is the same on the wire. A call for a single answer would lose it if an error
    // follows.
    const call = this.#openStream('getExpensiveBook');
    void sendAll(
      call,
      this.#data.books.map((book) => message(BookType, { ...book })),
    );
    const book = (await this.#collect(call)).at(-1);
    return book === undefined ? new Map() : new Map([[EXPENSIVE_BOOK, book]]);
  }

  /**
   * The books of all stored authors of that gender, in any letter case. Times out and fails as getBooksByAuthor does.
   */
  getBooksByGender(gender: string): Promise<FieldMap[]> {
    const lowerCaseGender = gender.toLowerCase();
    const authors = this.#data.authors.filter((author) => author.gender.toLowerCase() === lowerCaseGender);
    const call = this.#openStream('getBooksByGender');
    void sendAll(
      call,
      authors.map(({ author_id }) => message(BookType, { author_id })),
    );
    return this.#collect(call);
  }

  close(): void {
    this.#client.close();
  }

  #read(method: string, request: Message, type: DescMessage, options = {}): ClientReadableStream<Message> {
    const path = `${SERVICE}/${method}`;
    return this.#client.makeServerStreamRequest(
      path,
      writer(AuthorType),
      reader(type),
      request,
      this.#metadata,
      options,
    );
  }

  #openStream(method: string): ClientDuplexStream<Message, Message> {
    return this.#client.makeBidiStreamRequest<Message, Message>(
      `${SERVICE}/${method}`,
      writer(BookType),
      reader(BookType),
      this.#metadata,
    );
  }

  #collect(call: ClientReadableStream<Message>): Promise<FieldMap[]> {
    return new Promise((resolve) => {
      const books: FieldMap[] = [];
      // Not a gRPC deadline, because that is an error, after which the messages so far are returned.
      const timer = setTimeout(() => {
        resolve([]);
        call.cancel();
      }, this.#waitMs);
      const done = () => {
        clearTimeout(timer);
        resolve(books);
      };
      call.on('data', (book: Message) => books.push(allFields(BookType, book)));
      call.on('end', done);
      call.on('error', (error: ServiceError) => {
        this.#onStreamError(error);
        done();
      });
    });
  }
}

/** Sends as fast as the server reads, and stops when the call is over. */
async function sendAll(call: ClientWritableStream<Message>, messages: readonly Message[]): Promise<void> {
  let isOver = false;
  let wake = () => {};
  const markOver = () => {
    isOver = true;
    wake();
  };
  for (const event of ['error', 'close', 'status']) call.on(event, markOver);
  for (const next of messages) {
    if (isOver) return;
    if (call.write(next)) continue;
    await new Promise<void>((resolve) => {
      wake = resolve;
      call.once('drain', resolve);
      if (isOver) resolve();
    });
  }
  call.end();
}

function writer(type: DescMessage) {
  return (sent: Message): Buffer => {
    const bytes = toBinary(type, sent);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
}

const reader = (type: DescMessage) => (bytes: Buffer) => fromBinary(type, bytes);

const roots = (tls: true | Uint8Array) => (tls === true ? null : Buffer.from(tls));
