/** A metric of a plugin, declared in its manifest. */
export interface MetricDeclaration {
  /** A counter only grows, and its name ends in `_total`. */
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** What it counts and in which unit, for operators. */
  readonly help: string;
  /** Names of labels, at most 5. */
  readonly labels?: readonly string[];
  /** Upper bounds of a histogram, at most 30, ascending. Default: seconds from 0.005 to 10 */
  readonly buckets?: readonly number[];
}

/** By name: lower-case letters, digits and `_`, at most 64. Operators see `plugin_{plugin}_{name}`. */
export type MetricDeclarations = Readonly<Record<string, MetricDeclaration>>;

/** The values of a metric's labels: one text of at most 128 characters for each that it declares. */
export type MetricLabels = Readonly<Record<string, string>>;

/**
 * The plugin's own metrics, on `/metrics` and in OpenTelemetry as the host's own are: for all realms together, on this node, since
 * its start. A metric has 100 combinations of label values at most; what comes after them counts as `other`.
 * @throws HostError `invalid_argument` (500) for a metric of another name or kind, other labels, or a value that is not finite
 */
export interface PluginMetrics {
  /** Adds to a counter. @param by 0 or more. Default: 1 */
  add(name: string, by?: number, labels?: MetricLabels): Promise<void>;
  /** Sets a gauge. */
  set(name: string, value: number, labels?: MetricLabels): Promise<void>;
  /** Counts a value of a histogram. */
  observe(name: string, value: number, labels?: MetricLabels): Promise<void>;
}
