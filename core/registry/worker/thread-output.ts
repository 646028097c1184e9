import type { Readable } from 'node:stream';

/** Bytes a second that are read: a worker that writes more waits, and keeps what it has not written itself. */
const BYTES_PER_SECOND = 64 * 1024;
/** A line of the log is no longer than that. */
const LINE_LIMIT = 2000;

/** Reads what a plugin writes to a standard stream of its worker, line by line and no faster than a log bears. */
export function readOutput(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  let bytes = 0;
  let began = performance.now();
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = (lines.pop() ?? '').slice(0, LINE_LIMIT);
    for (const line of lines) if (line !== '') onLine(line.slice(0, LINE_LIMIT));
    const now = performance.now();
    if (now - began > 1000) {
      began = now;
      bytes = 0;
    }
    bytes += chunk.length;
    if (bytes < BYTES_PER_SECOND) return;
    stream.pause();
    setTimeout(() => stream.resume(), 1000).unref();
  });
  stream.on('end', () => {
    if (rest !== '') onLine(rest);
  });
}
