import type { JsonObject, Logger } from '@keyhost/spi';
import { uncloneable } from '../sessions/cloneable.js';
import { isLarger } from './frame-size.js';
import { FRAME, type Frame } from './frames.js';

/** Lines per second: further lines of a plugin are dropped and counted. */
export const LINES_PER_SECOND = 1000;
/** Maximum length of a message, in characters: the rest is cut off. */
const MESSAGE = 8 * 1024;
/** Maximum size of a line's fields, in bytes: larger ones are left out, which the line mentions. */
const FIELDS = 64 * 1024;

/** A plugin's logger in a worker: sends lines to the host's log without waiting. */
export function workerLog(post: (frame: Frame) => void): Logger {
  let second = 0;
  let lines = 0;
  let dropped = 0;
  const write = (level: keyof Logger) => (message: string, fields?: JsonObject) => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) {
      if (dropped > 0) post([FRAME.LOG, 0, 'warn', 'dropped log lines of a plugin', { dropped }]);
      second = now;
      lines = 0;
      dropped = 0;
    }
    lines += 1;
    if (lines > LINES_PER_SECOND) {
      dropped += 1;
      return;
    }
    const part = uncloneable(fields);
    const named = part === undefined ? fields : { dropped: `fields${part.startsWith(',') ? '' : '.'}${part}` };
    const plain = isLarger(named, FIELDS) ? { dropped: `fields of more than ${FIELDS / 1024} KiB` } : named;
    post([FRAME.LOG, 0, level, String(message).slice(0, MESSAGE), plain]);
  };
  return Object.freeze({
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  });
}
