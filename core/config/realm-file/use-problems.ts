import type { JsonSchema } from '@keyhost/spi';
import { didYouMean } from '../did-you-mean.js';
import { compileSchema, type SchemaProblem, schemaProblems } from '../json/schema-check.js';

/**
 * What is wrong with the settings of one use of a provider.
 * @param settings the schema that the provider declares
 * @param values in the types of the schema
 */
export function problemsOfUse(settings: JsonSchema, values: Readonly<Record<string, unknown>>): SchemaProblem[] {
  const check = compileSchema(settings);
  if (check(values)) return [];
  return schemaProblems(check).map((problem) => {
    const [name] = problem.path;
    const { type } = settings.properties?.[String(name)] ?? {};
    // Whoever reads the text compares it with "true" or "false", and may know no other case.
    const suggestion = type === 'boolean' ? didYouMean(String(values[String(name)]), BOOLEANS, 2) : undefined;
    return suggestion === undefined ? problem : { ...problem, suggestion };
  });
}

const BOOLEANS = ['true', 'false'];

/** Keycloak keeps settings as texts: numbers and booleans in their JSON form, lists with `##` between their items. */
export function settingValue({ type, items }: JsonSchema, text: string): unknown {
  switch (type) {
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : text;
    case 'integer':
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    case 'array':
      return text.split('##').map((item) => settingValue(items ?? {}, item));
    default:
      return text;
  }
}

/** The same of Keycloak's own providers: it reads a boolean of any text. */
export function laxValue(schema: JsonSchema, text: string): unknown {
  return schema.type === 'boolean' ? text === 'true' : settingValue(schema, text);
}
