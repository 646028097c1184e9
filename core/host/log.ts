import type { JsonObject, Logger } from '@keyhost/spi';
import { pino } from 'pino';
import { maskSecrets } from './mask-secrets.js';

/** The host's log: one JSON line each on standard error, secrets masked. */
export function createLogger(level: string): Logger {
  const log = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
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
