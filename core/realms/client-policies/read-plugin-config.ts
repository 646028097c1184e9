import type { Json, JsonSchema } from '@keyhost/spi';
import { readAsJackson } from '../../config/json/jackson.js';
import { compileSchema, type SchemaProblem, schemaProblems } from '../../config/json/schema-check.js';
import { NEGATIVE_LOGIC } from './condition.js';
import type { PolicyConfig } from './property.js';
import { withoutOffNegations } from './read-config.js';

export interface PluginConfig {
  /** The configuration with the defaults of the plugin's settings. */
  readonly config: Readonly<Record<string, Json>>;
  /** True if the condition's vote is inverted. */
  readonly isNegated: boolean;
  /** The problems, with paths relative to the configuration. */
  readonly problems: readonly SchemaProblem[];
}

const NO_SETTINGS: JsonSchema = { type: 'object' };
const SCHEMAS = new WeakMap<JsonSchema, Record<'condition' | 'executor', JsonSchema>>();

/**
 * Returns the schemas of a plugin's configuration. That of a condition has the host's negation in addition to the
 * plugin's settings. Any other key is a mistake.
 */
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

/**
 * Reads the configuration of a plugin's condition or executor in a realm, and converts it to the types of its settings.
 */
export function readPluginConfig(
  kind: 'condition' | 'executor',
  settings: JsonSchema = NO_SETTINGS,
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
