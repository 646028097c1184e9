import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import type { TestHost } from '../../helpers/host.js';
import { addressOf, BEARER, booksHost, pem, readerToken, SERVER_TLS, SERVICE } from './books-hosts.js';
import { richHost } from './rich-plugin.js';
import { checks } from './shared-expectations.js';

const INSTALLED = fileURLToPath(new URL('../../../../node_modules/.bin/buf', import.meta.url));
const buf = [INSTALLED, 'buf'].find((file) => spawnSync(file, ['--version'], { timeout: 30_000 }).status === 0);
const check = checks(test, buf === undefined ? 'no buf for this platform here' : undefined);

interface Ended {
  readonly exit: unknown;
  /** Answers, one JSON after the other, or lines. */
  readonly out: string;
  readonly err: string;
}

/** `buf curl` has no proto file: it gets everything from the host's reflection. */
function curl(host: TestHost, path: string, ...more: string[]): Promise<Ended> {
  const tls = more.includes('--cacert');
  const url = `${tls ? 'https' : 'http'}://${addressOf(host)}${path}`;
  const args = ['curl', '--protocol', 'grpc', ...(tls ? [] : ['--http2-prior-knowledge']), ...more, url];
  return new Promise((resolve) => {
    execFile(buf ?? '', args, { timeout: 60_000 }, (error, out, err) => resolve({ exit: error?.code ?? 0, out, err }));
  });
}

const call = (host: TestHost, method: string, requests: readonly object[], ...more: string[]) =>
  curl(host, `/${SERVICE}/${method}`, '-d', requests.map((request) => JSON.stringify(request)).join(''), ...more);

/** The titles among the answers. */
const titles = ({ out }: Ended) => [...out.matchAll(/"title": "(.*)"/g)].map(([, title]) => title);

check(
  'buf curl: reflection, on in start-dev, lists the services and their methods, in both of its versions',
  async (t) => {
    const host = await booksHost(t);
    const methods = ['getAuthor', 'getBooksByAuthor', 'getBooksByGender', 'getExpensiveBook'];
    for (const version of ['grpc-v1', 'grpc-v1alpha']) {
      const services = await curl(host, '', '--list-services', '--reflect-protocol', version);
      t.true(services.out.split('\n').includes(SERVICE), JSON.stringify(services));
      const listed = await curl(host, '', '--list-methods', '--reflect-protocol', version);
      const ours = listed.out.split('\n').filter((line) => line.startsWith(SERVICE));
      t.deepEqual(
        ours,
        methods.map((name) => `${SERVICE}/${name}`),
        JSON.stringify(listed),
      );
    }
  },
);

check('buf curl: every method is called by what reflection told, with the field names of the proto file', async (t) => {
  const host = await booksHost(t);
  const [author, missing, books, dearest, gender] = await Promise.all([
    call(host, 'getAuthor', [{ author_id: 1 }]),
    call(host, 'getAuthor', [{ author_id: 99 }]),
    call(host, 'getBooksByAuthor', [{ author_id: 3 }]),
    call(host, 'getExpensiveBook', [{ book_id: 1, price: 2.5 }, { book_id: 2, price: 7 }, { price: 7 }]),
    call(host, 'getBooksByGender', [{ author_id: 4 }, { author_id: 2 }, { author_id: 4 }]),
  ]);
  t.is(author.exit, 0, author.err);
  const dickens = { authorId: 1, firstName: 'Charles', lastName: 'Dickens', gender: 'male', bookId: 1 };
  t.deepEqual(JSON.parse(author.out), dickens);
  t.is(missing.out, '');
  t.regex(missing.err, /unary (stream|response) has zero messages/);
  t.deepEqual(titles(books), ['Harry Potter', 'The Casual Vacancy']);
  t.deepEqual(JSON.parse(dearest.out), { bookId: 2, price: 7 });
  t.deepEqual(titles(gender), ['Mrs. Dalloway', 'Hamlet', 'Mrs. Dalloway']);
});

check('buf curl: a client of reflection may ask for the health too', async (t) => {
  const host = await booksHost(t);
  const asked = await curl(host, '/grpc.health.v1.Health/Check', '-d', JSON.stringify({ service: SERVICE }));
  t.is(asked.exit, 0, asked.err);
  t.deepEqual(JSON.parse(asked.out), { status: 'SERVING' });
});

check('buf curl: imports, maps, optional fields and oneofs are told so that a client can use them', async (t) => {
  const host = await richHost(t);
  const library = {
    shelfByRoom: { hall: { label: 'A', kind: 'OAK', builtAt: '2020-01-02T03:04:05Z' } },
    names: { 7: 'seven' },
    namesOfOwner: { first: 'Ada' },
    floors: 0,
    phone: '9007199254740993',
    motto: '',
    kinds: ['OAK', 'UNKNOWN'],
    seal: 'AAEC',
  };
  const echoed = await curl(host, '/rich.library.LibraryService/echo', '-d', JSON.stringify(library));
  t.is(echoed.exit, 0, echoed.err);
  t.deepEqual(JSON.parse(echoed.out), library);
  const { out } = await curl(host, '', '--list-services');
  t.deepEqual(out.trim().split('\n'), ['grpc.health.v1.Health', 'rich.library.LibraryService']);
});

check('buf curl: over TLS, reflection and a call with an access token', async (t) => {
  const host = await booksHost(t, SERVER_TLS, BEARER);
  const authorized = ['--cacert', pem('ca'), '-H', `authorization: Bearer ${await readerToken(host, 'books')}`];
  const books = await call(host, 'getBooksByAuthor', [{ author_id: 2 }], ...authorized);
  t.deepEqual(titles(books), ['Hamlet'], books.err);
  const nobody = await call(host, 'getBooksByAuthor', [{ author_id: 2 }], '--cacert', pem('ca'));
  t.is(nobody.out, '');
  t.regex(nobody.err, /"code": "unauthenticated"/);
});

check('buf curl: reflection that is switched off is not implemented', async (t) => {
  const host = await booksHost(t, ['--grpc-reflection', 'false']);
  const listed = await curl(host, '', '--list-services');
  t.not(listed.exit, 0);
  t.is(listed.out, '');
  t.regex(listed.err, /unimplemented/);
});
