import { createReadStream } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { BloomFilter, MAX_ENTRIES } from './bloom-filter.js';

/** In characters. A file with a longer line is not a password list. */
const MAX_LINE_LENGTH = 1_000_000;
const LINE_FEED = 10;

const { file } = workerData as { readonly file: string };
// A rejection ends the thread, and its parent gets an `error` event.
void buildFilter();

async function buildFilter(): Promise<void> {
  const lines = await countLines();
  if (lines > MAX_ENTRIES) throw new Error(`it has more than ${MAX_ENTRIES} lines`);
  const filter = BloomFilter.forCapacity(lines);
  await addLines(filter);
  parentPort?.postMessage(filter.bits, [filter.bits.buffer as ArrayBuffer]);
}

async function countLines(): Promise<number> {
  let count = 1;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    for (let index = chunk.indexOf(LINE_FEED); index >= 0; index = chunk.indexOf(LINE_FEED, index + 1)) count += 1;
  }
  return count;
}

/** Adds each line in lower case but untrimmed, as in Keycloak. */
async function addLines(filter: BloomFilter): Promise<void> {
  let incomplete = '';
  const add = (line: string) => {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (text !== '') filter.add(text.toLowerCase());
  };
  for await (const chunk of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    const lines = (incomplete + chunk).split('\n');
    incomplete = lines.pop() ?? '';
    if (incomplete.length > MAX_LINE_LENGTH) throw new Error('it has a line of more than a million characters');
    for (const line of lines) add(line);
  }
  add(incomplete);
}
