import type { Logger } from '@keyhost/spi';
import { type DiagLogger, DiagLogLevel, diag } from '@opentelemetry/api';

/** Minimum interval between logs of the same failure, in milliseconds, because exporters fail again with each batch. */
const TOLD_EVERY_MS = 60_000;

/** Logs failures of telemetry itself. @param log one that is not exported to the collector */
export function logTelemetryFailures(log: Logger): void {
  let toldAt = Number.NEGATIVE_INFINITY;
  const tell =
    (level: 'warn' | 'error') =>
    (message: string, ...more: unknown[]) => {
      if (performance.now() - toldAt < TOLD_EVERY_MS) return;
      toldAt = performance.now();
      log[level]('cannot send telemetry', { reason: [message, ...more.map(String)].join(' ') });
    };
  const silent = () => {};
  const told: DiagLogger = { error: tell('error'), warn: tell('warn'), info: silent, debug: silent, verbose: silent };
  diag.setLogger(told, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
