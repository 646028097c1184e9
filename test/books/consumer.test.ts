import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  Server,
  ServerCredentials,
  type ServerWritableStream,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { loadSync, type ServiceDefinition } from '@grpc/proto-loader';
import { BookAuthorConsumer, BookType, byName, EXPENSIVE_BOOK, type FieldMap, toObject } from '@keyhost/books/consumer';
import test, { type ExecutionContext } from 'ava';
import { PROTO_DIR, startBooks } from '../helpers/books.js';
import { eventually } from '../helpers/eventually.js';

const CLI = fileURLToPath(new URL('../../../providers/books/dist/cli.js', import.meta.url));

function consumer(t: ExecutionContext, address: string | undefined, options = {}): BookAuthorConsumer {
  const made = new BookAuthorConsumer({ address: address ?? '', ...options });
  t.teardown(() => made.close());
  return made;
}

/** A server of grpc-js alone, for what ours never does. */
async function otherServer(t: ExecutionContext, implementation: UntypedServiceImplementation): Promise<string> {
  const definitions = loadSync('book_author.proto', { keepCase: true, includeDirs: [PROTO_DIR] });
  const server = new Server();
  const never = () => {};
  const methods = { getAuthor: never, getBooksByAuthor: never, getExpensiveBook: never, getBooksByGender: never };
  const service = definitions['com.devProblems.BookAuthorService'] as ServiceDefinition;
  // The one answer is written as a stream's, so that an error can follow it.
  const expensive = { ...service.getExpensiveBook, responseStream: true } as ServiceDefinition[string];
  server.addService(
    { ...service, getExpensiveBook: expensive },
    {
      ...methods,
      ...implementation,
    },
  );
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  t.teardown(() => server.forceShutdown());
  return `127.0.0.1:${port}`;
}

const titles = (books: readonly FieldMap[]) => books.map((book) => byName(book, 'title'));

test('books client: responses are maps of field descriptors, without defaults and with prices as 32-bit floats', async (t) => {
  const host = await startBooks(t);
  const books = consumer(t, host.grpcAddress);
  const [first] = await books.getBooksByAuthor(1);
  t.deepEqual([...(first?.keys() ?? [])].map(String), [
    'field com.devProblems.Book.book_id',
    'field com.devProblems.Book.title',
    'field com.devProblems.Book.price',
    'field com.devProblems.Book.pages',
    'field com.devProblems.Book.author_id',
  ]);
  const price = BookType.fields.find(({ name }) => name === 'price');
  t.is(price && first?.get(price), Math.fround(123.3));
  t.deepEqual(toObject(first ?? new Map()), {
    book_id: 1,
    title: 'Oliver Twist',
    price: 123.3,
    pages: 100,
    author_id: 1,
  });
  t.deepEqual(toObject(await books.getAuthor(2)), {
    author_id: 2,
    first_name: 'William',
    last_name: 'Shakespeare',
    gender: 'male',
  });
});

test('books client: a missing author is an empty map, the most expensive book has one key, genders match in any case', async (t) => {
  const host = await startBooks(t);
  const books = consumer(t, host.grpcAddress);
  t.is((await books.getAuthor(99)).size, 0);
  t.deepEqual(await books.getBooksByAuthor(99), []);
  const expensive = await books.getExpensiveBook();
  t.deepEqual([...expensive.keys()], [EXPENSIVE_BOOK]);
  t.is(byName(expensive.get(EXPENSIVE_BOOK) ?? new Map(), 'title'), 'Hamlet');
  t.deepEqual(titles(await books.getBooksByGender('FeMale')), ['Harry Potter', 'The Casual Vacancy', 'Mrs. Dalloway']);
  t.deepEqual(await books.getBooksByGender('other'), []);
});

test('books client: a stream that exceeds its deadline is an empty result, even after messages, and its call is ended', async (t) => {
  let cancelled = 0;
  const hang = (call: ServerWritableStream<object, object>) => {
    call.write({ book_id: 1 });
    call.on('cancelled', () => {
      cancelled += 1;
    });
  };
  const address = await otherServer(t, { getBooksByAuthor: hang, getBooksByGender: hang });
  // Long enough for the calls to reach the server; all of them wait at once.
  const books = consumer(t, address, { waitMs: 5000 });
  const late = t.throwsAsync(books.getAuthor(1), { code: status.DEADLINE_EXCEEDED });
  const [byAuthor, byGender, expensive] = await Promise.all([
    books.getBooksByAuthor(1),
    books.getBooksByGender('male'),
    books.getExpensiveBook(),
  ]);
  t.deepEqual([byAuthor, byGender, expensive.size], [[], [], 0]);
  await late;
  await eventually(() => cancelled === 2);
  t.is(cancelled, 2);
});

test('books client: a stream that ends with an error returns the messages before it, and the error is logged', async (t) => {
  const fail = (call: ServerWritableStream<object, object>) => {
    call.write({ book_id: 1, title: 'One' });
    call.write({ book_id: 2, title: 'Two' });
    call.emit('error', { code: status.DATA_LOSS, details: 'the shelf fell' });
  };
  const address = await otherServer(t, {
    getBooksByAuthor: fail,
    getBooksByGender: fail,
    getExpensiveBook: fail,
  });
  const heard: string[] = [];
  const books = consumer(t, address, { onStreamError: ({ details }: { details: string }) => heard.push(details) });
  t.deepEqual(titles(await books.getBooksByAuthor(1)), ['One', 'Two']);
  t.deepEqual(titles(await books.getBooksByGender('male')), ['One', 'Two']);
  const [[key, book] = []] = [...(await books.getExpensiveBook())];
  t.deepEqual([key, book && byName(book, 'title')], [EXPENSIVE_BOOK, 'Two']);
  t.deepEqual(heard, ['the shelf fell', 'the shelf fell', 'the shelf fell']);
});

test('books client: the command prints a table or JSON, nothing without a match, and sets the exit code', async (t) => {
  const host = await startBooks(t);
  const run = async (...args: string[]) => {
    const command = [CLI, '--address', host.grpcAddress ?? '', ...args];
    return promisify(execFile)(process.execPath, command).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
    );
  };
  const [table, json, nothing, wrong, refused] = await Promise.all([
    run('expensive'),
    run('books', '1', '--json'),
    run('author', '99'),
    run('author', 'x'),
    run('author', '1', '--address', '127.0.0.1:1'),
  ]);
  const expected = ['book_id  title   price  pages  author_id', '-------  ------  -----  -----  ---------'];
  t.deepEqual(table, {
    code: 0,
    stdout: `${[...expected, '      3  Hamlet  723.3    250          2'].join('\n')}\n`,
    stderr: '',
  });
  t.deepEqual(
    (JSON.parse(json.stdout) as { price: number }[]).map(({ price }) => price),
    [123.3, 223.3],
  );
  t.deepEqual(nothing, { code: 0, stdout: '', stderr: '' });
  t.deepEqual([wrong.code, wrong.stdout, /"x" is no id/.test(wrong.stderr)], [2, '', true]);
  t.deepEqual([refused.code, refused.stdout, /^books: UNAVAILABLE/.test(refused.stderr)], [1, '', true]);
});
