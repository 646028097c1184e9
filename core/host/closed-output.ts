import { codeOf } from '../model/thrown.js';

/** Codes of a write that found no reader: the pipe is closed, and after that the stream. */
const CLOSED = new Set(['EPIPE', 'ERR_STREAM_DESTROYED']);

/**
 * Lets the process go on if the reader of its output ends first, as in `keyhost plugin list | head -1`: a command finishes its
 * work, and keeps its exit code. Anything else that a stream reports ends the process as an uncaught exception does.
 */
export function allowClosedOutput(streams: readonly NodeJS.WritableStream[] = [process.stdout, process.stderr]): void {
  for (const stream of streams) {
    stream.on('error', (error: unknown) => {
      if (!isClosedOutput(error)) throw error;
    });
  }
}

/** Whether a write failed since its reader has ended. */
export function isClosedOutput(error: unknown): boolean {
  return CLOSED.has(codeOf(error) ?? '');
}
