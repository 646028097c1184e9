import { readAsJackson } from '../../config/json/jackson.js';
import { compileSchema, type SchemaProblem, schemaProblems } from '../../config/json/schema-check.js';
import type { ClientPolicyCondition } from './condition.js';
import type { ClientPolicyExecutor } from './executor.js';
import { configSchema, type PolicyConfig, withDefaults } from './property.js';

const SCHEMAS = new WeakMap<object, object>();

function schemaOf(what: ClientPolicyCondition | ClientPolicyExecutor): object {
  let schema = SCHEMAS.get(what);
  if (schema === undefined) {
    schema = configSchema(what.properties);
    SCHEMAS.set(what, schema);
  }
  return schema;
}

/**
 * A configuration in the types of its properties: `"true"` is a boolean, a single value a list of one, as Keycloak reads them.
 * @returns `problems` with places below the configuration
 */
export function readConfig(
  what: ClientPolicyCondition | ClientPolicyExecutor,
  configuration: PolicyConfig,
): { config: PolicyConfig; problems: readonly SchemaProblem[] } {
  const config = structuredClone(configuration) as Record<string, unknown>;
  const schema = schemaOf(what);
  readAsJackson(config, schema);
  const check = compileSchema(schema);
  if (!check(config)) return { config, problems: schemaProblems(check) };
  const mistake = what.mistake?.(withDefaults(what.properties, config));
  return { config, problems: mistake === undefined ? [] : [{ path: [], message: mistake }] };
}
