import { readFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { fileURLToPath } from 'node:url';
import { loadSync, type MethodDefinition } from '@grpc/proto-loader';
import type { Server } from './rows.js';

const BOOKS = 50;
const TITLE_BYTES = 60_000;
const TIMES = 100;

/** Authors and books for the slow reader: asked for a hundred times, they are 300 MB. */
export function largeBooks(): object {
  const title = 'x'.repeat(TITLE_BYTES);
  return {
    authors: [],
    books: Array.from({ length: BOOKS }, (_, index) => ({ book_id: index + 1, title, author_id: 1 })),
  };
}

/** By how many MB the server grows while a client asks for 300 MB and does not read them. Reads them all in the end. */
export async function slowReaderGrowth(server: Server, seconds: number): Promise<number> {
  const proto = fileURLToPath(new URL('../../../proto', import.meta.url));
  const definitions = loadSync('book_author.proto', { keepCase: true, includeDirs: [proto] });
  const service = definitions['com.devProblems.BookAuthorService'] as Record<string, MethodDefinition<object, object>>;
  const method = service.getBooksByGender;
  if (method === undefined) throw new Error('no method getBooksByGender');
  // HTTP/2 itself: grpc-js's client reads ahead, whether or not anybody wants the messages.
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

/** A message as gRPC frames it: a flag and the length in front. */
function framed(message: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** In MB (Linux). */
function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
