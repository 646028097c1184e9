import type { JsonObject, JsonSchema } from '../json-schema.js';
import type { ProviderDefinition } from '../plugin.js';
import { samples } from './conformance/sample.js';

/** Values by `spi/id`. */
export type ByProvider = Readonly<Record<string, JsonObject>>;

/** What a realm of a test says of providers, where what their schemas require is to be something else. */
export interface EnabledValues {
  /** The `settings` of a step, action, mapper, policy, validator or key, by `spi/id`. */
  readonly settings?: ByProvider;
  /** The configuration in the realm's `providers`, by `spi/id`. */
  readonly realmConfig?: ByProvider;
}

export const nameOf = ({ spi, id }: Pick<ProviderDefinition, 'spi' | 'id'>) => `${spi.id}/${id}`;

/** The `settings` of a provider: what the test gives, and made up what else their schema requires. */
export function settingsOf(definition: ProviderDefinition, { settings = {} }: EnabledValues): JsonObject {
  const schema = definition.declaration.settings as JsonSchema | undefined;
  return { ...(schema === undefined ? {} : samples(schema)), ...settings[nameOf(definition)] };
}

/**
 * The configuration of a provider in a realm, as `settingsOf`; undefined if it needs none, or another provider has it.
 * @param own what the realm says itself; nothing is added to it
 */
export function realmConfigOf(
  definition: ProviderDefinition,
  { realmConfig = {} }: EnabledValues,
  own: JsonObject | undefined,
): JsonObject | undefined {
  const given = realmConfig[nameOf(definition)];
  if (definition.sharesConfig !== undefined && given === undefined) return own;
  const made = own === undefined && definition.realmConfig !== undefined ? samples(definition.realmConfig) : {};
  const config = { ...own, ...made, ...given };
  return Object.keys(config).length === 0 ? own : config;
}
