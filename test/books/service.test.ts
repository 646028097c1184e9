import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { BooksClient, startBooks } from '../helpers/books.js';
import { eventually } from '../helpers/eventually.js';

const author = (author_id: number) => ({ author_id });
const price = (value: number, title = '') => ({ price: value, title });

async function client(t: ExecutionContext, config = {}): Promise<BooksClient> {
  const host = await startBooks(t, config);
  return new BooksClient(t, host.grpcAddress ?? '');
}

async function dataFile(t: ExecutionContext, content: string | object): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-books-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, 'books.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

test('books service: getAuthor returns the first author with the ID, and ends OK without a message if there is none', async (t) => {
  const data = await dataFile(t, {
    authors: [
      { author_id: 7, first_name: 'First', gender: 'x', book_id: 3 },
      { author_id: 7, first_name: 'Second' },
    ],
    books: [],
  });
  const books = await client(t, { data });
  t.deepEqual(await books.call('getAuthor', [{ author_id: 7, first_name: 'ignored' }]), {
    messages: [{ author_id: 7, first_name: 'First', gender: 'x', book_id: 3 }],
    error: undefined,
  });
  t.deepEqual(await books.call('getAuthor', [author(8)]), { messages: [], error: undefined });
  t.deepEqual(await books.call('getAuthor', [{}]), { messages: [], error: undefined });
});

test('books service: getBooksByAuthor streams the author’s books in the order of the file', async (t) => {
  const books = await client(t);
  const { messages, error } = await books.call('getBooksByAuthor', [author(1)]);
  t.deepEqual([messages.map(({ title }) => title), error], [['Oliver Twist', 'A Christmas Carol'], undefined]);
  t.deepEqual(messages[0], { book_id: 1, title: 'Oliver Twist', price: Math.fround(123.3), pages: 100, author_id: 1 });
  t.deepEqual(await books.call('getBooksByAuthor', [author(9)]), { messages: [], error: undefined });
});

test('books service: getExpensiveBook returns the most expensive book, the first of equals, and an empty one if all prices are 0 or less', async (t) => {
  const books = await client(t);
  const dearest = async (...sent: object[]) => {
    const { messages, error } = await books.call('getExpensiveBook', sent);
    t.is(error, undefined);
    t.is(messages.length, 1);
    return messages[0];
  };
  t.deepEqual(await dearest(price(1), price(9.5, 'a'), price(9.5, 'b'), price(2)), price(9.5, 'a'));
  t.deepEqual(await dearest(price(123.3, 'a'), price(Math.fround(123.3), 'b')), price(Math.fround(123.3), 'a'));
  t.deepEqual(await dearest(price(Number.NaN), price(Number.POSITIVE_INFINITY, 'inf')), price(Infinity, 'inf'));
  for (const nothing of [[], [price(0, 'free')], [price(-3), price(Number.NaN)]])
    t.deepEqual(await dearest(...nothing), {});
});

test('books service: getBooksByGender returns every book of every author sent, in order and with repeats', async (t) => {
  const books = await client(t);
  const ids = async (...authors: number[]) =>
    (await books.call('getBooksByGender', authors.map(author))).messages.map(({ book_id }) => book_id);
  t.deepEqual(await ids(3, 1, 9, 3), [4, 5, 1, 2, 4, 5]);
  t.deepEqual(await ids(), []);
  t.is((await ids(...Array.from({ length: 2000 }, () => 1))).length, 4000);
});

test('books service: a result beyond the limit is RESOURCE_EXHAUSTED, and the next call is served', async (t) => {
  const books = await client(t, { maxResults: 5 });
  const { messages, error } = await books.call('getBooksByGender', [author(1), author(1), author(1)]);
  t.deepEqual([messages, error?.code, error?.details], [[], 8, 'The result would have more than 5 books']);
  t.is((await books.call('getBooksByGender', [author(1), author(1)])).messages.length, 4);
});

test('books service: an edited data file is read again; one with errors is reported and keeps the old data', async (t) => {
  const file = await dataFile(t, { authors: [], books: [{ book_id: 1, author_id: 5 }] });
  const host = await startBooks(t, { data: file });
  const books = new BooksClient(t, host.grpcAddress ?? '');
  const count = async () => (await books.call('getBooksByAuthor', [author(5)])).messages.length;
  const logged = (text: string) => host.log.some(({ message }) => message.startsWith(text));
  t.is(await count(), 1);
  await writeFile(`${file}.new`, JSON.stringify({ authors: [], books: [{ author_id: 5 }, { author_id: 5 }] }));
  await rename(`${file}.new`, file);
  await eventually(() => logged('book data reloaded'));
  t.is(await count(), 2);
  await writeFile(file, '{"authors": [],\n "books": [{"author_id": "5"}]}');
  await eventually(() => logged('the book data has mistakes'));
  t.is(await count(), 2);
  const line = host.log.find(({ message }) => message.startsWith('the book data has mistakes'));
  t.is((line?.fields as { reason?: string } | undefined)?.reason, `${file}:2:26 books[0].author_id: must be integer`);
});

test('books service: an unusable data file fails the start and is named', async (t) => {
  const reason = async (content: string) => {
    const data = await dataFile(t, content);
    const error = await t.throwsAsync<BootError>(startBooks(t, { data }));
    return error?.message.replaceAll(data, 'F');
  };
  const failed = '@keyhost/books: open of grpc-service/books failed: F';
  t.is(await reason('{"authors": [],'), `${failed}:1:16: not JSON: property name expected`);
  t.is(await reason('{"authors": []}'), `${failed}:1:1: must have required property 'books'`);
  t.is(
    await reason('{"authors": [{"author_id": 2147483648}],\n "books": [{"price": 1e39, "isbn": "1"}]}'),
    `${failed}:1:28 authors[0].author_id: must be <= 2147483647\n${'F'}:2:22 books[0].price: must be <= 3.4028235e+38\nF:2:28 books[0].isbn: unknown key`,
  );
});
