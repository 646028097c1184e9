import type { Readable } from 'node:stream';

/** How much output is read, in characters per second. A worker that writes more is blocked by its own buffer. */
const CHARACTERS_PER_SECOND = 64 * 1024;
/** Maximum length of a log line, in characters. */
const MAX_LINE_LENGTH = 2000;

/** Reads what a plugin writes to a standard stream of its worker, line by line and at a limited rate. */
export function readOutput(stream: Readable, onLine: (line: string) => void): void {
  let incompleteLine = '';
  let characters = 0;
  let windowStart = performance.now();
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const lines = (incompleteLine + chunk).split('\n');
    incompleteLine = (lines.pop() ?? '').slice(0, MAX_LINE_LENGTH);
    for (const line of lines) if (line !== '') onLine(line.slice(0, MAX_LINE_LENGTH));
    const now = performance.now();
    if (now - windowStart > 1000) {
      windowStart = now;
      characters = 0;
    }
    characters += chunk.length;
    if (characters < CHARACTERS_PER_SECOND) return;
    stream.pause();
    setTimeout(() => stream.resume(), 1000).unref();
  });
  stream.on('end', () => {
    if (incompleteLine !== '') onLine(incompleteLine);
  });
}
