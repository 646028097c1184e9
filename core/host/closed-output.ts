import { codeOf } from '../model/thrown.js';

/** Error codes of a write without a reader: first the pipe is closed, then the stream. */
const CLOSED = new Set(['EPIPE', 'ERR_STREAM_DESTROYED']);

/**
 * Continues if the reader of the output closes it early, as in `keyhost plugin list | head -1`: a command finishes its
 * work and keeps its exit code. Any other error of a stream ends the process like an uncaught exception.
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
  return CLOSED.has(codeOf(error) ?? '');
}
