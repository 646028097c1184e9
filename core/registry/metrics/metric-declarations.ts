import type { JsonSchema, MetricDeclaration } from '@keyhost/spi';

const NAME = '^[a-z][a-z0-9_]{0,63}$';
/** Matches label names, except the reserved ones: `le`, `quantile`, and names that begin with two underscores. */
const LABEL = '^(?!__|le$|quantile$)[a-z_][a-z0-9_]{0,63}$';

/** The schema of a plugin's `metrics`. */
export const METRICS: JsonSchema = {
  type: 'object',
  propertyNames: { pattern: NAME },
  maxProperties: 100,
  additionalProperties: {
    type: 'object',
    properties: {
      kind: { enum: ['counter', 'gauge', 'histogram'] },
      help: { type: 'string', minLength: 1, maxLength: 500 },
      labels: { type: 'array', items: { type: 'string', pattern: LABEL }, maxItems: 5, uniqueItems: true },
      buckets: { type: 'array', items: { type: 'number' }, minItems: 1, maxItems: 30, uniqueItems: true },
    },
    required: ['kind', 'help'],
    additionalProperties: false,
  },
};

/** Describes a problem of a metric that the schema cannot express; undefined if there is none. */
export function metricProblem(name: string, { kind, buckets = [] }: MetricDeclaration): string | undefined {
  if ((kind === 'counter') !== name.endsWith('_total')) return 'a name ends in _total if it is that of a counter';
  if (buckets.length > 0 && kind !== 'histogram') return 'only a histogram has buckets';
  return buckets.some((bound, index) => index > 0 && bound <= (buckets[index - 1] as number))
    ? 'buckets must ascend'
    : undefined;
}
