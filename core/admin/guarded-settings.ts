import { isDeepStrictEqual } from 'node:util';
import { Authenticator, type Carried, FormAction, type JsonSchema, PasswordPolicy, RequiredAction } from '@keyhost/spi';
import { configPlace } from '../config/realm-file/config-place.js';
import type { RealmRepresentation } from '../model/representation.js';
import { configsWithBuiltIns, flowsWithBuiltIns } from '../realms/flows/built-in-flows.js';
import type { Providers } from '../registry/generations/generation.js';
import type { RegisteredProvider } from '../registry/loading/registered-provider.js';

/*
 * Guarded settings are settings of providers that decide who receives mails and credentials, or who can confirm an
 * identity (`Spi.carries`). Anyone who can change them could sign in as any user of the realm, including its
 * administrators.
 */

export type ProviderList = Pick<Providers, 'find' | 'list'>;

/** The guarded settings of a realm. */
export interface GuardedSettings {
  /** By the path `providers.<spi>.<id>`: whether the provider is enabled, and its guarded settings. */
  readonly providers: ReadonlyMap<string, unknown>;
  /** The guarded settings of each use of a provider (flow step, required action, password policy), by its path. */
  readonly uses: ReadonlyMap<string, ProviderUse>;
}

interface ProviderUse {
  readonly provider: string;
  /** A description of the settings and their location, for messages. */
  readonly description: string;
  /** Empty if the use has no guarded settings. */
  readonly settings: Readonly<Record<string, unknown>>;
}

const NONE: GuardedSettings = { providers: new Map(), uses: new Map() };

/**
 * Collects the guarded settings of a realm.
 * @param providers undefined for changes that cannot affect a guarded setting, such as client registrations
 */
export function guardedSettings(realm: RealmRepresentation, providers: ProviderList | undefined): GuardedSettings {
  if (providers === undefined) return NONE;
  return {
    providers: providerSettings(realm, providers),
    uses: new Map([
      ...stepUses(realm, providers),
      ...requiredActionUses(realm, providers),
      ...policyUses(realm, providers),
    ]),
  };
}

/**
 * Describes a guarded setting that a change sets, changes or removes; undefined if there is none. A new use is allowed
 * if it has no guarded settings. It may also have the same ones as another use of its provider, for example in a copied
 * flow.
 * @returns the path of a provider's settings, or the description of a use
 */
export function describeChangedSetting(before: GuardedSettings, after: GuardedSettings): string | undefined {
  for (const [path, state] of after.providers) {
    if (!isDeepStrictEqual(state, before.providers.get(path))) return path;
  }
  const previousUses = [...before.uses.values()];
  for (const [path, use] of after.uses) {
    const previousUse = before.uses.get(path);
    const isSame = (candidate: ProviderUse) =>
      candidate.provider === use.provider && isDeepStrictEqual(candidate.settings, use.settings);
    if (previousUse !== undefined && isSame(previousUse)) continue;
    const isRemoved = previousUse !== undefined && previousUse.provider === use.provider && isEmpty(use.settings);
    if (isRemoved || (!isEmpty(use.settings) && !previousUses.some(isSame))) return use.description;
  }
  return undefined;
}

function providerSettings(realm: RealmRepresentation, providers: ProviderList): Map<string, unknown> {
  const settings = new Map<string, unknown>();
  for (const provider of providers.list()) {
    const { spi, id, plugin } = provider;
    const location = configPlace(provider);
    const storedConfig = realm.providers?.[location.spi]?.[location.id]?.config ?? {};
    const config = guardedMembers(storedConfig, location.schema, provider);
    const hasGuardedSwitch = spi.enabledBy === 'providers' && isEnablingGuarded(provider);
    const enabled = hasGuardedSwitch ? (realm.providers?.[spi.id]?.[id]?.enabled ?? plugin.builtin) : undefined;
    settings.set(`providers.${spi.id}.${id}`, { enabled, config });
  }
  return settings;
}

/**
 * Enabling one of the host's own authenticators is not guarded. Enabling another built-in mail sender or vault is: it
 * would replace a plugin, and receive its mails or secrets.
 */
