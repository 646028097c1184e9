import type { JsonObject, JsonSchema } from '../json-schema.js';
import type { ProviderDefinition } from '../plugin.js';
import { samples } from './conformance/sample.js';

/** Values by `spi/id`. */
export type ByProvider = Readonly<Record<string, JsonObject>>;

/** Values for the providers in a test's realm. Required values that are not among them are made up from the schemas. */
export interface EnabledValues {
  /** The `settings` of a step, action, mapper, policy, validator or key, by `spi/id`. */
  readonly settings?: ByProvider;
  /** The configuration in the realm's `providers`, by `spi/id`. */
  readonly realmConfig?: ByProvider;
}

/** Returns a provider's name as `spi/id`. */
export const nameOf = ({ spi, id }: Pick<ProviderDefinition, 'spi' | 'id'>) => `${spi.id}/${id}`;

/** The `settings` of a provider: the test's values, and made-up values for the others that the schema requires. */
export function settingsOf(definition: ProviderDefinition, { settings = {} }: EnabledValues): JsonObject {
  const schema = definition.declaration.settings as JsonSchema | undefined;
  return { ...(schema === undefined ? {} : samples(schema)), ...settings[nameOf(definition)] };
}

/**
 * The configuration of a provider in a realm, as `settingsOf`; undefined if it requires none, or uses that of another
 * provider.
 * @param own the configuration that the realm has already, to which no made-up values are added
 */
export function realmConfigOf(
  definition: ProviderDefinition,
  { realmConfig = {} }: EnabledValues,
  own: JsonObject | undefined,
): JsonObject | undefined {
  const testConfig = realmConfig[nameOf(definition)];
  if (definition.sharesConfig !== undefined && testConfig === undefined) return own;
  const sampled = own === undefined && definition.realmConfig !== undefined ? samples(definition.realmConfig) : {};
  const config = { ...own, ...sampled, ...testConfig };
  return Object.keys(config).length === 0 ? own : config;
}
