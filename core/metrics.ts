import type { Context } from 'koa';
import type { Registry } from 'prom-client';

/** Counts requests cheaply; prom-client is loaded when somebody asks for the figures. */
export class Metrics {
  readonly #version: string;
  readonly #requests = new Map<string, number>();
  #registry: Promise<Registry> | undefined;

  constructor(version: string) {
    this.#version = version;
  }

  /** Called once per answered request. */
  readonly count = (ctx: Context): void => {
    const key = `${ctx.method} ${ctx.status}`;
    this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1);
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
    return registry;
  }
}
