import type { Logger } from '@keyhost/spi';
import { type DiagLogger, DiagLogLevel, diag } from '@opentelemetry/api';

/** Minimum interval between two logs of a failure, in milliseconds, because exporters fail again with each batch. */
const LOG_INTERVAL_MS = 60_000;

/**
 * Logs failures of telemetry itself.
 * @param log a log that is not exported to the collector
 */
export function logTelemetryFailures(log: Logger): void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  const logAt =
    (level: 'warn' | 'error') =>
    (message: string, ...details: unknown[]) => {
      if (performance.now() - loggedAt < LOG_INTERVAL_MS) return;
      loggedAt = performance.now();
      log[level]('cannot send telemetry', { reason: [message, ...details.map(String)].join(' ') });
    };
  const ignore = () => {};
  const diagLogger: DiagLogger = {
    error: logAt('error'),
    warn: logAt('warn'),
    info: ignore,
    debug: ignore,
    verbose: ignore,
  };
  diag.setLogger(diagLogger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
