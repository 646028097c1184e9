import type { JsonObject, Logger } from '@keyhost/spi';

/** A logger that adds these fields to every line; they override the caller's fields of the same names. */
export function loggerWith(logger: Logger, own: JsonObject): Logger {
  const write = (level: keyof Logger) => (message: string, fields?: JsonObject) =>
    logger[level](message, { ...fields, ...own });
  return Object.freeze({ debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') });
}
