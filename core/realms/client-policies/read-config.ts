import { readAsJackson } from '../../config/json/jackson.js';
import { compileSchema, type SchemaProblem, schemaProblems } from '../../config/json/schema-check.js';
import type { ClientPolicyCondition } from './condition.js';
import type { ClientPolicyExecutor } from './executor.js';
import { configSchema, type PolicyConfig, withDefaults } from './property.js';

/**
 * Spellings of `is-negative-logic` that tools write and Keycloak stores without effect. If the value is false, it has
 * no effect anyway. If it is true, the policy would apply to other clients than its author believes, so that stays a
 * mistake.
 */
const UNREAD_NEGATIONS = ['negative-logic', 'is_negative_logic'];

function isOff(value: unknown): boolean {
  return value === false || value === 'false' || value === null;
}

/** Removes these spellings if their value has no effect. */
export function withoutOffNegations(config: Record<string, unknown>): void {
  for (const name of UNREAD_NEGATIONS) if (isOff(config[name])) delete config[name];
}

/**
 * Returns the configured keys of an executor without properties. It always does the same, so ignoring them, as Keycloak
 * does, weakens nothing.
 */
export function unreadKeys(
  provider: ClientPolicyCondition | ClientPolicyExecutor,
  configuration: PolicyConfig,
): string[] {
  return provider.properties.length === 0 ? Object.keys(configuration) : [];
}

const SCHEMAS = new WeakMap<object, object>();

function schemaOf(provider: ClientPolicyCondition | ClientPolicyExecutor): object {
  let schema = SCHEMAS.get(provider);
  if (schema === undefined) {
    schema = configSchema(provider.properties);
    SCHEMAS.set(provider, schema);
  }
  return schema;
}

/**
 * Converts a configuration to the types of its properties, as Keycloak reads them: `"true"` is a boolean, a single
 * value is a list of one.
 * @returns `problems` with paths below the configuration
 */
export function readConfig(
  provider: ClientPolicyCondition | ClientPolicyExecutor,
  configuration: PolicyConfig,
): { config: PolicyConfig; problems: readonly SchemaProblem[] } {
  const config = structuredClone(configuration) as Record<string, unknown>;
  withoutOffNegations(config);
  for (const name of unreadKeys(provider, config)) delete config[name];
  const schema = schemaOf(provider);
  readAsJackson(config, schema);
  const check = compileSchema(schema);
  if (!check(config)) return { config, problems: schemaProblems(check) };
  const problem = provider.findMistake?.(withDefaults(provider.properties, config));
  return { config, problems: problem === undefined ? [] : [{ path: [], message: problem }] };
}
