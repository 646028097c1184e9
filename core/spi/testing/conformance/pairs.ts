import type { JsonObject } from '../../json-schema.js';
import type { Plugin, ProviderDefinition } from '../../plugin.js';
import { type EnabledValues, nameOf } from '../enabled-settings.js';
import { testRealm, withEnabled, withRealmConfig } from '../test-realm.js';

/** The users for whom an exercise runs at the same time, each in a realm of its own. */
const USERS = ['alice', 'bob'] as const;

/** Two realms in which the same providers are enabled. */
export interface Pair {
  readonly places: readonly { readonly realm: string; readonly username: string }[];
  /** The providers that the kit calls here. */
  readonly definitions: readonly ProviderDefinition[];
  readonly enabled: readonly ProviderDefinition[];
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

/** Gates that providers of an SPI need nevertheless, because they are called by the gates or lead to them. */
const NEEDED_GATES: Readonly<Record<string, readonly string[]>> = {
  credential: ['authenticator', 'required-action'],
  authenticator: ['required-action'],
};

/**
 * The realms in which the kit calls each provider. Other providers of the plugin that could interfere are disabled
 * there, such as a step that shows its own page before a required action.
 */
export function pairsOf(plugin: Plugin, definitions: readonly ProviderDefinition[]): readonly Pair[] {
  const pairsByKey = new Map<string, Pair>();
  for (const definition of definitions) {
    const enabled = enabledFor(definition, plugin);
    const key = enabled.map(nameOf).join(' ');
    const existing = pairsByKey.get(key);
    const places = existing?.places ?? placesOf(pairsByKey.size);
    pairsByKey.set(key, { places, enabled, definitions: [...(existing?.definitions ?? []), definition] });
  }
  return [...pairsByKey.values()];
}

/** The pair with the whole plugin enabled, for the calls of the test itself: one of these pairs, or a new one. */
export function wholePair(plugin: Plugin, pairs: readonly Pair[]): Pair {
  const existing = pairs.find(({ enabled }) => enabled.length === plugin.providers.length);
  return existing ?? { places: placesOf(pairs.length), enabled: plugin.providers, definitions: [] };
}

/**
 * The realm files of a pair. Disabled providers are configured, too, because enabled ones may share their
 * configuration.
 */
export function realmsOf({ places, enabled }: Pair, plugin: Plugin, values: EnabledValues): JsonObject[] {
  const disabled = plugin.providers.filter((definition) => !enabled.includes(definition));
  return places.map(({ realm }) => {
    const file = withEnabled(testRealm(realm), [{ ...plugin, providers: enabled }], values);
    return disabled.reduce((result, definition) => withRealmConfig(result, definition, values), file);
  });
}

function placesOf(index: number): Pair['places'] {
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
