import type { Context } from 'koa';
import type { Gauge as PrometheusGauge, Registry } from 'prom-client';
import type { CallOutcome } from '../grpc/handled-call.js';
import type { PluginsStatus } from '../registry/updates/update-report.js';
import { type ProviderSources, registerProviderMetrics } from './provider-metrics.js';

/** Counts requests cheaply; prom-client is loaded when somebody asks for the figures. */
export class Metrics {
  readonly #version: string;
  readonly #providers: ProviderSources;
  readonly #requests = new Map<string, number>();
  /** By `method code`; seconds in all. */
  readonly #calls = new Map<string, { method: string; code: string; count: number; seconds: number }>();
  #plugins: PluginsStatus | undefined;
  #registry: Promise<Registry> | undefined;

  constructor(version: string, providers: ProviderSources) {
    this.#version = version;
    this.#providers = providers;
  }

  /** Called once per answered request. */
  readonly count = (ctx: Context): void => {
    const key = `${ctx.method} ${ctx.status}`;
    this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1);
  };

  /** Called once per gRPC call that reached a service. */
  readonly countGrpc = ({ method, code, milliseconds }: CallOutcome): void => {
    const key = `${method.path} ${code}`;
    let calls = this.#calls.get(key);
    if (calls === undefined) {
      calls = { method: method.path, code, count: 0, seconds: 0 };
      this.#calls.set(key, calls);
    }
    calls.count += 1;
    calls.seconds += milliseconds / 1000;
  };

  /** @param plugins as they are now */
  async text(plugins: PluginsStatus): Promise<{ contentType: string; text: string }> {
    this.#plugins = plugins;
    this.#registry ??= this.#load();
    const registry = await this.#registry;
    return { contentType: registry.contentType, text: await registry.metrics() };
  }

  async #load(): Promise<Registry> {
    const { Counter, collectDefaultMetrics, Gauge, Registry } = await import('prom-client');
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    const requests = this.#requests;
    const calls = this.#calls;
    new Gauge({ name: 'keyhost_info', help: 'Version of Keyhost', labelNames: ['version'], registers: [registry] }).set(
      { version: this.#version },
      1,
    );
    new Counter({
      name: 'keyhost_http_requests_total',
      help: 'HTTP requests by method and status',
      labelNames: ['method', 'status'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [key, count] of requests) {
          const [method = '', status = ''] = key.split(' ');
          this.inc({ method, status }, count);
        }
      },
    });
    const ofCalls = { labelNames: ['method', 'code'] as const, registers: [registry] };
    new Counter({
      ...ofCalls,
      name: 'keyhost_grpc_calls_total',
      help: 'gRPC calls by method and status code',
      collect() {
        this.reset();
        for (const { method, code, count } of calls.values()) this.inc({ method, code }, count);
      },
    });
    new Counter({
      ...ofCalls,
      name: 'keyhost_grpc_call_seconds_total',
      help: 'Seconds that gRPC calls took, by method and status code',
      collect() {
        this.reset();
        for (const { method, code, seconds } of calls.values()) this.inc({ method, code }, seconds);
      },
    });
    registerProviderMetrics({ Counter, Gauge }, registry, this.#providers);
    this.#addPlugins(registry, Gauge);
    return registry;
  }

  #addPlugins(registry: Registry, Gauge: typeof PrometheusGauge): void {
    const figures: readonly [name: string, help: string, figure: (plugins: PluginsStatus) => number][] = [
      ['generation', 'Number of the generation of plugins that serves', ({ generation }) => generation],
      ['generations_draining', 'Generations that still serve calls', ({ draining }) => draining.length],
      ['swaps', 'How often plugins were replaced', ({ swaps }) => swaps],
      ['failed_updates', 'How often plugins could not be replaced', ({ failedUpdates }) => failedUpdates],
      ['loaded_in_process', 'Versions loaded into this process for others', ({ loadedInProcess }) => loadedInProcess],
    ];
    const status = () => this.#plugins;
    for (const [name, help, figure] of figures) {
      new Gauge({
        name: `keyhost_plugin_${name}`,
        help,
        registers: [registry],
        collect() {
          const plugins = status();
          if (plugins !== undefined) this.set(figure(plugins));
        },
      });
    }
  }
}
