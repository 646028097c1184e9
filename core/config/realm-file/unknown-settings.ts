import { didYouMean } from '../did-you-mean.js';
import { KEYCLOAK_SETTINGS } from '../settings/keycloak-settings.js';
import type { ConfigUse, SettingsReader } from './config-uses.js';

/** The name that `KEYCLOAK_SETTINGS` uses for an SPI, by the SPI's ID. */
const LEDGER_NAMES: Readonly<Record<string, string>> = {
  authenticator: 'Authenticator',
  'form-action': 'FormAction',
  'protocol-mapper': 'ProtocolMapper',
};
/**
 * The settings of all of Keycloak's providers of an SPI. A realm that gives one to the wrong provider has not misspelt
 * it.
 */
const KEYCLOAK_SETTING_NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(LEDGER_NAMES).map(([spi, kind]) => [
    spi,
    Object.entries(KEYCLOAK_SETTINGS).flatMap(([owner, states]) =>
      owner.startsWith(`${kind} `) ? Object.keys(states) : [],
    ),
  ]),
);
const CLIENT_ATTRIBUTE_NAMES = Object.keys(KEYCLOAK_SETTINGS['client attribute'] ?? {});

/** The name of a setting that no provider reads. */
export interface UnknownSetting {
  readonly name: string;
  /** A similar name that a provider or the host reads, which was probably meant. */
  readonly suggestion: string | undefined;
}

const NO_SETTINGS: readonly UnknownSetting[] = [];

/**
 * Finds the settings of a use that neither a provider nor the host reads. Empty if one of the use's providers accepts
 * any name or is not in this host. Attributes of a client count only if they resemble a setting, since an application
 * may use other attributes.
 */
export function unknownSettings(use: ConfigUse): readonly UnknownSetting[] {
  const { kind, config, hasUnknownReader } = use;
  if (config === undefined || hasUnknownReader) return NO_SETTINGS;
  const { known, accepted } = namesOf(use);
  if (accepted === 'any') return NO_SETTINGS;
  const unread: UnknownSetting[] = [];
  for (const name of Object.keys(config)) {
    if (accepted.has(name) || config[name] === '') continue;
    const suggestion = didYouMean(name, known, 2);
    if (suggestion !== undefined || kind !== 'client') unread.push({ name, suggestion });
  }
  return unread;
}

/**
 * True if a plugin's provider reads the settings. Misspelt settings of plugins are errors, and those of built-in
 * providers are warnings.
 */
export const hasPluginReader = ({ readers }: ConfigUse) => readers.some(({ builtin }) => builtin !== true);

interface SettingNames {
  /** The names that the readers or the host read. */
  readonly known: readonly string[];
  /** The known names and other names that are no mistake; `any` if every name is accepted. */
  readonly accepted: ReadonlySet<string> | 'any';
}

/** The names by the list of readers, which all mappers of one provider share. */
const namesByReaders = new WeakMap<readonly SettingsReader[], SettingNames>();

function namesOf(use: ConfigUse): SettingNames {
  const { kind, readers, hostSettings } = use;
  let names = namesByReaders.get(readers);
  if (names === undefined) {
    const knownNames = [...readers.flatMap(({ settings }) => Object.keys(settings?.properties ?? {})), ...hostSettings];
    const ofKeycloak = readers.flatMap(({ spi, builtin }) =>
      builtin === true ? (KEYCLOAK_SETTING_NAMES.get(spi) ?? []) : [],
    );
    const isAny = readers.some((reader) => acceptsAnyName(reader, kind));
    const passing = new Set([...knownNames, ...ofKeycloak, ...(kind === 'client' ? CLIENT_ATTRIBUTE_NAMES : [])]);
    names = { known: knownNames, accepted: isAny ? 'any' : passing };
    namesByReaders.set(readers, names);
  }
  return names;
}

/**
 * True for a plugin's provider without declared settings, and for a provider whose schema defines which other names are
 * valid. If the schema allows none, the check of the schema reports them.
 */
function acceptsAnyName({ settings, builtin }: SettingsReader, kind: ConfigUse['kind']): boolean {
  if (settings === undefined) return builtin !== true;
  const { additionalProperties, patternProperties } = settings;
  // The check of the schema gets only the attributes that the schema declares, so it cannot report others.
  if (kind === 'client' && additionalProperties === false) return false;
  return additionalProperties !== undefined || patternProperties !== undefined;
}
