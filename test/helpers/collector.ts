import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly Attribute[];
}
export interface Line {
  readonly traceId?: string;
  readonly body: { readonly stringValue: string };
}

/** A stand-in for OpenTelemetry's collector that records OTLP in JSON. */
export async function startCollector(t: ExecutionContext) {
  const [spans, lines, metrics, resources]: [Span[], Line[], string[], Attribute[]] = [[], [], [], []];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { resourceSpans = [], resourceLogs = [], resourceMetrics = [] } = JSON.parse(text);
    for (const { resource, scopeSpans } of resourceSpans) {
      resources.push(...resource.attributes);
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    for (const { scopeLogs } of resourceLogs) for (const scope of scopeLogs) lines.push(...scope.logRecords);
    for (const { scopeMetrics } of resourceMetrics)
      for (const scope of scopeMetrics) metrics.push(...scope.metrics.map(({ name }: { name: string }) => name));
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_BLRP_SCHEDULE_DELAY: '100',
    OTEL_METRIC_EXPORT_INTERVAL: '500',
    OTEL_METRIC_EXPORT_TIMEOUT: '400',
  };
  return { env, spans, lines, metrics, resources };
}

/** The trace of the caller in tests. */
export const TRACE = '0af7651916cd43dd8448eb211c80319c';
export const attributeOf = ({ attributes }: Pick<Span, 'attributes'>, name: string) =>
  attributes.find(({ key }) => key === name)?.value.stringValue;
