import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { countIn } from './range-api.js';

/** A list of digests on this machine. */
export interface BreachedList {
  /**
   * Returns the number of times that a password was seen.
   * @param digest SHA-1 in upper-case hexadecimal
   * @throws Error if the list cannot be read
   */
  count(digest: string): Promise<number>;
  close(): Promise<void>;
}

/** The number of bytes around a position that are read at once. It covers a few lines. */
const WINDOW_BYTES = 512;
const LINE = /^([0-9A-F]{40}):(\d+)\r?$/;

/**
 * Opens the download of Have I Been Pwned. It is one file with lines `SHA1:COUNT`, sorted by digest, or a folder with a
 * file for each range (`00000.txt`, lines `DIGITS:COUNT`).
 * @throws Error if it does not exist or is not a list of this format
 */
export async function openList(path: string): Promise<BreachedList> {
  if ((await stat(path)).isDirectory()) {
    const range = (digest: string) => readFile(join(path, `${digest.slice(0, 5)}.txt`), 'utf8');
    await range('00000');
    return { count: async (digest) => countIn(await range(digest), digest.slice(5)), close: async () => {} };
  }
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (lineAt(await windowAt(file, 0), 0) === undefined) throw new Error(`${path} has no lines such as SHA1:COUNT`);
    return { count: (digest) => search(file, size, digest), close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Binary search for the line: about 35 reads for the whole download. */
async function search(file: FileHandle, size: number, digest: string): Promise<number> {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    // The line at this position begins in the window before it.
    const start = Math.max(0, middle - WINDOW_BYTES / 2);
    const text = await windowAt(file, start);
    const begin = text.lastIndexOf('\n', middle - start - 1) + 1;
    if (begin === 0 && start > 0) throw new Error('the list of breached passwords has a line that is too long');
    const line = lineAt(text, begin);
    if (line === undefined) throw new Error('the list of breached passwords has a line that is none');
    if (line.digest === digest) return line.count;
    if (line.digest < digest) low = start + line.end + 1;
    else high = start + begin;
  }
  return 0;
}

async function windowAt(file: FileHandle, start: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(WINDOW_BYTES), 0, WINDOW_BYTES, start);
  return buffer.toString('latin1', 0, bytesRead);
}

function lineAt(text: string, begin: number): { digest: string; count: number; end: number } | undefined {
  const at = text.indexOf('\n', begin);
  const end = at < 0 ? text.length : at;
  const [, digest, count] = LINE.exec(text.slice(begin, end)) ?? [];
  return digest === undefined ? undefined : { digest, count: Number(count), end };
}
