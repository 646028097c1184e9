import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { logs } from '@opentelemetry/api-logs';
import { NodeSDK, resources } from '@opentelemetry/sdk-node';
import { setTracing } from '../../model/tracing.js';
import { exportingLogger } from './exporting-logger.js';
import { registerInstruments, registerPluginInstrument } from './instruments.js';
import type { Telemetry } from './telemetry.js';
import { logTelemetryFailures } from './telemetry-failures.js';
import { traceCalls } from './traced-calls.js';
import { traceGrpcCalls } from './traced-grpc-calls.js';
import { recordRoute, traceListener } from './traced-listener.js';
import { traceStore } from './traced-store.js';

/** Timeout of the final export when the host stops, in milliseconds. */
const CLOSE_LIMIT_MS = 5_000;

/**
 * Starts OpenTelemetry, which is configured by the standard environment variables (`OTEL_…`). There is one instance per
 * process, because its context is global.
 * @param version the version of Keyhost
 * @param relativePath the prefix of all paths
 */
export function openTelemetry({ version, relativePath }: { version: string; relativePath: string }): Telemetry {
  const sdk = new NodeSDK({
    instrumentations: [],
    resource: resources.resourceFromAttributes({ 'service.name': 'keyhost', 'service.version': version }),
    // Do not export attributes of the process, because the command line may contain secrets.
    resourceDetectors: [resources.hostDetector, resources.serviceInstanceIdDetector, resources.envDetector],
  });
  sdk.start();
  const tracer = trace.getTracer('keyhost', version);
  const meter = metrics.getMeter('keyhost', version);
  setTracing({
    headers() {
      const headers: Record<string, string> = {};
      propagation.inject(context.active(), headers);
      return headers;
    },
  });
  return {
    wrapListener: (listener) => traceListener({ tracer, meter }, relativePath, listener),
    recordRoute,
    wrapStore: (store) => traceStore(tracer, store),
    observeCall: traceCalls(tracer),
    aroundGrpcCall: traceGrpcCalls(tracer),
    wrapLog: (log) => {
      logTelemetryFailures(log);
      return exportingLogger(logs.getLogger('keyhost', version), log);
    },
    exportMetrics: (hostMetrics) => registerInstruments(meter, hostMetrics),
    exportPluginMetric: (family) => registerPluginInstrument(meter, family),
    close: async () => {
      setTracing(undefined);
      // An unreachable collector must not delay the shutdown.
      const limit = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_LIMIT_MS).unref());
      await Promise.race([sdk.shutdown().catch(() => {}), limit]);
    },
  };
}
