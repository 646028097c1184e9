import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
} from '@grpc/grpc-js';
import { loadSync, type ServiceDefinition } from '@grpc/proto-loader';

/**
 * grpc-js with handlers directly on its streams, over the data file of the first argument: a lower bound, not a
 * product.
 */
interface Book {
  readonly price: number;
  readonly author_id: number;
}
const { books, authors } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as {
  books: Book[];
  authors: { author_id: number }[];
};
const byAuthor = new Map<number, Book[]>();
for (const book of books) byAuthor.set(book.author_id, [...(byAuthor.get(book.author_id) ?? []), book]);
const authorById = new Map(authors.map((author) => [author.author_id, author]));

/** Writes as fast as the client reads. */
function writeAll(call: ServerWritableStream<unknown, Book> | ServerDuplexStream<unknown, Book>, all: readonly Book[]) {
  let next = 0;
  const write = () => {
    while (next < all.length) {
      const isRoom = call.write(all[next] as Book);
      next += 1;
      if (!isRoom) {
        call.once('drain', write);
        return;
      }
    }
    call.end();
  };
  write();
}

const proto = fileURLToPath(new URL('../../../../proto', import.meta.url));
const definitions = loadSync('book_author.proto', { keepCase: true, includeDirs: [proto] });
const server = new Server({ 'grpc.enable_channelz': 0 });
server.addService(definitions['com.devProblems.BookAuthorService'] as ServiceDefinition, {
  getAuthor: (call: ServerUnaryCall<{ author_id: number }, object>, done: (error: null, author?: object) => void) =>
    done(null, authorById.get(call.request.author_id)),
  getBooksByAuthor: (call: ServerWritableStream<{ author_id: number }, Book>) =>
    writeAll(call, byAuthor.get(call.request.author_id) ?? []),
  getExpensiveBook: (call: ServerReadableStream<Book, Book>, done: (error: null, book: Book | object) => void) => {
    let dearest: Book | undefined;
    call.on('data', (book: Book) => {
      if (book.price > (dearest?.price ?? 0)) dearest = book;
    });
    call.on('end', () => done(null, dearest ?? {}));
  },
  getBooksByGender: (call: ServerDuplexStream<Book, Book>) => {
    const found: Book[] = [];
    call.on('data', ({ author_id }: Book) => found.push(...(byAuthor.get(author_id) ?? [])));
    call.on('end', () => writeAll(call, found));
  },
});
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_, port) =>
  process.stdout.write(`ready http=none grpc=127.0.0.1:${port}\n`),
);
