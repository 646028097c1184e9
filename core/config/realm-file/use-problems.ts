import type { JsonSchema } from '@keyhost/spi';
import { didYouMean } from '../did-you-mean.js';
import { compileSchema, type SchemaProblem, schemaProblems } from '../json/schema-check.js';
import type { ConfigUse, Reader } from './config-uses.js';
import { isOfPlugin, unreadNames } from './unread-names.js';

/**
 * The errors in one use: wrong values and missing settings, by the schema that each reader declares, and misspelt settings of
 * plugins. Keycloak takes any settings of its own mappers and required actions, so that Keyhost checks plugins' and steps alone.
 * @returns problems with their paths in `config`
 */
export function useProblems(use: ConfigUse): SchemaProblem[] {
  const { of, readers } = use;
  const checked = readers.filter(({ builtin }) => builtin !== true || of === 'step');
  const problems = checked.flatMap((reader) => valueProblems(use, reader));
  // A client may have any other attributes: a similar name is only a warning.
  if (of === 'client' || !isOfPlugin(use)) return problems;
  const misspelt = unreadNames(use).flatMap(({ name, near }) =>
    near === undefined ? [] : [{ path: [name], message: 'unknown key', suggestion: near }],
  );
  return [...problems, ...misspelt];
}

function valueProblems({ of, config = {}, ofHost }: ConfigUse, { settings, builtin }: Reader): SchemaProblem[] {
  if (settings === undefined) return [];
  const { properties = {} } = settings;
  const isOfOthers = (name: string) => of === 'client' || ofHost.includes(name);
  const own = Object.entries(config).filter(
    ([name, text]) => text !== '' && (Object.hasOwn(properties, name) || !isOfOthers(name)),
  );
  const read = builtin === true ? laxValue : settingValue;
  const values: Readonly<Record<string, unknown>> = Object.fromEntries(
    own.map(([name, text]) => [name, read(properties[name] ?? {}, text)]),
  );
  const check = compileSchema(settings);
  if (check(values)) return [];
  return schemaProblems(check).map((problem) => {
    const [name] = problem.path;
    const { type } = properties[String(name)] ?? {};
    // Whoever reads the text compares it with "true" or "false", and may know no other case.
    const suggestion = type === 'boolean' ? didYouMean(String(values[String(name)]), BOOLEANS, 2) : undefined;
    return suggestion === undefined ? problem : { ...problem, suggestion };
  });
}

const BOOLEANS = ['true', 'false'];

/** Keycloak keeps settings as texts: numbers and booleans in their JSON form, lists with `##` between their items. */
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

/** The same of Keycloak's own providers: it reads a boolean of any text. */
function laxValue(schema: JsonSchema, text: string): unknown {
  return schema.type === 'boolean' ? text === 'true' : settingValue(schema, text);
}
