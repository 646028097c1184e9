import { createReadStream } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { BloomFilter, MOST_TEXTS } from './bloom-filter.js';

/** Characters. A file with a longer line is not a password list. */
const LONGEST_LINE = 1_000_000;
const LINE_FEED = 10;

const { file } = workerData as { readonly file: string };
// An error ends the thread, and its creator gets it.
void read();

async function read(): Promise<void> {
  const lines = await lineCount();
  if (lines > MOST_TEXTS) throw new Error(`it has more than ${MOST_TEXTS} lines`);
  const filter = BloomFilter.of(lines);
  await addLines(filter);
  parentPort?.postMessage(filter.bits, [filter.bits.buffer as ArrayBuffer]);
}

async function lineCount(): Promise<number> {
  let count = 1;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) count += 1;
  }
  return count;
}

/** As in Keycloak, ignoring case but not spaces. */
async function addLines(filter: BloomFilter): Promise<void> {
  let rest = '';
  const add = (line: string) => {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (text !== '') filter.add(text.toLowerCase());
  };
  for await (const chunk of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw new Error('it has a line of more than a million characters');
    for (const line of parts) add(line);
  }
  add(rest);
}
