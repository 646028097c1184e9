import { didYouMean } from '../did-you-mean.js';
import { KEYCLOAK_SETTINGS } from '../settings/keycloak-settings.js';
import type { ConfigUse, SettingsReader } from './config-uses.js';

/** The name of each SPI in the ledger, by the SPI's ID. */
const LEDGER_NAMES: Readonly<Record<string, string>> = {
  authenticator: 'Authenticator',
  'form-action': 'FormAction',
  'protocol-mapper': 'ProtocolMapper',
};
/**
 * All settings of Keycloak's own providers of an SPI. A realm that gives one to the wrong provider has not misspelt it.
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
  readonly near: string | undefined;
}

const NONE: readonly UnknownSetting[] = [];

/**
 * The names in a use that neither a provider nor the host reads. Empty if a reader accepts any name or is not in this
 * host. Attributes of a client count only if they resemble a setting, since a client may have others for its own
 * purposes.
 */
export function unknownSettings(use: ConfigUse): readonly UnknownSetting[] {
  const { kind, config, hasUnknownReader } = use;
  if (config === undefined || hasUnknownReader) return NONE;
  const { known, passing } = namesOf(use);
  if (passing === 'any') return NONE;
  const unread: UnknownSetting[] = [];
  for (const name of Object.keys(config)) {
    if (passing.has(name) || config[name] === '') continue;
    const suggestion = didYouMean(name, known, 2);
    if (suggestion !== undefined || kind !== 'client') unread.push({ name, near: suggestion });
  }
  return unread;
}

/** True if a reader is a plugin's. Its misspelt settings are errors; those of Keycloak's own providers are warnings. */
export const isOfPlugin = ({ readers }: ConfigUse) => readers.some(({ builtin }) => builtin !== true);

interface Names {
  /** The names that the readers or the host read. */
  readonly known: readonly string[];
  /** The known names, and others that are no mistake. */
  readonly passing: ReadonlySet<string> | 'any';
}

/** By the list of readers: all mappers of one provider share a list. */
const NAMES = new WeakMap<readonly SettingsReader[], Names>();

function namesOf(use: ConfigUse): Names {
  const { kind, readers, hostSettings } = use;
  let names = NAMES.get(readers);
  if (names === undefined) {
    const knownNames = [...readers.flatMap(({ settings }) => Object.keys(settings?.properties ?? {})), ...hostSettings];
    const ofKeycloak = readers.flatMap(({ spi, builtin }) =>
      builtin === true ? (KEYCLOAK_SETTING_NAMES.get(spi) ?? []) : [],
    );
    const isAny = readers.some((reader) => acceptsAnyName(reader, kind));
    const passing = new Set([...knownNames, ...ofKeycloak, ...(kind === 'client' ? CLIENT_ATTRIBUTE_NAMES : [])]);
    names = { known: knownNames, passing: isAny ? 'any' : passing };
    NAMES.set(readers, names);
  }
  return names;
}

/**
 * True for a plugin that declares no settings, or whose schema defines which other names are valid. If that schema
 * allows none, it rejects them itself.
 */
function acceptsAnyName({ settings, builtin }: SettingsReader, kind: ConfigUse['kind']): boolean {
  if (settings === undefined) return builtin !== true;
  const { additionalProperties, patternProperties } = settings;
  // It rejects no attributes, since it is given only those that it declares.
  if (kind === 'client' && additionalProperties === false) return false;
  return additionalProperties !== undefined || patternProperties !== undefined;
}
