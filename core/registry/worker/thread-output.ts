import type { Readable } from 'node:stream';

/** Bytes per second to read: a worker that writes more must wait, and buffers the rest itself. */
const BYTES_PER_SECOND = 64 * 1024;
/** Maximum length of a log line, in characters. */
const LINE_LIMIT = 2000;

/** Reads the output of a plugin to a standard stream of its worker, line by line and at a limited rate. */
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
