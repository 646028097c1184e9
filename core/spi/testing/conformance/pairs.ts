import type { JsonObject } from '../../json-schema.js';
import type { Plugin, ProviderDefinition } from '../../plugin.js';
import { type EnabledValues, nameOf } from '../enabled-settings.js';
import { testRealm, withEnabled, withRealmConfig } from '../test-realm.js';

/** The users for whom an exercise runs at the same time, each in their own realm. */
const USERS = ['alice', 'bob'] as const;

/** Two realms in which the same providers are enabled, with one user each. */
export interface RealmPair {
  readonly places: readonly { readonly realm: string; readonly username: string }[];
  /** The providers that the kit calls in these realms. */
  readonly definitions: readonly ProviderDefinition[];
  readonly enabledDefinitions: readonly ProviderDefinition[];
}

/** SPIs whose providers can prevent calls of a provider of another SPI, by refusing a user or a client. */
const GATE_SPIS: ReadonlySet<string> = new Set([
  'authenticator',
  'required-action',
  'form-action',
  'validator',
  'password-policy',
  'client-policy-condition',
  'client-policy-executor',
  'client-registration-policy',
]);

/**
 * The gate SPIs whose providers stay enabled for an SPI, because they call its providers or are reached through them.
 */
const NEEDED_GATES: Readonly<Record<string, readonly string[]>> = {
  credential: ['authenticator', 'required-action'],
  authenticator: ['required-action'],
};

/**
 * The realms in which the kit calls each provider. Other providers of the plugin that could interfere are disabled
 * there, such as a step that shows its own page before a required action.
 */
export function pairsOf(plugin: Plugin, definitions: readonly ProviderDefinition[]): readonly RealmPair[] {
  const pairsByKey = new Map<string, RealmPair>();
  for (const definition of definitions) {
    const enabledDefinitions = enabledFor(definition, plugin);
    const key = enabledDefinitions.map(nameOf).join(' ');
    const existing = pairsByKey.get(key);
    const places = existing?.places ?? placesOf(pairsByKey.size);
    pairsByKey.set(key, { places, enabledDefinitions, definitions: [...(existing?.definitions ?? []), definition] });
  }
  return [...pairsByKey.values()];
}

/** The pair in which all providers are enabled, for the test's own exercise: one of these pairs, or a new one. */
export function pairOfWholePlugin(plugin: Plugin, pairs: readonly RealmPair[]): RealmPair {
  const existing = pairs.find(({ enabledDefinitions }) => enabledDefinitions.length === plugin.providers.length);
  return existing ?? { places: placesOf(pairs.length), enabledDefinitions: plugin.providers, definitions: [] };
}

/**
 * The realm files of a pair. Disabled providers are configured, too, because enabled ones may share their
 * configuration.
 */
export function realmsOf(
  { places, enabledDefinitions }: RealmPair,
  plugin: Plugin,
  values: EnabledValues,
): JsonObject[] {
  const disabled = plugin.providers.filter((definition) => !enabledDefinitions.includes(definition));
  return places.map(({ realm }) => {
    const file = withEnabled(testRealm(realm), [{ ...plugin, providers: enabledDefinitions }], values);
    return disabled.reduce((result, definition) => withRealmConfig(result, definition, values), file);
  });
}

function placesOf(index: number): RealmPair['places'] {
  const suffix = index === 0 ? '' : `-${index + 1}`;
  return USERS.map((username, userIndex) => ({ realm: `${'ab'[userIndex]}${suffix}`, username }));
}

function enabledFor(definition: ProviderDefinition, { providers }: Plugin): ProviderDefinition[] {
  const neededGates = NEEDED_GATES[definition.spi.id] ?? [];
  return providers.filter(
    (candidate) =>
      candidate === definition || !GATE_SPIS.has(candidate.spi.id) || neededGates.includes(candidate.spi.id),
  );
}
