import type { JsonObject, Logger } from '@keyhost/spi';
import { pino } from 'pino';

/** Secrets that must not reach a log, wherever they stand in a text. */
const SECRETS: readonly [RegExp, string][] = [
  [/\beyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*){1,4}/g, '***'],
  [
    /\b(key|code|token|password|client_secret|client_assertion|refresh_token|access_token|subject_token)=[^&\s"']+/gi,
    '$1=***',
  ],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/gi, '$1 ***'],
];
const SECRET_NAMES =
  /^(password|secret|client_?secret|token|access_?token|refresh_?token|id_?token|authorization|cookie|key|code)$/i;

function mask(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return SECRETS.reduce((text, [pattern, by]) => text.replace(pattern, by), value);
  if (typeof value !== 'object' || value === null || depth > 4) return value;
  if (Array.isArray(value)) return value.map((item) => mask(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, SECRET_NAMES.test(name) ? '***' : mask(item, depth + 1)]),
  );
}

/** The host's log: one JSON line each on standard error, secrets masked. */
export function createLogger(level: string): Logger {
  const log = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
  const write = (method: 'debug' | 'info' | 'warn' | 'error') => (message: string, fields?: JsonObject) => {
    if (log.isLevelEnabled(method)) log[method](mask(fields ?? {}) as object, String(mask(message)));
  };
  return Object.freeze({
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  });
}
