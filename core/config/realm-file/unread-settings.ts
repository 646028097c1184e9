import type { RealmRepresentation } from '../../model/representation.js';
import { didYouMean } from '../did-you-mean.js';
import type { JsonPath } from '../json/json-document.js';
import type { SchemaProblem } from '../json/schema-check.js';
import { LEDGER } from '../settings/ledger.js';
import { type ConfigUse, configUses, OF_MAPPERS } from './config-uses.js';
import type { ProviderSchema } from './provider-checks.js';

/** By the kind of a provider, what the ledger calls it. */
const LEDGER_NAMES: Readonly<Record<string, string>> = {
  authenticator: 'Authenticator',
  'form-action': 'FormAction',
  'protocol-mapper': 'ProtocolMapper',
};
/** What any of Keycloak's own providers of a kind has: a realm that knows the name has not misspelt it. */
const OF_KEYCLOAK = new Map(
  Object.entries(LEDGER_NAMES).map(([spi, kind]) => [
    spi,
    new Set(
      Object.entries(LEDGER).flatMap(([owner, states]) => (owner.startsWith(`${kind} `) ? Object.keys(states) : [])),
    ),
  ]),
);

/**
 * Settings of plugins' steps, mappers and required actions whose names nearly are those that the provider declares. What
 * Keycloak's own providers are given is told alone, since Keycloak takes it.
 */
export function misspeltSettings(realm: RealmRepresentation, providers: readonly ProviderSchema[]): SchemaProblem[] {
  return configUses(realm, providers).flatMap((use) => {
    if (!isOfPlugin(use)) return [];
    return unreadNames(use).flatMap(({ name, near }) =>
      near === undefined ? [] : [{ path: [...use.path, name], message: 'unknown key', suggestion: near }],
    );
  });
}

/** A setting that is kept and does not do what it says. */
interface Told {
  readonly owner: string;
  readonly path: JsonPath;
  readonly message: string;
}

/**
 * Settings that a realm gives to steps, mappers and required actions and that are not read, or not read as they stand: names
 * that no reader declares, and of Keycloak's own booleans that are neither `true` nor `false`.
 */
export function unreadSettings(realm: RealmRepresentation, providers: readonly ProviderSchema[]): Told[] {
  return configUses(realm, providers).flatMap((use) => {
    const told = (name: string, message: string): Told => ({
      owner: `${use.owner}, ${name}`,
      path: [...use.path, name],
      message,
    });
    const all = use.readers.map(({ id }) => `"${id}"`);
    const nobody = all.length === 1 ? `${all} has no setting` : `${all.join(' and ')} have no setting`;
    const ofPlugin = isOfPlugin(use);
    const unread = unreadNames(use).flatMap(({ name, near }) => {
      // The near ones of a plugin are mistakes. Of Keycloak's own providers the others are whoever's they are.
      if (ofPlugin !== (near === undefined)) return [];
      const meant = near === undefined ? '' : ` (did you mean "${near}"?)`;
      return [told(name, `has no effect: ${nobody} of this name${meant}`)];
    });
    const misread = Object.entries(use.config).flatMap(([name, text]) =>
      text !== '' && text !== 'true' && text !== 'false' && isLaxBoolean(use, name)
        ? [told(name, 'is neither "true" nor "false": it is read as false')]
        : [],
    );
    return [...unread, ...misread];
  });
}

/** The same as sentences for the log, each with its owner: places in lists change with the lists. */
export function unreadSentences(realm: RealmRepresentation, providers: readonly ProviderSchema[]): string[] {
  return unreadSettings(realm, providers).map(({ owner, message }) => `${owner}: ${message}`);
}

const isOfPlugin = ({ readers }: ConfigUse) => readers.some(({ builtin }) => builtin !== true);

const declares = ({ settings }: ProviderSchema, name: string) => Object.hasOwn(settings?.properties ?? {}, name);

/** Names that nobody reads, each with the known one that is near it; none where a reader may take any. */
function unreadNames(use: ConfigUse): { readonly name: string; readonly near: string | undefined }[] {
  const { readers, config } = use;
  if (readers.some(takesAny)) return [];
  const known = [...readers.flatMap(({ settings }) => Object.keys(settings?.properties ?? {})), ...use.ofHost];
  const ofKeycloak = readers.filter(({ builtin }) => builtin === true).map(({ spi }) => OF_KEYCLOAK.get(spi));
  return Object.entries(config).flatMap(([name, text]) => {
    if (text === '' || known.includes(name)) return [];
    if (ofKeycloak.some((names) => names?.has(name))) return [];
    return [{ name, near: didYouMean(name, known, 2) }];
  });
}

/** A plugin that declares no settings, or that says that it has more; one that has no others refuses them by its schema. */
function takesAny({ settings, builtin }: ProviderSchema): boolean {
  if (settings === undefined) return builtin !== true;
  return settings.additionalProperties !== undefined || settings.patternProperties !== undefined;
}

/** A boolean that Keycloak reads of any text. Those of plugins are checked. */
function isLaxBoolean({ readers, ofHost }: ConfigUse, name: string): boolean {
  const own = readers.filter((reader) => declares(reader, name));
  if (own.some(({ builtin }) => builtin !== true)) return false;
  return (
    (ofHost === OF_MAPPERS && ofHost.includes(name)) ||
    own.some(({ settings }) => settings?.properties?.[name]?.type === 'boolean')
  );
}
