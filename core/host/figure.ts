import type { Registry } from 'prom-client';

type Labels = Readonly<Record<string, string | number>>;

/** A number, or several told apart by labels, that operators are told. */
export interface Figure {
  readonly kind: 'counter' | 'gauge';
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** What it is whenever somebody asks. */
  readonly values: () => Iterable<readonly [labels: Labels, value: number]>;
}

/** Has the registry tell the figure. */
export function register(
  { Counter, Gauge }: Pick<typeof import('prom-client'), 'Counter' | 'Gauge'>,
  registry: Registry,
  { kind, name, help, labels = [], values }: Figure,
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
    collect() {
      this.reset();
      for (const [of, value] of values()) this.set(of, value);
    },
  });
}
