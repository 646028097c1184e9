import type { Meter } from '@opentelemetry/api';
import type { MetricFamily } from '../../registry/metrics/plugin-metric-values.js';
import type { Metric } from '../metric.js';
import { metricOfPlugin } from '../plugin-metrics.js';

/** Registers the host's metrics as observable instruments, whose values are read at each export. */
export function registerInstruments(meter: Meter, hostMetrics: readonly Metric[]): void {
  for (const { kind, name, help, values } of hostMetrics) {
    const instrument =
      kind === 'counter'
        ? meter.createObservableCounter(name.replace(/_total$/, ''), { description: help })
        : meter.createObservableGauge(name, { description: help });
    instrument.addCallback((result) => {
      for (const [labels, value] of values()) result.observe(value, labels);
    });
  }
}

/** Registers a plugin's metric as an instrument. The values of a histogram are recorded one by one. */
export function registerPluginInstrument(meter: Meter, family: MetricFamily): void {
  if (family.kind !== 'histogram') {
    registerInstruments(meter, [metricOfPlugin(family)]);
    return;
  }
  const { name, help, bounds } = family;
  const advice = { explicitBucketBoundaries: [...bounds] };
  const histogram = meter.createHistogram(name, { description: help, advice });
  family.onObserved = (value, labels) => histogram.record(value, labels);
}
