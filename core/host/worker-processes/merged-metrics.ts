import type { Registry } from 'prom-client';
import { type Figure, register } from '../figure.js';
import type { MetricAsJson } from '../metrics.js';

/** What only grows is added up over processes, and over those that have ended. */
const GROWING = new Set(['counter', 'histogram', 'summary']);

/**
 * One page of what several processes tell: counters and histograms added up, gauges as each says of itself. What a process
 * told last counts on after its end, so that no sum falls: to Prometheus a counter that falls has begun anew.
 */
export class MergedMetrics {
  readonly #own: readonly Figure[];
  /** By the number of the process. */
  readonly #last = new Map<number, readonly MetricAsJson[]>();
  #gone: readonly (readonly MetricAsJson[])[] = [];

  /** @param own figures of the process that asks */
  constructor(own: readonly Figure[]) {
    this.#own = own;
  }

  /** @param told by each process that serves; undefined of one that did not answer */
  async text(
    told: ReadonlyMap<number, readonly MetricAsJson[] | undefined>,
  ): Promise<{ contentType: string; text: string }> {
    const client = await import('prom-client');
    const { AggregatorRegistry } = client;
    for (const [number, metrics] of told) if (metrics !== undefined) this.#last.set(number, metrics);
    if (this.#gone.length > 1) this.#gone = [growing(await json(AggregatorRegistry.aggregate([...this.#gone])))];
    const registry = AggregatorRegistry.aggregate([...this.#last.values(), ...this.#gone]);
    for (const figure of this.#own) register(client, registry as Registry, figure);
    return { contentType: registry.contentType, text: await registry.metrics() };
  }

  /** A process has ended; another may come under its number. */
  ended(number: number): void {
    const last = this.#last.get(number);
    if (last === undefined) return;
    this.#last.delete(number);
    this.#gone = [...this.#gone, growing(last)];
  }
}

function growing(metrics: readonly MetricAsJson[]): readonly MetricAsJson[] {
  return metrics.filter(({ type }) => GROWING.has(String(type)));
}

async function json(registry: { getMetricsAsJSON(): Promise<unknown> }): Promise<readonly MetricAsJson[]> {
  return (await registry.getMetricsAsJSON()) as readonly MetricAsJson[];
}
