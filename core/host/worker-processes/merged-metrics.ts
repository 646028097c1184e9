import type { Registry } from 'prom-client';
import { type Metric, registerMetric } from '../metric.js';
import type { MetricAsJson } from '../metrics.js';

/** Types of metrics that only increase. They are added up over all processes, including those that have ended. */
const CUMULATIVE_TYPES = new Set(['counter', 'histogram', 'summary']);

/**
 * Merges the metrics of worker processes. Counters and histograms are added up; each gauge defines its aggregation. The
 * last values of an ended process are still included, because Prometheus treats a decreasing counter as a restart.
 */
export class MergedMetrics {
  readonly #parentMetrics: readonly Metric[];
  /** The last metrics of each worker, by its number. */
  readonly #lastByWorker = new Map<number, readonly MetricAsJson[]>();
  #endedMetrics: readonly (readonly MetricAsJson[])[] = [];

  /** @param parentMetrics the metrics of the parent process itself */
  constructor(parentMetrics: readonly Metric[]) {
    this.#parentMetrics = parentMetrics;
  }

  /**
   * Returns the merged metrics in the text format of Prometheus.
   * @param byWorker the metrics of each ready worker, by its number; undefined if the worker did not answer
   */
  async text(
    byWorker: ReadonlyMap<number, readonly MetricAsJson[] | undefined>,
  ): Promise<{ contentType: string; text: string }> {
    const client = await import('prom-client');
    const { AggregatorRegistry } = client;
    for (const [number, metrics] of byWorker) if (metrics !== undefined) this.#lastByWorker.set(number, metrics);
    if (this.#endedMetrics.length > 1)
      this.#endedMetrics = [selectCumulative(await toJson(AggregatorRegistry.aggregate([...this.#endedMetrics])))];
    const registry = AggregatorRegistry.aggregate([...this.#lastByWorker.values(), ...this.#endedMetrics]);
    for (const metric of this.#parentMetrics) registerMetric(client, registry as Registry, metric);
    return { contentType: registry.contentType, text: await registry.metrics() };
  }

  /** Retains the counters of a process that has ended. Its number may be used again. */
  recordEnd(number: number): void {
    const last = this.#lastByWorker.get(number);
    if (last === undefined) return;
    this.#lastByWorker.delete(number);
    this.#endedMetrics = [...this.#endedMetrics, selectCumulative(last)];
  }
}

function selectCumulative(metrics: readonly MetricAsJson[]): readonly MetricAsJson[] {
  return metrics.filter(({ type }) => CUMULATIVE_TYPES.has(String(type)));
}

async function toJson(registry: { getMetricsAsJSON(): Promise<unknown> }): Promise<readonly MetricAsJson[]> {
  return (await registry.getMetricsAsJSON()) as readonly MetricAsJson[];
}
