import type { MetricFamily } from '../registry/metrics/plugin-metric-values.js';
import type { Histogram, Metric } from './metric.js';

/** Converts a plugin's counter or gauge to a metric of the host. */
export function metricOfPlugin(family: MetricFamily): Metric {
  const { kind, name, help, labels } = family;
  return { kind: kind === 'counter' ? 'counter' : 'gauge', name, help, labels, values: () => family.values() };
}

/** Converts a plugin's histogram to a metric of the host. */
export function histogramOfPlugin(family: MetricFamily): Histogram {
  const { name, help, bounds } = family;
  return { kind: 'histogram', name, help, bounds, values: () => family.distribution() };
}
