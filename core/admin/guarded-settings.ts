import { isDeepStrictEqual } from 'node:util';
import { Authenticator, type Carried, FormAction, type JsonSchema, PasswordPolicy, RequiredAction } from '@keyhost/spi';
import { configPlace } from '../config/realm-file/config-place.js';
import type { RealmRepresentation } from '../model/representation.js';
import { configsWithBuiltIns, flowsWithBuiltIns } from '../realms/flows/built-in-flows.js';
import type { Providers } from '../registry/generations/generation.js';
import type { RegisteredProvider } from '../registry/loading/registered-provider.js';

/*
 * Settings of providers that decide who receives mails and credentials, or who can confirm an identity (`Spi.carries`).
 * Their author could sign in as any user of the realm, an administrator included.
 */

export type ProviderList = Pick<Providers, 'find' | 'list'>;

/** The guarded settings of a realm. */
export interface GuardedSettings {
  /** State of each provider of `providers` by its path: whether it is enabled, and its guarded settings. */
  readonly providers: ReadonlyMap<string, unknown>;
  /**
   * Guarded settings of individual steps of flows, required actions and password policies. By path, with the provider.
   */
  readonly uses: ReadonlyMap<string, Use>;
}

interface Use {
  readonly provider: string;
  /** A description of the position, for messages. */
  readonly name: string;
  /** Empty if the use has no guarded settings. */
  readonly settings: Readonly<Record<string, unknown>>;
}

const NONE: GuardedSettings = { providers: new Map(), uses: new Map() };

/** @param providers undefined for changes that cannot reach a guarded setting, such as client registrations */
export function guardedSettings(realm: RealmRepresentation, providers: ProviderList | undefined): GuardedSettings {
  if (providers === undefined) return NONE;
  return {
    providers: providerSettings(realm, providers),
    uses: new Map([...steps(realm, providers), ...requiredActions(realm, providers), ...policies(realm, providers)]),
  };
}

/**
 * The path of a guarded setting that a change sets, changes or removes; undefined if there is none. A new use, such as
 * a step of a copied flow, may have no settings or those of another use of the same provider.
 */
export function changedSetting(before: GuardedSettings, after: GuardedSettings): string | undefined {
  for (const [place, state] of after.providers) {
    if (!isDeepStrictEqual(state, before.providers.get(place))) return place;
  }
  const known = [...before.uses.values()];
  for (const [place, use] of after.uses) {
    const was = before.uses.get(place);
    const isSame = (one: Use) => one.provider === use.provider && isDeepStrictEqual(one.settings, use.settings);
    if (was !== undefined && isSame(was)) continue;
    const isRemoved = was !== undefined && was.provider === use.provider && isEmpty(use.settings);
    if (isRemoved || (!isEmpty(use.settings) && !known.some(isSame))) return use.name;
  }
  return undefined;
}

function providerSettings(realm: RealmRepresentation, providers: ProviderList): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const provider of providers.list()) {
    const { spi, id, plugin } = provider;
    const place = configPlace(provider);
    const stated = realm.providers?.[place.spi]?.[place.id]?.config ?? {};
    const config = guardedOf(stated, place.schema, provider);
    const isSwitched = spi.enabledBy === 'providers' && isSwitchGuarded(provider);
    const enabled = isSwitched ? (realm.providers?.[spi.id]?.[id]?.enabled ?? plugin.builtin) : undefined;
    found.set(`providers.${spi.id}.${id}`, { enabled, config });
  }
  return found;
}

/**
 * Enabling the host's own proofs is safe. Enabling another built-in sender or vault is guarded: it gets mails and
 * secrets instead of a plugin.
 */
function isSwitchGuarded(provider: RegisteredProvider): boolean {
  const carried = carriedBy(provider);
  return carried !== 'nothing' && !(provider.plugin.builtin && carried === 'proof');
}

function* steps(realm: RealmRepresentation, providers: ProviderList): Iterable<[string, Use]> {
  const all = flowsWithBuiltIns(realm.authenticationFlows);
  const configs = new Map(configsWithBuiltIns(realm.authenticatorConfig).map((one) => [one.alias, one.config]));
  for (const { alias, authenticationExecutions = [] } of all) {
    for (const [index, { id, authenticator, authenticatorConfig }] of authenticationExecutions.entries()) {
      if (authenticator === undefined) continue;
      const provider = providers.find(Authenticator, authenticator) ?? providers.find(FormAction, authenticator);
      const settings = guardedOf(configs.get(authenticatorConfig ?? '') ?? {}, settingsOf(provider), provider);
      const name = `the settings of the step ${authenticator} of the flow ${alias}`;
      yield [`flow ${id ?? JSON.stringify([alias, index])}`, { provider: authenticator, name, settings }];
    }
  }
}

function* requiredActions(realm: RealmRepresentation, providers: ProviderList): Iterable<[string, Use]> {
  for (const { alias, providerId = alias, config = {} } of realm.requiredActions ?? []) {
    const provider = providers.find(RequiredAction, providerId);
    const settings = guardedOf(config, settingsOf(provider), provider);
    const name = `the settings of the required action ${alias}`;
    yield [`required action ${alias}`, { provider: providerId, name, settings }];
  }
}

/** String values of plugins' password policies. A number cannot determine where a password is sent. */
function* policies({ passwordPolicy }: RealmRepresentation, providers: ProviderList): Iterable<[string, Use]> {
  const terms = String(passwordPolicy ?? '').split(' and ');
  for (const [index, term] of terms.entries()) {
    const [id = '', ...value] = term.split('(').map((part) => part.trim());
    const provider = providers.find(PasswordPolicy, id);
    const schema = provider?.declaration.value;
    const isFree = provider === undefined || provider.plugin.builtin || schema?.guarded === false;
    if (isFree || schema?.type !== 'string') continue;
    const settings = value.length === 0 ? {} : { value: value.join('(') };
    yield [`password policy ${index}`, { provider: id, name: `the value of the password policy ${id}`, settings }];
  }
}

function settingsOf(provider: RegisteredProvider | undefined): JsonSchema | undefined {
  return (provider?.declaration as { readonly settings?: JsonSchema } | undefined)?.settings;
}

/**
 * @param provider undefined if no loaded plugin has it: a plugin that provides it later could use the settings for
 * anything
 */
function guardedOf(
  config: Readonly<Record<string, unknown>>,
  schema: JsonSchema | undefined,
  provider: RegisteredProvider | undefined,
): Readonly<Record<string, unknown>> {
  // Settings of the host's own providers are unguarded unless declared otherwise.
  const isGuarded = provider === undefined || (!provider.plugin.builtin && carriedBy(provider) !== 'nothing');
  const members = Object.entries(config).filter(([name]) => {
    const own = Object.hasOwn(schema?.properties ?? {}, name) ? schema?.properties?.[name] : undefined;
    return own?.guarded ?? isGuarded;
  });
  return Object.fromEntries(members);
}

function carriedBy({ spi: { carries }, declaration }: RegisteredProvider): Carried | 'nothing' | 'unknown' {
  if (typeof carries !== 'function') return carries ?? 'unknown';
  return carries((declaration ?? {}) as Readonly<Record<string, unknown>>);
}

function isEmpty(settings: object): boolean {
  return Object.keys(settings).length === 0;
}
