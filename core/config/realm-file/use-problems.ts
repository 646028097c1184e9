import type { JsonSchema } from '@keyhost/spi';
import { compileSchema, type SchemaProblem, schemaProblems } from '../json/schema-check.js';

/**
 * What is wrong with the settings of one use of a provider.
 * @param settings the schema that the provider declares
 * @param values in the types of the schema
 */
export function problemsOfUse(settings: JsonSchema, values: Readonly<Record<string, unknown>>): SchemaProblem[] {
  const check = compileSchema(settings);
  return check(values) ? [] : schemaProblems(check);
}

/** Keycloak keeps settings as texts: numbers and booleans in their JSON form, lists with `##` between their items. */
export function settingValue({ type, items }: JsonSchema, text: string): unknown {
  switch (type) {
    case 'boolean':
      return text === 'true';
    case 'integer':
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    case 'array':
      return text.split('##').map((item) => settingValue(items ?? {}, item));
    default:
      return text;
  }
}
