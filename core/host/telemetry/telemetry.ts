import type { RequestListener } from 'node:http';
import type { Logger } from '@keyhost/spi';
import type { Context } from 'koa';
import type { AroundGrpcCall } from '../../grpc/handled-call.js';
import type { MetricFamily } from '../../registry/metrics/plugin-metric-values.js';
import type { ObserveCall } from '../../registry/sessions/provider-calls.js';
import type { Store } from '../../store/store.js';
import type { Metric } from '../metric.js';

/** Exports the traces, logs and metrics of a host. */
export interface Telemetry {
  /**
   * Wraps the listener so that each request becomes a span, within the trace of its `traceparent` (W3C Trace Context).
   */
  readonly wrapListener: (listener: RequestListener) => RequestListener;
  /**
   * Records the route of a request for its span. Call it in the request's async context when the request is answered.
   */
  readonly recordRoute: (ctx: Context) => void;
  /** Wraps the store so that each of its calls becomes a span. */
  readonly wrapStore: (store: Store) => Store;
  /** Makes each call of a provider a span with the plugin's name. */
  readonly observeCall: ObserveCall;
  /** Makes each gRPC call a span, within the trace of its metadata. */
  readonly aroundGrpcCall: AroundGrpcCall;
  /** Wraps a log so that its lines are exported too, with their trace. */
  readonly wrapLog: (log: Logger) => Logger;
  /** Exports these metrics, in addition to `/metrics`. */
  readonly exportMetrics: (metrics: readonly Metric[]) => void;
  /** Exports a plugin's metric, in addition to `/metrics`. */
  readonly exportPluginMetric: (family: MetricFamily) => void;
  /** Exports all pending data. */
  readonly close: () => Promise<void>;
}
