import { HostError, type MetricDeclaration, type MetricDeclarations } from '@keyhost/spi';

/** Maximum number of combinations of label values of a metric. Further ones are counted as `other`. */
const MAX_SERIES = 100;
const OTHER = 'other';
const MAX_VALUE_LENGTH = 128;
/** Default bucket bounds of histograms. */
const DEFAULT_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Labels = Readonly<Record<string, string>>;
type Change = 'add' | 'set' | 'observe';

const KIND_OF_CHANGE: Readonly<Record<Change, MetricDeclaration['kind']>> = {
  add: 'counter',
  set: 'gauge',
  observe: 'histogram',
};

/** A plugin's request to change a metric. */
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
  /** For a histogram, the number of values in each bucket; the last one counts values above all bounds. */
  readonly counts: number[];
}

/** A plugin's metric with its values. */
export class MetricFamily {
  readonly kind: MetricDeclaration['kind'];
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly bounds: readonly number[];
  /** Called with each value of a histogram. */
  onObserved: ((value: number, labels: Labels) => void) | undefined;
  readonly #series = new Map<string, Series>();

  constructor(name: string, { kind, help, labels = [], buckets = DEFAULT_BOUNDS }: MetricDeclaration) {
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
    const series = this.#seriesFor(labels);
    if (change === 'set') series.value = value;
    else series.value += value;
    if (change !== 'observe') return;
    let bound = 0;
    while (bound < this.bounds.length && value > (this.bounds[bound] as number)) bound += 1;
    series.counts[bound] = (series.counts[bound] ?? 0) + 1;
    this.onObserved?.(value, series.labels);
  }

  #seriesFor(labels: Labels): Series {
    const key = JSON.stringify(this.labels.map((label) => labels[label]));
    const existingSeries = this.#series.get(key);
    if (existingSeries !== undefined) return existingSeries;
    const isOverLimit = this.#series.size >= MAX_SERIES && this.labels.length > 0;
    const seriesLabels = Object.fromEntries(
      this.labels.map((label) => [label, isOverLimit ? OTHER : (labels[label] as string)]),
    );
    const seriesKey = isOverLimit ? OTHER : key;
    const series = this.#series.get(seriesKey) ?? {
      labels: seriesLabels,
      value: 0,
      counts: new Array(this.bounds.length + 1).fill(0),
    };
    this.#series.set(seriesKey, series);
    return series;
  }
}

/** The metrics of plugins. Each is created with its first value, so an unused one costs nothing. */
export class PluginMetricValues {
  readonly #families = new Map<string, { readonly family: MetricFamily; readonly declared: MetricDeclaration }>();
  readonly #listeners: ((family: MetricFamily) => void)[] = [];

  /**
   * Calls the listener with all existing metrics, and with each new one. A new metric replaces an older one of the same
   * name.
   */
  onFamily(listener: (family: MetricFamily) => void): void {
    for (const { family } of this.#families.values()) listener(family);
    this.#listeners.push(listener);
  }

  /**
   * Applies a change to a metric of a plugin.
   * @throws HostError `invalid_argument`
   */
  change({ plugin, declared, change, name, value, labels }: MetricChange): void {
    const metric = Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (metric === undefined) throw argumentError(change, `${plugin} declares no metric ${String(name)}`);
    if (metric.kind !== KIND_OF_CHANGE[change]) throw argumentError(change, `${name} is a ${metric.kind}`);
    if (typeof value !== 'number' || !Number.isFinite(value) || (change === 'add' && value < 0)) {
      throw argumentError(change, `${name} takes finite numbers${change === 'add' ? ' of 0 or more' : ''}`);
    }
    const names = metric.labels ?? [];
    const givenNames = Object.keys(labels);
    const doLabelsFit = givenNames.length === names.length && names.every((label) => isValue(labels[label]));
    if (!doLabelsFit)
      throw argumentError(
        change,
        `${name} has the labels ${names.join(', ') || '(none)'}, texts of at most ${MAX_VALUE_LENGTH}`,
      );
    this.#family(exportedName(plugin, name), metric).change(change, value, labels);
  }

  #family(name: string, declaration: MetricDeclaration): MetricFamily {
    const existingFamily = this.#families.get(name);
    if (
      existingFamily !== undefined &&
      (existingFamily.declared === declaration || areEqual(existingFamily.declared, declaration))
    )
      return existingFamily.family;
    // Another version of the plugin declares the metric differently: start a new one.
    const family = new MetricFamily(name, declaration);
    this.#families.set(name, { family, declared: declaration });
    for (const listener of this.#listeners) listener(family);
    return family;
  }
}

/**
 * Returns the exported name, which is unique for each plugin. In the plugin's name, `-` becomes `_`, `_` is doubled,
 * and other characters are replaced by their code points.
 */
function exportedName(plugin: string, name: string): string {
  const prefix = plugin.replace(/[^a-zA-Z0-9]/g, (character) => {
    if (character === '-') return '_';
    return character === '_' ? '__' : `_x${character.codePointAt(0)?.toString(16)}_`;
  });
  return `plugin_${prefix}_${name}`;
}

function isValue(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_VALUE_LENGTH;
}

function areEqual(first: MetricDeclaration, second: MetricDeclaration): boolean {
  return JSON.stringify(first) === JSON.stringify(second);
}

function argumentError(change: Change, message: string): HostError {
  return new HostError('invalid_argument', `metrics.${change}: ${message}`);
}
