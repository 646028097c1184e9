import type { JsonObject, Logger } from '@keyhost/spi';
import { pino } from 'pino';
import { maskSecrets } from '../model/mask-secrets.js';

/**
 * Creates the host's log, which writes JSON lines to standard error, with secrets masked.
 * @param worker the number of the worker process, which is added to each line
 */
export function createLogger(level: string, worker?: number): Logger {
  const log = pino(
    { level, base: worker === undefined ? null : { worker }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
  const write = (method: 'debug' | 'info' | 'warn' | 'error') => (message: string, fields?: JsonObject) => {
    if (log.isLevelEnabled(method)) log[method](maskSecrets(fields ?? {}) as object, String(maskSecrets(message)));
  };
  return Object.freeze({
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  });
}
