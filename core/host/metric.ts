import type { Registry } from 'prom-client';

type Labels = Readonly<Record<string, string | number>>;

/** A histogram, for example of durations. */
export interface Histogram {
  readonly kind: 'histogram';
  readonly name: string;
  readonly help: string;
  /** Upper bounds of the buckets, in ascending order. */
  readonly bounds: readonly number[];
  /**
   * Returns, for each set of labels, the number of values in each bucket, and the sum of all values. The buckets are
   * not cumulative; the last one counts values above all bounds.
   */
  readonly values: () => Iterable<
    readonly [labels: Labels, { readonly counts: readonly number[]; readonly sum: number }]
  >;
}

/** A counter or gauge, possibly with labels. */
export interface Metric {
  readonly kind: 'counter' | 'gauge';
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** The aggregation of a gauge over worker processes; the default is the sum. Counters are always added up. */
  readonly aggregate?: 'first' | 'min' | 'max';
  /** Called for each scrape. */
  readonly values: () => Iterable<readonly [labels: Labels, value: number]>;
}

/** Registers a counter or gauge in prom-client. */
export function registerMetric(
  { Counter, Gauge }: Pick<typeof import('prom-client'), 'Counter' | 'Gauge'>,
  registry: Registry,
  { kind, name, help, labels = [], aggregate, values }: Metric,
): void {
  const options = { name, help, labelNames: labels, registers: [registry] };
  if (kind === 'counter') {
    new Counter({
      ...options,
      collect() {
        this.reset();
        for (const [labelValues, value] of values()) this.inc(labelValues, value);
      },
    });
    return;
  }
  new Gauge({
    ...options,
    ...(aggregate && { aggregator: aggregate }),
    collect() {
      this.reset();
      for (const [labelValues, value] of values()) this.set(labelValues, value);
    },
  });
}

/** Registers a histogram in prom-client. */
export function registerHistogram(registry: Registry, { name, help, bounds, values }: Histogram): void {
  const histogram = {
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    get: async () => {
      const samples = [...values()].flatMap(([labels, { counts, sum }]) => {
        let cumulative = 0;
        const buckets = counts.map((count, index) => {
          cumulative += count;
          return {
            metricName: `${name}_bucket`,
            labels: { ...labels, le: String(bounds[index] ?? '+Inf') },
            value: cumulative,
          };
        });
        return [
          ...buckets,
          { metricName: `${name}_sum`, labels, value: sum },
          { metricName: `${name}_count`, labels, value: cumulative },
        ];
      });
      return { name, help, type: 'histogram', aggregator: 'sum', values: samples };
    },
    reset: () => {},
  };
  // The type of prom-client requires its own classes, but it only uses these members.
  registry.registerMetric(histogram as unknown as Parameters<Registry['registerMetric']>[0]);
}
