import { HostError, type MetricDeclaration, type MetricDeclarations } from '@keyhost/spi';

/** Maximum number of combinations of label values of a metric; further ones count as `other`. */
const MAX_SERIES = 100;
const OTHER = 'other';
const LONGEST_VALUE = 128;
/** Default bounds of histograms. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Labels = Readonly<Record<string, string>>;
type Change = 'add' | 'set' | 'observe';

const KIND_OF_CHANGE: Readonly<Record<Change, MetricDeclaration['kind']>> = {
  add: 'counter',
  set: 'gauge',
  observe: 'histogram',
};

/** A plugin's change of a metric. */
export interface MetricChange {
  readonly plugin: string;
  readonly declared: MetricDeclarations;
  readonly change: Change;
  readonly name: string;
  readonly value: number;
  readonly labels: Labels;
}

interface Series {
  readonly labels: Labels;
  value: number;
  /** For a histogram: the number of values in each bucket; the last one is for values above all bounds. */
  readonly counts: number[];
}

/** A metric that has values. */
export class MetricFamily {
  readonly kind: MetricDeclaration['kind'];
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly bounds: readonly number[];
  /** Called with each value of a histogram. */
  observed: ((value: number, labels: Labels) => void) | undefined;
  readonly #series = new Map<string, Series>();

  constructor(name: string, { kind, help, labels = [], buckets = BOUNDS }: MetricDeclaration) {
    this.kind = kind;
    this.name = name;
    this.help = help;
    this.labels = labels;
    this.bounds = kind === 'histogram' ? buckets : [];
  }

  /** The values of a counter or gauge. */
  *values(): Generator<readonly [Labels, number]> {
    for (const { labels, value } of this.#series.values()) yield [labels, value];
  }

  /** The values of a histogram. */
  *distribution(): Generator<readonly [Labels, { readonly counts: readonly number[]; readonly sum: number }]> {
    for (const { labels, value, counts } of this.#series.values()) yield [labels, { counts, sum: value }];
  }

  change(change: Change, value: number, labels: Labels): void {
    const series = this.#of(labels);
    if (change === 'set') series.value = value;
    else series.value += value;
    if (change !== 'observe') return;
    let bound = 0;
    while (bound < this.bounds.length && value > (this.bounds[bound] as number)) bound += 1;
    series.counts[bound] = (series.counts[bound] ?? 0) + 1;
    this.observed?.(value, series.labels);
  }

  #of(labels: Labels): Series {
    const key = JSON.stringify(this.labels.map((label) => labels[label]));
    const found = this.#series.get(key);
    if (found !== undefined) return found;
    const isOver = this.#series.size >= MAX_SERIES && this.labels.length > 0;
    const own = Object.fromEntries(this.labels.map((label) => [label, isOver ? OTHER : (labels[label] as string)]));
    const place = isOver ? OTHER : key;
    const series = this.#series.get(place) ?? {
      labels: own,
      value: 0,
      counts: new Array(this.bounds.length + 1).fill(0),
    };
    this.#series.set(place, series);
    return series;
  }
}

/** The metrics of plugins, each from its first value on: an unused metric costs nothing. */
export class PluginMetricValues {
  readonly #families = new Map<string, { readonly family: MetricFamily; readonly declared: MetricDeclaration }>();
  readonly #listeners: ((family: MetricFamily) => void)[] = [];

  /**
   * Calls the listener for all existing metrics, and for each new one. A new metric replaces an older one with the same
   * name.
   */
  onFamily(listener: (family: MetricFamily) => void): void {
    for (const { family } of this.#families.values()) listener(family);
    this.#listeners.push(listener);
  }

  /** @throws HostError `invalid_argument` */
  change({ plugin, declared, change, name, value, labels }: MetricChange): void {
    const metric = Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (metric === undefined) throw wrong(change, `${plugin} declares no metric ${String(name)}`);
    if (metric.kind !== KIND_OF_CHANGE[change]) throw wrong(change, `${name} is a ${metric.kind}`);
    if (typeof value !== 'number' || !Number.isFinite(value) || (change === 'add' && value < 0)) {
      throw wrong(change, `${name} takes finite numbers${change === 'add' ? ' of 0 or more' : ''}`);
    }
    const names = metric.labels ?? [];
    const given = Object.keys(labels);
    const fit = given.length === names.length && names.every((label) => isValue(labels[label]));
    if (!fit)
      throw wrong(change, `${name} has the labels ${names.join(', ') || '(none)'}, texts of at most ${LONGEST_VALUE}`);
    this.#family(exportedName(plugin, name), metric).change(change, value, labels);
  }

  #family(name: string, declared: MetricDeclaration): MetricFamily {
    const known = this.#families.get(name);
    if (known !== undefined && (known.declared === declared || same(known.declared, declared))) return known.family;
    // Another version of the plugin declares it differently.
    const family = new MetricFamily(name, declared);
    this.#families.set(name, { family, declared });
    for (const listener of this.#listeners) listener(family);
    return family;
  }
}

/**
 * Returns the exported name, which is unique for each plugin. In the plugin's name `_` is doubled, and other characters
 * are replaced by their code points.
 */
function exportedName(plugin: string, name: string): string {
  const prefix = plugin.replace(/[^a-zA-Z0-9]/g, (sign) => {
    if (sign === '-') return '_';
    return sign === '_' ? '__' : `_x${sign.codePointAt(0)?.toString(16)}_`;
  });
  return `plugin_${prefix}_${name}`;
}

function isValue(value: unknown): boolean {
  return typeof value === 'string' && value.length <= LONGEST_VALUE;
}

function same(one: MetricDeclaration, other: MetricDeclaration): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function wrong(change: Change, message: string): HostError {
  return new HostError('invalid_argument', `metrics.${change}: ${message}`);
}
