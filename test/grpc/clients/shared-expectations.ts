import type { ExecutionContext, TestFn } from 'ava';
import { fetchAnswer } from '../../helpers/host.js';
import { SERVICE } from './books-hosts.js';
import type { OutsideRun, Told } from './outside-client.js';

const price = Math.fround;
const DICKENS = { author_id: 1, first_name: 'Charles', last_name: 'Dickens', gender: 'male', book_id: 1 };
const WOOLF = { author_id: 4, first_name: 'Virginia', last_name: 'Woolf', gender: 'female', book_id: 0 };
const OF_DICKENS = [
  { book_id: 1, title: 'Oliver Twist', price: price(123.3), pages: 100, author_id: 1 },
  { book_id: 2, title: 'A Christmas Carol', price: price(223.3), pages: 150, author_id: 1 },
];
const OF_ROWLING = [
  { book_id: 4, title: 'Harry Potter', price: price(423.3), pages: 350, author_id: 3 },
  { book_id: 5, title: 'The Casual Vacancy', price: price(523.3), pages: 450, author_id: 3 },
];
const EMPTY_BOOK = { book_id: 0, title: '', price: 0, pages: 0, author_id: 0 };
const FIRST_OF_TIE = { ...EMPTY_BOOK, book_id: 1, title: '1 Misérables 本 📚', price: 9.25 };
const SERVING = 1;

const one = (message: Told['message']): Told => ({ code: 'OK', message });
const many = (messages: Told['messages']): Told => ({ code: 'OK', messages });
const INVALID: Told = { code: 'UNAUTHENTICATED', details: 'The access token is not valid' };

/** The expected reports of every client, by the sentence that they prove. */
const EXPECTED: Readonly<Record<string, Readonly<Record<string, Told>>>> = {
  'an author is found by id, the absent fields read as 0': { found: one(DICKENS), lastOfMany: one(WOOLF) },
  'a missing author is OK with zero messages on the wire': { notFoundAsStream: many([]) },
  'the books of an author are streamed in order, none is an empty stream': {
    books: many(OF_ROWLING),
    noBooks: many([]),
  },
  'the dearest of the books sent is the first of equals, its text untouched': { expensiveTie: one(FIRST_OF_TIE) },
  'no book, or none above 0, has the empty book as the dearest': {
    expensiveNone: one(EMPTY_BOOK),
    expensiveFree: one(EMPTY_BOOK),
  },
  'of 5000 books sent the first of the dearest wins': {
    expensiveMany: one({ ...EMPTY_BOOK, book_id: 999, price: 999 }),
  },
  'compressed messages are understood': { gzip: one(FIRST_OF_TIE) },
  'every book sent is answered with the books of its author, repeats too, in order': {
    repeats: many([...OF_ROWLING, ...OF_DICKENS, ...OF_ROWLING]),
  },
  'an empty stream is answered with an empty stream': { emptyStream: many([]) },
  'the client goes on calling after its broken calls': { afterwards: one(DICKENS) },
  'health tells the host, the service and that another one is unknown': {
    health: one({ status: SERVING }),
    healthOfService: one({ status: SERVING }),
    healthOfUnknown: { code: 'NOT_FOUND', details: 'Health status unknown for service com.devProblems.Unknown' },
  },
  'a method that the service does not have is UNIMPLEMENTED': {
    missingMethod: {
      code: 'UNIMPLEMENTED',
      details: `The server does not implement the method /${SERVICE}/getPublisher`,
    },
  },
  'an access token is asked for, checked, and looked at for its scope': {
    tokenNone: { code: 'UNAUTHENTICATED', details: 'An access token is required' },
    'token-wrong': INVALID,
    'token-unscoped': { code: 'PERMISSION_DENIED', details: 'The scope books is required' },
    'token-good': one(DICKENS),
  },
  'TLS and mutual TLS are spoken': { tls: one(DICKENS), mutual: one(DICKENS) },
};

/** Calls whose end the client itself determines: only the code is the same everywhere. */
const CODES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a call that the client cancels is CANCELLED': { cancel: 'CANCELLED' },
  'a call over its deadline is DEADLINE_EXCEEDED': { deadline: 'DEADLINE_EXCEEDED' },
  'a message above the limit is RESOURCE_EXHAUSTED': { tooLarge: 'RESOURCE_EXHAUSTED' },
  'another authority is not trusted, and mutual TLS takes no client without a certificate of its own': {
    tlsOtherCa: 'UNAVAILABLE',
    mutualNone: 'UNAVAILABLE',
    mutualStranger: 'UNAVAILABLE',
  },
};

/** The tests that every client has to pass. */
export function sharedTests(
  check: (title: string, body: (t: ExecutionContext) => unknown) => void,
  run: () => OutsideRun,
) {
  for (const [title, expected] of Object.entries(EXPECTED)) {
    check(title, (t) => {
      for (const [name, told] of Object.entries(expected)) t.deepEqual(run().told[name], told, name);
    });
  }
  for (const [title, expected] of Object.entries(CODES)) {
    check(title, (t) => {
      for (const [name, code] of Object.entries(expected)) {
        const told = run().told[name];
        t.is(told?.code, code, `${name}: ${JSON.stringify(told)}`);
      }
    });
  }
  check('the host counted what the client saw, broken calls too', async (t) => {
    const { text } = await fetchAnswer(`${run().plain.managementUrl}/metrics`);
    const counted = [...text.matchAll(/^keyhost_grpc_calls_total\{method="\/(.+)\/(\w+)",code="(\w+)"\} (\d+)$/gm)]
      .filter(([, service]) => service === SERVICE)
      .map(([, , method, code, count]) => `${method} ${code} ${count}`);
    for (const line of [
      'getBooksByAuthor OK 2',
      'getExpensiveBook OK 5',
      'getExpensiveBook RESOURCE_EXHAUSTED 1',
      'getBooksByGender OK 2',
    ]) {
      t.true(counted.includes(line), `${line} is not among ${counted.join(', ')}`);
    }
    // The deadline may be noticed by the client first, who then cancels.
    const broken = counted.filter((line) => /^getBooksByGender (CANCELLED|DEADLINE_EXCEEDED) /.test(line));
    t.is(
      broken.reduce((sum, line) => sum + Number(line.split(' ')[2]), 0),
      2,
      counted.join(', '),
    );
  });
}

export type Check = Parameters<typeof sharedTests>[0];

/** AVA's test. If the client is not installed, AVA reports it as skipped with the reason. */
export function checks(test: TestFn, absent: string | undefined): Check {
  return (title, body) => {
    if (absent === undefined) test(title, body);
    else test.skip(`${title} (${absent})`, body);
  };
}
