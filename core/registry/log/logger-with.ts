import type { JsonObject, Logger } from '@keyhost/spi';

/** Returns a logger that adds these fields to every line. They override fields of the same name in a call. */
export function loggerWith(logger: Logger, fixedFields: JsonObject): Logger {
  const write = (level: keyof Logger) => (message: string, fields?: JsonObject) =>
    logger[level](message, { ...fields, ...fixedFields });
  return Object.freeze({ debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') });
}
