import type { JsonObject, Logger } from '@keyhost/spi';
import { findUncloneable } from '../sessions/cloneable.js';
import { isLarger } from './frame-size.js';
import { FRAME, type Frame } from './frames.js';

/** Maximum number of lines per second. Further lines of a plugin are dropped and counted. */
export const LINES_PER_SECOND = 1000;
/** Maximum length of a message, in characters. The rest is cut off. */
const MAX_MESSAGE_LENGTH = 8 * 1024;
/** Maximum size of a line's fields, in bytes. Larger fields are replaced by a note. */
const MAX_FIELDS_BYTES = 64 * 1024;

/** Creates a plugin's logger in a worker, which sends lines to the host's log without waiting. */
export function workerLog(post: (frame: Frame) => void): Logger {
  let currentSecond = 0;
  let lines = 0;
  let droppedCount = 0;
  const write = (level: keyof Logger) => (message: string, fields?: JsonObject) => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== currentSecond) {
      if (droppedCount > 0) post([FRAME.LOG, 0, 'warn', 'dropped log lines of a plugin', { dropped: droppedCount }]);
      currentSecond = now;
      lines = 0;
      droppedCount = 0;
    }
    lines += 1;
    if (lines > LINES_PER_SECOND) {
      droppedCount += 1;
      return;
    }
    const uncloneablePart = findUncloneable(fields);
    const cloneableFields =
      uncloneablePart === undefined
        ? fields
        : { dropped: `fields${uncloneablePart.startsWith(',') ? '' : '.'}${uncloneablePart}` };
    const limitedFields = isLarger(cloneableFields, MAX_FIELDS_BYTES)
      ? { dropped: `fields of more than ${MAX_FIELDS_BYTES / 1024} KiB` }
      : cloneableFields;
    post([FRAME.LOG, 0, level, String(message).slice(0, MAX_MESSAGE_LENGTH), limitedFields]);
  };
  return Object.freeze({
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  });
}
