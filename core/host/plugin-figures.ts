import type { MetricFamily } from '../registry/metrics/plugin-metric-values.js';
import type { Distribution, Figure } from './figure.js';

/** A plugin's counter or gauge as a metric of the host. */
export function figureOf(family: MetricFamily): Figure {
  const { kind, name, help, labels } = family;
  return { kind: kind === 'counter' ? 'counter' : 'gauge', name, help, labels, values: () => family.values() };
}

/** A plugin's histogram as a metric of the host. */
export function distributionOf(family: MetricFamily): Distribution {
  const { name, help, bounds } = family;
  return { kind: 'histogram', name, help, bounds, values: () => family.distribution() };
}
