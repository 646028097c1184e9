import type { Context } from 'koa';
import type { Registry } from 'prom-client';
import type { CallOutcome } from '../grpc/handled-call.js';
import { BOUNDS_MS, type RequestDurations } from '../http/request-durations.js';
import type { EventTotals } from '../registry/events/event-totals.js';
import { type EventStoreSource, eventStoreMetrics } from './event-store-metrics.js';
import { type MailSource, mailMetrics } from './mail-metrics.js';
import { type Histogram, type Metric, registerHistogram, registerMetric } from './metric.js';
import { histogramOfPlugin, metricOfPlugin } from './plugin-metrics.js';
import { type ProviderSources, providerMetrics } from './provider-metrics.js';
import { userEventMetrics } from './user-event-metrics.js';

/** A metric as prom-client returns it as JSON. */
export type MetricAsJson = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number];

/** The metrics of a host. Counting is cheap; prom-client is only loaded with the first scrape. */
export class Metrics {
  readonly #version: string;
  readonly #providers: ProviderSources;
  readonly #mails: MailSource;
  readonly #eventStores: () => EventStoreSource;
  readonly #events: EventTotals;
  readonly #streams: { readonly openCount: number };
  readonly #requests = new Map<string, number>();
  readonly #durations: RequestDurations;
  /** The gRPC calls by method and status code. `seconds` is the sum of their durations. */
  readonly #grpcCalls = new Map<string, { method: string; code: string; count: number; seconds: number }>();
  #registry: Promise<Registry> | undefined;

  /** @param streams the number of open event streams */
  constructor(
    version: string,
    durations: RequestDurations,
    providers: ProviderSources,
    streams: { readonly openCount: number },
    mails: MailSource,
    eventStores: () => EventStoreSource,
    events: EventTotals,
  ) {
    this.#version = version;
    this.#durations = durations;
    this.#providers = providers;
    this.#streams = streams;
    this.#mails = mails;
    this.#eventStores = eventStores;
    this.#events = events;
  }

  /**
   * Called once per answered request.
   * @param milliseconds its duration
   */
  readonly countRequest = (ctx: Context, milliseconds: number): void => {
    const key = `${ctx.method} ${ctx.status}`;
    this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1);
    this.#durations.count(milliseconds);
  };

  /** Called once per gRPC call that has reached a service. */
  readonly countGrpc = ({ method, code, milliseconds }: CallOutcome): void => {
    const key = `${method.path} ${code}`;
    let calls = this.#grpcCalls.get(key);
    if (calls === undefined) {
      calls = { method: method.path, code, count: 0, seconds: 0 };
      this.#grpcCalls.set(key, calls);
    }
    calls.count += 1;
    calls.seconds += milliseconds / 1000;
  };

  /** Returns all metrics in the text format of Prometheus. */
  async text(): Promise<{ contentType: string; text: string }> {
    const registry = await this.#requireRegistry();
    return { contentType: registry.contentType, text: await registry.metrics() };
  }

  /** Returns all metrics for merging those of several processes. */
  async json(): Promise<readonly MetricAsJson[]> {
    return (await this.#requireRegistry()).getMetricsAsJSON();
  }

  #requireRegistry(): Promise<Registry> {
    this.#registry ??= this.#createRegistry();
    return this.#registry;
  }

  async #createRegistry(): Promise<Registry> {
    const client = await import('prom-client');
    const registry = new client.Registry();
    client.collectDefaultMetrics({ register: registry });
    for (const metric of this.metrics()) registerMetric(client, registry, metric);
    for (const histogram of this.histograms()) registerHistogram(registry, histogram);
    this.#providers.metrics.onFamily((family) => {
      registry.removeSingleMetric(family.name);
      if (family.kind === 'histogram') registerHistogram(registry, histogramOfPlugin(family));
      else registerMetric(client, registry, metricOfPlugin(family));
    });
    return registry;
  }

  /** All counters and gauges. Their values are read at each scrape. */
  metrics(): readonly Metric[] {
    return [
      ...this.#hostMetrics(),
      ...providerMetrics(this.#providers),
      ...mailMetrics(this.#mails),
      ...eventStoreMetrics(this.#eventStores),
      ...userEventMetrics(this.#events),
    ];
  }

  /** All histograms. Their values are read at each scrape. */
  histograms(): readonly Histogram[] {
    return [
      {
        kind: 'histogram',
        name: 'keyhost_http_request_seconds',
        help: 'Duration of HTTP requests in seconds',
        bounds: BOUNDS_MS.map((ms) => ms / 1000),
        values: () => [[{}, { counts: this.#durations.counts, sum: this.#durations.sum / 1000 }]],
      },
    ];
  }

  #hostMetrics(): readonly Metric[] {
    const requests = this.#requests;
    const calls = this.#grpcCalls;
    return [
      {
        kind: 'gauge',
        name: 'keyhost_info',
        help: 'Version of Keyhost',
        aggregate: 'first',
        labels: ['version'],
        values: () => [[{ version: this.#version }, 1]],
      },
      {
        kind: 'counter',
        name: 'keyhost_http_requests_total',
        help: 'Number of HTTP requests by method and status',
        labels: ['method', 'status'],
        values: () =>
          [...requests].map(([key, count]) => {
            const [method = '', status = ''] = key.split(' ');
            return [{ method, status }, count];
          }),
      },
      {
        kind: 'gauge',
        name: 'keyhost_event_streams',
        help: 'Number of open event streams of admins',
        values: () => [[{}, this.#streams.openCount]],
      },
      {
        kind: 'counter',
        name: 'keyhost_grpc_calls_total',
        help: 'Number of gRPC calls by method and status code',
        labels: ['method', 'code'],
        values: () => [...calls.values()].map(({ method, code, count }) => [{ method, code }, count]),
      },
      {
        kind: 'counter',
        name: 'keyhost_grpc_call_seconds_total',
        help: 'Duration of gRPC calls in seconds, by method and status code',
        labels: ['method', 'code'],
        values: () => [...calls.values()].map(({ method, code, seconds }) => [{ method, code }, seconds]),
      },
    ];
  }
}
