#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type ServiceError, status } from '@grpc/grpc-js';
import {
  BookAuthorConsumer,
  DataFileError,
  EXPENSIVE_BOOK,
  type FieldMap,
  readBookData,
  SHIPPED_DATA,
  toObject,
} from './consumer.js';
import { table } from './table.js';

const HELP = `Asks a BookAuthorService for authors and books.

  npm run books -- author ID       the author with that id
  npm run books -- books ID        the books of that author
  npm run books -- expensive       the dearest of the stored books
  npm run books -- gender GENDER   the books of all stored authors of that gender

Options:
  --address HOST:PORT   the server (default: 127.0.0.1:9090)
  --tls                 speak TLS
  --ca FILE             PEM certificates to trust, with TLS
  --token TOKEN         an access token; better given as BOOKS_TOKEN in the environment
  --data FILE           the stored authors and books (default: those of the package)
  --json                print JSON
  --help                print this

Exit code: 0, also when nothing is found; 1 when a call fails; 2 when the arguments are wrong.
`;

class UsageError extends Error {}

async function main(argv: string[]): Promise<number> {
  const { values, positionals } = parse(argv);
  const [command, argument, ...rest] = positionals;
  if (values.help || command === undefined) {
    process.stdout.write(HELP);
    return values.help ? 0 : 2;
  }
  const parameterName = { author: 'ID', books: 'ID', expensive: undefined, gender: 'GENDER' }[command];
  if (!['author', 'books', 'expensive', 'gender'].includes(command))
    throw new UsageError(`unknown command "${command}"`);
  if ((argument !== undefined) !== (parameterName !== undefined) || rest.length > 0) {
    throw new UsageError(`${command} requires ${parameterName ?? 'no argument'}`);
  }
  let failed = false;
  const token = values.token ?? process.env.BOOKS_TOKEN;
  const consumer = new BookAuthorConsumer({
    address: values.address,
    tls: values.ca === undefined ? values.tls : readFileSync(values.ca),
    data: readBookData(values.data ?? SHIPPED_DATA),
    onStreamError: (error) => {
      failed = true;
      report(error);
    },
    ...(token === undefined ? {} : { token }),
  });
  try {
    const found = await call(consumer, command, argument ?? '');
    const objects = found.map(toObject);
    if (values.json)
      process.stdout.write(
        `${JSON.stringify(command === 'author' || command === 'expensive' ? (objects[0] ?? null) : objects)}\n`,
      );
    else process.stdout.write(table(objects));
  } finally {
    consumer.close();
  }
  return failed ? 1 : 0;
}

async function call(consumer: BookAuthorConsumer, command: string, argument: string): Promise<FieldMap[]> {
  const toList = (fields: FieldMap | undefined) => (fields === undefined || fields.size === 0 ? [] : [fields]);
  switch (command) {
    case 'author':
      return toList(await consumer.getAuthor(id(argument)));
    case 'books':
      return consumer.getBooksByAuthor(id(argument));
    case 'expensive':
      return toList((await consumer.getExpensiveBook()).get(EXPENSIVE_BOOK));
    default:
      return consumer.getBooksByGender(argument);
  }
}

function parse(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        address: { type: 'string', default: '127.0.0.1:9090' },
        tls: { type: 'boolean', default: false },
        ca: { type: 'string' },
        token: { type: 'string' },
        data: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function id(text: string): number {
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || value < -2147483648 || value > 2147483647)
    throw new UsageError(`"${text}" is no id: a whole number`);
  return value;
}

function report(error: Partial<ServiceError>): void {
  const name = error.code === undefined ? '' : `${status[error.code]}: `;
  process.stderr.write(`books: ${name}${error.details ?? error.message}\n`);
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: Partial<ServiceError>) => {
    if (error instanceof UsageError) process.stderr.write(`books: ${error.message}\nbooks --help tells more\n`);
    else if (error instanceof DataFileError) process.stderr.write(`${error.message}\n`);
    else report(error);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  },
);
