import type { JsonSchema } from '@keyhost/spi';
import type { RealmRepresentation } from '../../model/representation.js';
import { compileSchema, schemaProblems } from '../json/schema-check.js';
import type { ProviderSchema } from './provider-checks.js';
import type { Complain } from './realm-names.js';

/**
 * What a realm gives to the steps and conditions of its flows, by the settings that each of them declares.
 * @param isWhole false while an admin edits the flows: the console adds a step first, and its settings later
 */
export function checkSettings(
  { authenticationFlows = [], authenticatorConfig = [] }: RealmRepresentation,
  providers: readonly ProviderSchema[],
  complain: Complain,
  isWhole: boolean,
): void {
  const declared = new Map(
    providers.flatMap(({ spi, id, settings }) => (spi === 'authenticator' && settings ? [[id, settings]] : [])),
  );
  const uses = new Map<string, readonly [settings: JsonSchema, index: number]>();
  for (const [flow, { authenticationExecutions = [] }] of authenticationFlows.entries()) {
    for (const [at, execution] of authenticationExecutions.entries()) {
      const { authenticator = '', authenticatorConfig: alias, requirement } = execution;
      const settings = declared.get(authenticator);
      if (settings === undefined) continue;
      const index = authenticatorConfig.findIndex((config) => config.alias === alias);
      // Steps of one sort may share what they are given.
      if (index >= 0) uses.set(`${index} ${authenticator}`, [settings, index]);
      else if (isWhole && requirement !== 'DISABLED') {
        const path = ['authenticationFlows', flow, 'authenticationExecutions', at];
        for (const name of settings.required ?? []) {
          complain(
            path,
            `"${authenticator}" needs the setting "${name}": name an entry of authenticatorConfig that has it`,
          );
        }
      }
    }
  }
  for (const [settings, index] of uses.values()) {
    const check = compileSchema(settings);
    if (check(valuesOf(settings, authenticatorConfig[index]?.config ?? {}))) continue;
    for (const { path, message, suggestion } of schemaProblems(check)) {
      if (isWhole || path.length > 0) complain(['authenticatorConfig', index, 'config', ...path], message, suggestion);
    }
  }
}

/** Keycloak keeps settings as texts: numbers and booleans in their JSON form, lists with `##` between their items. */
function valuesOf(settings: JsonSchema, config: Readonly<Record<string, string>>): Record<string, unknown> {
  const given = Object.entries(config).filter(([, text]) => text !== '');
  return Object.fromEntries(given.map(([name, text]) => [name, settingValue(settings.properties?.[name] ?? {}, text)]));
}

function settingValue({ type, items }: JsonSchema, text: string): unknown {
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
