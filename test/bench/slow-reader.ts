import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client, credentials } from '@grpc/grpc-js';
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
  const client = new Client(server.grpc, credentials.createInsecure());
  const idle = memoryOf(server.pid);
  const call = client.makeBidiStreamRequest(method.path, method.requestSerialize, (bytes) => bytes.length);
  for (let i = 0; i < TIMES; i += 1) call.write({ author_id: 1 });
  call.end();
  let most = idle;
  for (let i = 0; i < seconds * 10; i += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    most = Math.max(most, memoryOf(server.pid));
  }
  let bytes = 0;
  for await (const length of call) bytes += length as number;
  client.close();
  if (bytes < BOOKS * TIMES * TITLE_BYTES) throw new Error(`the slow reader got ${bytes} bytes`);
  return most - idle;
}

/** In MB (Linux). */
function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
