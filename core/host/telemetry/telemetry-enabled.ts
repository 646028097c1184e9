type Environment = Readonly<Record<string, string | undefined>>;

const EXPORTERS = ['OTEL_TRACES_EXPORTER', 'OTEL_METRICS_EXPORTER', 'OTEL_LOGS_EXPORTER'];
const ENDPOINTS = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
  'OTEL_EXPORTER_OTLP_LOGS_ENDPOINT',
  'OTEL_CONFIG_FILE',
];

/**
 * True if the environment enables OpenTelemetry: it names an endpoint or an exporter, and does not disable the SDK. If
 * not, no part of OpenTelemetry is loaded.
 */
export function isTelemetryEnabled(env: Environment): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false;
  return ENDPOINTS.some((name) => env[name]) || EXPORTERS.some((name) => env[name] && env[name] !== 'none');
}
