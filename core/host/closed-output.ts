import { codeOf } from '../model/thrown.js';

/** Error codes of writes to an output without a reader: `EPIPE` is that of the first write. */
const CLOSED_CODES = new Set(['EPIPE', 'ERR_STREAM_DESTROYED']);

/**
 * Continues if the reader closes the output early, as in `keyhost plugin list | head -1`. The command finishes its work
 * with its own exit code. Any other error of a stream ends the process like an uncaught exception.
 */
export function allowClosedOutput(streams: readonly NodeJS.WritableStream[] = [process.stdout, process.stderr]): void {
  for (const stream of streams) {
    stream.on('error', (error: unknown) => {
      if (!isClosedOutput(error)) throw error;
    });
  }
}

/** True if a write failed because its reader has closed the output. */
export function isClosedOutput(error: unknown): boolean {
  return CLOSED_CODES.has(codeOf(error) ?? '');
}
