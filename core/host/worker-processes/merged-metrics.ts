import type { Registry } from 'prom-client';
import { type Metric, registerMetric } from '../metric.js';
import type { MetricAsJson } from '../metrics.js';

/** Metrics that only grow are added up over processes, including those that have ended. */
const GROWING = new Set(['counter', 'histogram', 'summary']);

/**
 * Merges the metrics of worker processes: counters and histograms are added up, gauges by their own rule. The last
 * values of an ended process still count, so that no sum falls: Prometheus treats a falling counter as a restart.
 */
export class MergedMetrics {
  readonly #own: readonly Metric[];
  /** By worker number. */
  readonly #last = new Map<number, readonly MetricAsJson[]>();
  #gone: readonly (readonly MetricAsJson[])[] = [];

  /** @param own metrics of the process that merges */
  constructor(own: readonly Metric[]) {
    this.#own = own;
  }

  /** @param byWorker the metrics of each ready worker, by its number; undefined if the worker did not answer */
  async text(
    byWorker: ReadonlyMap<number, readonly MetricAsJson[] | undefined>,
  ): Promise<{ contentType: string; text: string }> {
    const client = await import('prom-client');
    const { AggregatorRegistry } = client;
    for (const [number, metrics] of byWorker) if (metrics !== undefined) this.#last.set(number, metrics);
    if (this.#gone.length > 1) this.#gone = [growing(await json(AggregatorRegistry.aggregate([...this.#gone])))];
    const registry = AggregatorRegistry.aggregate([...this.#last.values(), ...this.#gone]);
    for (const figure of this.#own) registerMetric(client, registry as Registry, figure);
    return { contentType: registry.contentType, text: await registry.metrics() };
  }

  /** Call when a process has ended; another may start with its number. */
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
