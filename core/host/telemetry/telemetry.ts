import type { RequestListener } from 'node:http';
import type { Logger } from '@keyhost/spi';
import type { Context } from 'koa';
import type { AroundGrpcCall } from '../../grpc/handled-call.js';
import type { MetricFamily } from '../../registry/metrics/plugin-metric-values.js';
import type { AroundCall } from '../../registry/sessions/provider-calls.js';
import type { Store } from '../../store/store.js';
import type { Metric } from '../metric.js';

/** Exports traces, logs and metrics of a host. */
export interface Telemetry {
  /** Makes each request a span, within the trace of its `traceparent` (W3C Trace Context). */
  readonly listener: (listener: RequestListener) => RequestListener;
  /** Call within each request when it is answered. */
  readonly answered: (ctx: Context) => void;
  /** Makes each call of the store a span. */
  readonly store: (store: Store) => Store;
  /** Makes each call of a provider a span with the plugin's name. */
  readonly aroundCall: AroundCall;
  /** Makes each gRPC call a span, within the trace of its metadata. */
  readonly aroundGrpcCall: AroundGrpcCall;
  /** Exports log lines too, with their trace. */
  readonly log: (log: Logger) => Logger;
  /** Exports the metrics of `/metrics` too. */
  readonly figures: (figures: readonly Metric[]) => void;
  /** Exports a plugin's metric too. */
  readonly ofPlugin: (family: MetricFamily) => void;
  /** Exports what is pending. */
  readonly close: () => Promise<void>;
}
