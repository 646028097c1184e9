import type { JsonObject, Logger } from '@keyhost/spi';

/** A logger whose every line has these fields: what the writer says under their names is not heard. */
export function loggerWith(logger: Logger, own: JsonObject): Logger {
  const write = (level: keyof Logger) => (message: string, fields?: JsonObject) =>
    logger[level](message, { ...fields, ...own });
  return Object.freeze({ debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') });
}
