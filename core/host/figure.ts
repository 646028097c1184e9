import type { Registry } from 'prom-client';

type Labels = Readonly<Record<string, string | number>>;

/** How values are spread, such as durations. */
export interface Distribution {
  readonly kind: 'histogram';
  readonly name: string;
  readonly help: string;
  /** Upper bounds. */
  readonly bounds: readonly number[];
  /** How many were within each bound and not within the one before, the last are those beyond all; and the sum of all values. */
  readonly values: () => Iterable<
    readonly [labels: Labels, { readonly counts: readonly number[]; readonly sum: number }]
  >;
}

/** A number, or several told apart by labels, that operators are told. */
export interface Figure {
  readonly kind: 'counter' | 'gauge';
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** What a gauge is of several processes that serve together; their sum without it. Counters are added up. */
  readonly together?: 'first' | 'min' | 'max';
  /** What it is whenever somebody asks. */
  readonly values: () => Iterable<readonly [labels: Labels, value: number]>;
}

/** Has the registry tell the figure. */
export function register(
  { Counter, Gauge }: Pick<typeof import('prom-client'), 'Counter' | 'Gauge'>,
  registry: Registry,
  { kind, name, help, labels = [], together, values }: Figure,
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
    ...(together && { aggregator: together }),
    collect() {
      this.reset();
      for (const [of, value] of values()) this.set(of, value);
    },
  });
}

/** Has the registry tell the distribution. */
export function registerDistribution(registry: Registry, { name, help, bounds, values }: Distribution): void {
  const told = {
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
  // prom-client asks for its own classes, and calls these members alone.
  registry.registerMetric(told as unknown as Parameters<Registry['registerMetric']>[0]);
}
