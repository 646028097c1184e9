import type { Json, JsonObject, JsonSchema } from '../../json-schema.js';
import type { ProviderDefinition } from '../../plugin.js';
import { type ByProvider, type EnabledValues, nameOf, realmConfigOf, settingsOf } from '../enabled-settings.js';
import { findUnfit, samples } from './sample.js';

/** The configuration in plugins.json: the test's values, and made-up values for the others that the schemas require. */
export function sampleConfig(providers: readonly ProviderDefinition[], given: ByProvider): ByProvider {
  const entries = providers.flatMap((definition) => {
    const config = {
      ...(definition.config === undefined ? {} : samples(definition.config)),
      ...given[nameOf(definition)],
    };
    return Object.keys(config).length === 0 ? [] : [[nameOf(definition), config] as const];
  });
  return { ...given, ...Object.fromEntries(entries) };
}

/**
 * Describes the values that do not match their schema, because `samples` cannot make up matching ones.
 * @returns a sentence for each setting, with the option that sets it
 */
export function describeMismatches(
  providers: readonly ProviderDefinition[],
  config: ByProvider,
  values: EnabledValues,
): readonly string[] {
  return providers.flatMap((definition) => {
    const settings = definition.declaration.settings as JsonSchema | undefined;
    return [
      ...describeUnfit(definition, 'config', definition.config, config[nameOf(definition)]),
      ...describeUnfit(definition, 'realmConfig', definition.realmConfig, realmConfigOf(definition, values, undefined)),
      ...describeUnfit(definition, 'settings', settings, settingsOf(definition, values)),
    ];
  });
}

function describeUnfit(
  definition: ProviderDefinition,
  member: 'config' | 'realmConfig' | 'settings',
  schema: JsonSchema | undefined,
  values: JsonObject | undefined,
): string[] {
  if (schema === undefined || values === undefined) return [];
  return findUnfit(schema, values, '').map((path) => {
    const [name = ''] = path.split(/[.[]/);
    const option = `${member}: { '${nameOf(definition)}': { ${JSON.stringify(name)}: … } }`;
    const value = JSON.stringify(values[name] as Json);
    return `${nameOf(definition)}: ${member} ${path}: ${value} does not match its schema: give the schema \`examples\`, or pass \`${option}\``;
  });
}
