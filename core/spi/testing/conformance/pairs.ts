import type { JsonObject } from '../../json-schema.js';
import type { Plugin, ProviderDefinition } from '../../plugin.js';
import { type EnabledValues, nameOf } from '../enabled-settings.js';
import { testRealm, withEnabled, withRealmConfig } from '../test-realm.js';

/** The users that an exercise runs for at the same time, each in a realm of their own. */
const USERS = ['alice', 'bob'] as const;

/** Two realms in which the same providers are enabled. */
export interface Pair {
  readonly places: readonly { readonly realm: string; readonly username: string }[];
  /** The providers that the kit calls here. */
  readonly definitions: readonly ProviderDefinition[];
  readonly enabled: readonly ProviderDefinition[];
}

/** Kinds whose providers can keep a user or a client from what a provider of another kind is called for. */
const GATES: ReadonlySet<string> = new Set([
  ...['authenticator', 'required-action', 'form-action', 'validator', 'password-policy'],
  ...['client-policy-condition', 'client-policy-executor', 'client-registration-policy'],
]);

/** Gates that providers of a kind need nevertheless: they are asked for by them, or lead on to them. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  credential: ['authenticator', 'required-action'],
  authenticator: ['required-action'],
};

/**
 * Where the kit calls each provider: without the other providers of the plugin that could answer before it, such as a step that
 * shows its own page to a user who is to reach a required action.
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

/** Where all of the plugin is enabled, for the calls that a test makes itself: one of these pairs, or another one. */
export function wholePair(plugin: Plugin, pairs: readonly Pair[]): Pair {
  const whole = pairs.find(({ enabled }) => enabled.length === plugin.providers.length);
  return whole ?? { places: placesOf(pairs.length), enabled: plugin.providers, definitions: [] };
}

/** The realm files of a pair. A provider that is not enabled is configured: another one may share its configuration. */
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
