import type { JsonObject, Logger } from '@keyhost/spi';
import { pino } from 'pino';
import { maskSecrets } from '../model/mask-secrets.js';

/**
 * The host's log: one JSON line each on standard error, secrets masked.
 * @param worker the number of the process where several serve, which stands on each line then
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
