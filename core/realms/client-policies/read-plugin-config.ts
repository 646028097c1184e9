import type { Json, JsonSchema } from '@keyhost/spi';
import { readAsJackson } from '../../config/json/jackson.js';
import { compileSchema, type SchemaProblem, schemaProblems } from '../../config/json/schema-check.js';
import { NEGATIVE_LOGIC } from './condition.js';
import type { PolicyConfig } from './property.js';
import { withoutOffNegations } from './read-config.js';

export interface PluginConfig {
  /** With the defaults of the settings. */
  readonly config: Readonly<Record<string, Json>>;
  /** True: the vote of the condition is turned around. */
  readonly isNegated: boolean;
  /** With places below the configuration. */
  readonly problems: readonly SchemaProblem[];
}

const NONE: JsonSchema = { type: 'object' };
const SCHEMAS = new WeakMap<JsonSchema, Record<'condition' | 'executor', JsonSchema>>();

/** A condition of a plugin has the host's negation in addition to its own settings. Any other key is a mistake. */
function schemasOf(settings: JsonSchema): Record<'condition' | 'executor', JsonSchema> {
  let schemas = SCHEMAS.get(settings);
  if (schemas === undefined) {
    const executor: JsonSchema = { properties: {}, ...settings, additionalProperties: false };
    const properties = { ...executor.properties, [NEGATIVE_LOGIC.name]: { type: 'boolean' } } as const;
    schemas = { executor, condition: { ...executor, properties } };
    SCHEMAS.set(settings, schemas);
  }
  return schemas;
}

/** The configuration of a plugin's condition or executor in a realm, in the types of its settings. */
export function readPluginConfig(
  kind: 'condition' | 'executor',
  settings: JsonSchema = NONE,
  configuration: PolicyConfig = {},
): PluginConfig {
  const schema = schemasOf(settings)[kind];
  const read = structuredClone(configuration) as Record<string, Json>;
  if (kind === 'condition') withoutOffNegations(read);
  readAsJackson(read, schema);
  const check = compileSchema(schema, { useDefaults: true });
  const problems = check(read) ? [] : schemaProblems(check);
  if (kind === 'executor') return { config: read, isNegated: false, problems };
  const { [NEGATIVE_LOGIC.name]: negation, ...config } = read;
  return { config, isNegated: negation === true, problems };
}
