import type { JsonObject, Logger } from '@keyhost/spi';
import { type Logger as OtelLogger, SeverityNumber } from '@opentelemetry/api-logs';
import { maskSecrets } from '../../model/mask-secrets.js';

const SEVERITIES = {
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
} as const;
type Level = keyof typeof SEVERITIES;

/** Returns a log that also sends each line to the collector, with its trace. Secrets are masked in what is sent. */
export function exportingLogger(otelLogger: OtelLogger, log: Logger): Logger {
  const write = (level: Level) => (message: string, fields?: JsonObject) => {
    log[level](message, fields);
    const severityNumber = SEVERITIES[level];
    if (otelLogger.enabled?.({ severityNumber }) === false) return;
    const attributes: Record<string, string | number | boolean> = {};
    for (const [name, value] of Object.entries(maskSecrets(fields ?? {}) as object)) {
      const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
      attributes[name] = isPlain ? value : JSON.stringify(value);
    }
    otelLogger.emit({ severityNumber, severityText: level, body: String(maskSecrets(message)), attributes });
  };
  return Object.freeze({ debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') });
}
