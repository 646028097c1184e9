import type { Context } from 'koa';
import type { Registry } from 'prom-client';
import type { CallOutcome } from './grpc/handled-call.js';
import { type ProviderSources, registerProviderMetrics } from './provider-metrics.js';

/** Counts requests cheaply; prom-client is loaded when somebody asks for the figures. */
export class Metrics {
  readonly #version: string;
  readonly #providers: ProviderSources;
  readonly #requests = new Map<string, number>();
  /** By `method code`; seconds in all. */
  readonly #calls = new Map<string, { method: string; code: string; count: number; seconds: number }>();
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

  async text(): Promise<{ contentType: string; text: string }> {
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
    return registry;
  }
}
