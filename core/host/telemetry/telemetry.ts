import type { RequestListener } from 'node:http';
import type { Logger } from '@keyhost/spi';
import type { Context } from 'koa';
import type { AroundGrpcCall } from '../../grpc/handled-call.js';
import type { MetricFamily } from '../../registry/metrics/plugin-metric-values.js';
import type { AroundCall } from '../../registry/sessions/provider-calls.js';
import type { Store } from '../../store/store.js';
import type { Figure } from '../figure.js';

/** What a host has told of: its requests, what they read and write, and the providers that they call. */
export interface Telemetry {
  /** Each request is a span, within the trace that its `traceparent` names (W3C Trace Context). */
  readonly listener: (listener: RequestListener) => RequestListener;
  /** Called within each request when it is answered. */
  readonly answered: (ctx: Context) => void;
  /** Each call of the store is a span. */
  readonly store: (store: Store) => Store;
  /** Each call of a provider is a span with the plugin's name. */
  readonly aroundCall: AroundCall;
  /** Each gRPC call is a span, within the trace of its metadata. */
  readonly aroundGrpcCall: AroundGrpcCall;
  /** What is logged goes out too, with the trace that it was logged in. */
  readonly log: (log: Logger) => Logger;
  /** The figures of `/metrics` go out too. */
  readonly figures: (figures: readonly Figure[]) => void;
  /** A metric of a plugin goes out too. */
  readonly ofPlugin: (family: MetricFamily) => void;
  /** Sends what waits still. */
  readonly close: () => Promise<void>;
}
