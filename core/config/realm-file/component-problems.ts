import { type JsonSchema, KeyProvider } from '@keyhost/spi';
import type { SchemaProblem } from '../json/schema-check.js';
import { problemsOfUse, settingValue } from './use-problems.js';

const NO_SETTINGS: JsonSchema = { type: 'object', properties: {}, additionalProperties: false };

/** What the host reads of every key component. */
const SETTINGS_OF_KEYS: readonly string[] = ['priority', 'enabled', 'active', 'kid'];

/**
 * What is wrong with the `config` of a component of a plugin.
 * @param spi id of the kind of its provider
 * @param declared the provider's settings; keys whose provider declares none have none
 */
export function componentProblems(
  spi: string,
  declared: JsonSchema | undefined,
  config: Readonly<Record<string, readonly string[]>>,
): readonly SchemaProblem[] {
  const isKey = spi === KeyProvider.id;
  const settings = declared ?? (isKey ? NO_SETTINGS : undefined);
  if (settings === undefined) return [];
  const { properties = {} } = settings;
  const isHosts = (name: string) => isKey && SETTINGS_OF_KEYS.includes(name) && !Object.hasOwn(properties, name);
  // A component has a list of texts of each setting.
  const texts = Object.entries(config).map(([name, list]) => [name, list.filter((text) => text !== '')] as const);
  const given = texts.filter(([name, list]) => list.length > 0 && !isHosts(name));
  const values = given.map(([name, list]) => [name, componentValue(properties[name] ?? {}, list.join('##'))] as const);
  return problemsOfUse(settings, Object.fromEntries(values));
}

/** As in Keycloak, `true` and `false` of a component may have another case. */
function componentValue(schema: JsonSchema, text: string): unknown {
  return settingValue(schema, schema.type === 'boolean' ? text.toLowerCase() : text);
}
