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
const GATES: ReadonlySet<string> = new Set([
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
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  credential: ['authenticator', 'required-action'],
  authenticator: ['required-action'],
};

/**
 * The realms in which the kit calls each provider. Other providers of the plugin that could interfere are disabled
 * there, such as a step that shows its own page before a required action.
 */
export function pairsOf(plugin: Plugin, definitions: readonly ProviderDefinition[]): readonly Pair[] {
  const byNames = new Map<string, Pair>();
  for (const definition of definitions) {
    const enabled = enabledFor(definition, plugin);
    const key = enabled.map(nameOf).join(' ');
    const known = byNames.get(key);
    const places = known?.places ?? placesOf(byNames.size);
    byNames.set(key, { places, enabled, definitions: [...(known?.definitions ?? []), definition] });
  }
  return [...byNames.values()];
}

/** The pair with the whole plugin enabled, for the calls of the test itself: one of these pairs, or a new one. */
export function wholePair(plugin: Plugin, pairs: readonly Pair[]): Pair {
  const whole = pairs.find(({ enabled }) => enabled.length === plugin.providers.length);
  return whole ?? { places: placesOf(pairs.length), enabled: plugin.providers, definitions: [] };
}

/**
 * The realm files of a pair. Disabled providers are configured, too, because enabled ones may share their
 * configuration.
 */
export function realmsOf({ places, enabled }: Pair, plugin: Plugin, values: EnabledValues): JsonObject[] {
  const others = plugin.providers.filter((one) => !enabled.includes(one));
  return places.map(({ realm }) => {
    const file = withEnabled(testRealm(realm), [{ ...plugin, providers: enabled }], values);
    return others.reduce((made, definition) => withRealmConfig(made, definition, values), file);
  });
}

function placesOf(index: number): Pair['places'] {
  const suffix = index === 0 ? '' : `-${index + 1}`;
  return USERS.map((username, at) => ({ realm: `${'ab'[at]}${suffix}`, username }));
}

function enabledFor(definition: ProviderDefinition, { providers }: Plugin): ProviderDefinition[] {
  const needed = NEEDED[definition.spi.id] ?? [];
  return providers.filter((one) => one === definition || !GATES.has(one.spi.id) || needed.includes(one.spi.id));
}
