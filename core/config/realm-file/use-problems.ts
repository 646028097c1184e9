import type { JsonSchema } from '@keyhost/spi';
import { didYouMean } from '../did-you-mean.js';
import { compileSchema, type SchemaProblem, schemaProblems } from '../json/schema-check.js';
import type { ConfigUse, SettingsReader } from './config-uses.js';
import { hasPluginReader, unknownSettings } from './unknown-settings.js';

/**
 * Finds the errors in one use: wrong values and missing settings, by the schema of each reader, and misspelt settings
 * of plugins. Keycloak accepts any settings for its mappers, required actions and client authenticators, so of the
 * built-in providers only steps are checked.
 * @returns problems with paths within `config`
 */
export function useProblems(use: ConfigUse): SchemaProblem[] {
  const { kind, readers } = use;
  const checked = readers.filter(({ builtin }) => builtin !== true || kind === 'step');
  const problems = checked.flatMap((reader) => valueProblems(use, reader));
  // A client may have any other attributes, so a near miss is only a warning.
  if (kind === 'client' || !hasPluginReader(use)) return problems;
  const misspelt = unknownSettings(use).flatMap(({ name, suggestion }) =>
    suggestion === undefined ? [] : [{ path: [name], message: 'unknown key', suggestion }],
  );
  return [...problems, ...misspelt];
}

function valueProblems(
  { kind, config = {}, hostSettings }: ConfigUse,
  { settings, builtin }: SettingsReader,
): SchemaProblem[] {
  if (settings === undefined) return [];
  const { properties = {} } = settings;
  const isForeign = (name: string) => kind === 'client' || hostSettings.includes(name);
  const configured = Object.entries(config).filter(
    ([name, text]) => text !== '' && (Object.hasOwn(properties, name) || !isForeign(name)),
  );
  const readValue = builtin === true ? readLaxSetting : readSetting;
  const values: Readonly<Record<string, unknown>> = Object.fromEntries(
    configured.map(([name, text]) => [name, readValue(properties[name] ?? {}, text)]),
  );
  const check = compileSchema(settings);
  if (check(values)) return [];
  return schemaProblems(check).map((problem) => {
    const [name] = problem.path;
    const { type } = properties[String(name)] ?? {};
    // Only the exact words "true" and "false" are booleans, so a value such as "True" gets a suggestion.
    const suggestion = type === 'boolean' ? didYouMean(String(values[String(name)]), BOOLEANS, 2) : undefined;
    return suggestion === undefined ? problem : { ...problem, suggestion };
  });
}

const BOOLEANS = ['true', 'false'];

/**
 * Converts a setting's text to the type in its schema. Keycloak stores numbers and booleans as in JSON, and lists with
 * `##` between the items. Another text stays a string.
 */
function readSetting({ type, items }: JsonSchema, text: string): unknown {
  switch (type) {
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : text;
    case 'integer':
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    case 'array':
      return text.split('##').map((item) => readSetting(items ?? {}, item));
    default:
      return text;
  }
}

/** Like `readSetting`, for built-in providers, which read any text as a boolean. */
function readLaxSetting(schema: JsonSchema, text: string): unknown {
  return schema.type === 'boolean' ? text === 'true' : readSetting(schema, text);
}
