/** A metric of a plugin, declared in its manifest. */
export interface MetricDeclaration {
  /** The value of a counter only grows, and its name ends in `_total`. */
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** The meaning of the metric and its unit, for operators. */
  readonly help: string;
  /** Names of labels, at most 5. */
  readonly labels?: readonly string[];
  /** Upper bounds of a histogram, at most 30, ascending. Default: seconds from 0.005 to 10 */
  readonly buckets?: readonly number[];
}

/**
 * Metrics by name. A name has at most 64 lower-case letters, digits and `_`, and is exported as
 * `plugin_{plugin}_{name}`.
 */
export type MetricDeclarations = Readonly<Record<string, MetricDeclaration>>;

/** The values of a metric's labels: a text of at most 128 characters for each label that the metric declares. */
export type MetricLabels = Readonly<Record<string, string>>;

/**
 * The plugin's own metrics, exported on `/metrics` and by OpenTelemetry like the host's. They cover all realms on this
 * node since its start. A metric has at most 100 combinations of label values; further ones count as `other`.
 * @throws HostError `invalid_argument` (500) for an undeclared name, a wrong kind or label, or a value that is not
 * finite
 */
export interface PluginMetrics {
  /** Adds to a counter. @param by a number of 0 or more. Default: 1 */
  add(name: string, by?: number, labels?: MetricLabels): Promise<void>;
  /** Sets a gauge. */
  set(name: string, value: number, labels?: MetricLabels): Promise<void>;
  /** Records a value in a histogram. */
  observe(name: string, value: number, labels?: MetricLabels): Promise<void>;
}
