import type { Registry } from 'prom-client';

type Labels = Readonly<Record<string, string | number>>;

/** A histogram, for example of durations. */
export interface Histogram {
  readonly kind: 'histogram';
  readonly name: string;
  readonly help: string;
  /** Upper bounds. */
  readonly bounds: readonly number[];
  /**
   * The number of values in each bucket (not cumulative), the last for values beyond all bounds; and the sum of all
   * values.
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
  /** How a gauge is combined over worker processes; default: the sum. Counters are always added up. */
  readonly aggregate?: 'first' | 'min' | 'max';
  /** Called for each scrape. */
  readonly values: () => Iterable<readonly [labels: Labels, value: number]>;
}

/** Registers the metric. */
export function registerMetric(
  { Counter, Gauge }: Pick<typeof import('prom-client'), 'Counter' | 'Gauge'>,
  registry: Registry,
  { kind, name, help, labels = [], aggregate, values }: Metric,
): void {
  const described = { name, help, labelNames: labels, registers: [registry] };
  if (kind === 'counter') {
    new Counter({
      ...described,
      collect() {
        this.reset();
        for (const [of, value] of values()) this.inc(of, value);
      },
    });
    return;
  }
  new Gauge({
    ...described,
    ...(aggregate && { aggregator: aggregate }),
    collect() {
      this.reset();
      for (const [of, value] of values()) this.set(of, value);
    },
  });
}

/** Registers the histogram. */
export function registerHistogram(registry: Registry, { name, help, bounds, values }: Histogram): void {
  const histogram = {
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    get: async () => {
      const all = [...values()].flatMap(([labels, { counts, sum }]) => {
        let within = 0;
        const buckets = counts.map((count, index) => {
          within += count;
          return {
            metricName: `${name}_bucket`,
            labels: { ...labels, le: String(bounds[index] ?? '+Inf') },
            value: within,
          };
        });
        return [
          ...buckets,
          { metricName: `${name}_sum`, labels, value: sum },
          { metricName: `${name}_count`, labels, value: within },
        ];
      });
      return { name, help, type: 'histogram', aggregator: 'sum', values: all };
    },
    reset: () => {},
  };
  // prom-client's type demands its own classes, but it only calls these members.
  registry.registerMetric(histogram as unknown as Parameters<Registry['registerMetric']>[0]);
}
