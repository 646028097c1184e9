import type { JsonSchema } from '@keyhost/spi';
import { didYouMean } from '../did-you-mean.js';
import { compileSchema, type SchemaProblem, schemaProblems } from '../json/schema-check.js';
import type { ConfigUse, SettingsReader } from './config-uses.js';
import { isOfPlugin, unknownSettings } from './unknown-settings.js';

/**
 * Finds the errors in one use: wrong values and missing settings, by the schema of each reader, and misspelt settings
 * of plugins. Keycloak accepts any settings of its own mappers and required actions, so only plugins and steps are
 * checked.
 * @returns problems with their paths in `config`
 */
export function useProblems(use: ConfigUse): SchemaProblem[] {
  const { kind, readers } = use;
  const checked = readers.filter(({ builtin }) => builtin !== true || kind === 'step');
  const problems = checked.flatMap((reader) => valueProblems(use, reader));
  // A client may have any other attributes, so a near miss is only a warning.
  if (kind === 'client' || !isOfPlugin(use)) return problems;
  const misspelt = unknownSettings(use).flatMap(({ name, near }) =>
    near === undefined ? [] : [{ path: [name], message: 'unknown key', suggestion: near }],
  );
  return [...problems, ...misspelt];
}

function valueProblems(
  { kind, config = {}, hostSettings }: ConfigUse,
  { settings, builtin }: SettingsReader,
): SchemaProblem[] {
  if (settings === undefined) return [];
  const { properties = {} } = settings;
  const isOfOthers = (name: string) => kind === 'client' || hostSettings.includes(name);
  const configured = Object.entries(config).filter(
    ([name, text]) => text !== '' && (Object.hasOwn(properties, name) || !isOfOthers(name)),
  );
  const read = builtin === true ? laxValue : settingValue;
  const values: Readonly<Record<string, unknown>> = Object.fromEntries(
    configured.map(([name, text]) => [name, read(properties[name] ?? {}, text)]),
  );
  const check = compileSchema(settings);
  if (check(values)) return [];
  return schemaProblems(check).map((problem) => {
    const [name] = problem.path;
    const { type } = properties[String(name)] ?? {};
    // The reader compares the text with "true" or "false", possibly case-sensitively.
    const suggestion = type === 'boolean' ? didYouMean(String(values[String(name)]), BOOLEANS, 2) : undefined;
    return suggestion === undefined ? problem : { ...problem, suggestion };
  });
}

const BOOLEANS = ['true', 'false'];

/**
 * Reads a setting from its text. Keycloak stores numbers and booleans in their JSON form, and lists with `##` between
 * the items.
 */
function settingValue({ type, items }: JsonSchema, text: string): unknown {
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

/** Reads a setting of Keycloak's own providers, where any text is a boolean. */
function laxValue(schema: JsonSchema, text: string): unknown {
  return schema.type === 'boolean' ? text === 'true' : settingValue(schema, text);
}