function isEnablingGuarded(provider: RegisteredProvider): boolean {
  const sensitiveData = sensitiveDataOf(provider);
  return sensitiveData !== 'nothing' && !(provider.plugin.builtin && sensitiveData === 'proof');
}

function* stepUses(realm: RealmRepresentation, providers: ProviderList): Iterable<[string, ProviderUse]> {
  const flows = flowsWithBuiltIns(realm.authenticationFlows);
  const configs = new Map(configsWithBuiltIns(realm.authenticatorConfig).map((entry) => [entry.alias, entry.config]));
  for (const { alias, authenticationExecutions = [] } of flows) {
    for (const [index, { id, authenticator, authenticatorConfig }] of authenticationExecutions.entries()) {
      if (authenticator === undefined) continue;
      const provider = providers.find(Authenticator, authenticator) ?? providers.find(FormAction, authenticator);
      const settings = guardedMembers(configs.get(authenticatorConfig ?? '') ?? {}, settingsOf(provider), provider);
      const name = `the settings of the step ${authenticator} of the flow ${alias}`;
      yield [`flow ${id ?? JSON.stringify([alias, index])}`, { provider: authenticator, description: name, settings }];
    }
  }
}

function* requiredActionUses(realm: RealmRepresentation, providers: ProviderList): Iterable<[string, ProviderUse]> {
  for (const { alias, providerId = alias, config = {} } of realm.requiredActions ?? []) {
    const provider = providers.find(RequiredAction, providerId);
    const settings = guardedMembers(config, settingsOf(provider), provider);
    const name = `the settings of the required action ${alias}`;
    yield [`required action ${alias}`, { provider: providerId, description: name, settings }];
  }
}

/** The string values of plugins' password policies. A number cannot determine where a password is sent. */
function* policyUses(
  { passwordPolicy }: RealmRepresentation,
  providers: ProviderList,
): Iterable<[string, ProviderUse]> {
  const terms = String(passwordPolicy ?? '').split(' and ');
  for (const [index, term] of terms.entries()) {
    const [id = '', ...value] = term.split('(').map((part) => part.trim());
    const provider = providers.find(PasswordPolicy, id);
    const schema = provider?.declaration.value;
    const isUnguarded = provider === undefined || provider.plugin.builtin || schema?.guarded === false;
    if (isUnguarded || schema?.type !== 'string') continue;
    const settings = value.length === 0 ? {} : { value: value.join('(') };
    yield [
      `password policy ${index}`,
      { provider: id, description: `the value of the password policy ${id}`, settings },
    ];
  }
}

function settingsOf(provider: RegisteredProvider | undefined): JsonSchema | undefined {
  return (provider?.declaration as { readonly settings?: JsonSchema } | undefined)?.settings;
}

/**
 * The members of a configuration that are guarded.
 * @param provider undefined if no loaded plugin has it. Then all members are guarded, because a plugin that is
 * installed later could use them for anything
 */
function guardedMembers(
  config: Readonly<Record<string, unknown>>,
  schema: JsonSchema | undefined,
  provider: RegisteredProvider | undefined,
): Readonly<Record<string, unknown>> {
  // Settings of the host's own providers are unguarded unless declared otherwise.
  const isGuarded = provider === undefined || (!provider.plugin.builtin && sensitiveDataOf(provider) !== 'nothing');
  const members = Object.entries(config).filter(([name]) => {
    const memberSchema = Object.hasOwn(schema?.properties ?? {}, name) ? schema?.properties?.[name] : undefined;
    return memberSchema?.guarded ?? isGuarded;
  });
  return Object.fromEntries(members);
}

function sensitiveDataOf({ spi: { carries }, declaration }: RegisteredProvider): Carried | 'nothing' | 'unknown' {
  if (typeof carries !== 'function') return carries ?? 'unknown';
  return carries((declaration ?? {}) as Readonly<Record<string, unknown>>);
}

function isEmpty(settings: object): boolean {
  return Object.keys(settings).length === 0;
}
