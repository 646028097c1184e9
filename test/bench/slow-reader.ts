import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:http2';
import { join } from 'node:path';
import { loadSync, type MethodDefinition } from '@grpc/proto-loader';
import { atMost } from './figure.js';
import { production, ROOT, writeFolder } from './keyhost.js';
import type { Measurement } from './measurement.js';
import { memoryOf } from './memory.js';
import type { Server } from './processes.js';

const BOOKS = 50;
const TITLE_BYTES = 60_000;
const TIMES = 100;

/** On a separate host, since the data is larger and earlier work must not affect the memory. */
export const slowReaderMeasurement: Measurement = {
  name: 'gRPC: growth by a slow reader of 300 MB',
  lasts: ({ seconds }) => 4 + 2 * seconds,
  async measure({ dir, processes, seconds }) {
    const folder = join(dir, 'slow-reader');
    await mkdir(folder);
    const data = join(folder, 'books.json');
    await writeFile(data, JSON.stringify(largeBooks()));
    const demo = { realm: 'demo', enabled: true, providers: { 'grpc-service': { books: { enabled: true } } } };
    const config = { 'grpc-service/books': { data, authentication: 'none' } };
    await writeFolder(folder, [demo], [{ module: '@keyhost/books', config }]);
    const server = await processes.start(await production(folder));
    const ours = await slowReaderGrowth(server, seconds);
    await processes.stop(server);
    return [{ name: this.name, unit: 'MB', ours, goals: [atMost(40)] }];
  },
};

/** Authors and books for the slow reader: requested a hundred times, they are 300 MB. */
function largeBooks(): object {
  const title = 'x'.repeat(TITLE_BYTES);
  return {
    authors: [],
    books: Array.from({ length: BOOKS }, (_, index) => ({ book_id: index + 1, title, author_id: 1 })),
  };
}

/**
 * The growth of the server in MB while a client requests 300 MB and does not read them. Reads all of them at the end.
 */
async function slowReaderGrowth(server: Server, seconds: number): Promise<number> {
  const definitions = loadSync('book_author.proto', { keepCase: true, includeDirs: [join(ROOT, 'proto')] });
  const service = definitions['com.devProblems.BookAuthorService'] as Record<string, MethodDefinition<object, object>>;
  const method = service.getBooksByGender;
  if (method === undefined) throw new Error('no method getBooksByGender');
  // Plain HTTP/2, since grpc-js's client reads ahead even if no messages are consumed.
  const session = connect(`http://${server.grpc}`);
  const call = session.request({
    ':method': 'POST',
    ':path': method.path,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  const idle = memoryOf(server.pid);
  for (let i = 0; i < TIMES; i += 1) call.write(framed(method.requestSerialize({ author_id: 1 })));
  call.end();
  let most = idle;
  for (let i = 0; i < seconds * 10; i += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    most = Math.max(most, memoryOf(server.pid));
  }
  let bytes = 0;
  for await (const chunk of call) bytes += (chunk as Buffer).length;
  session.close();
  if (bytes < BOOKS * TIMES * TITLE_BYTES) throw new Error(`the slow reader got ${bytes} bytes`);
  return most - idle;
}

/** A message in gRPC's framing: a flag and the length in front. */
function framed(message: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}
