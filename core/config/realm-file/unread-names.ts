import { didYouMean } from '../did-you-mean.js';
import { LEDGER } from '../settings/ledger.js';
import type { ConfigUse, Reader } from './config-uses.js';

/** The ledger's name of each kind of provider, by the kind's ID. */
const LEDGER_NAMES: Readonly<Record<string, string>> = {
  authenticator: 'Authenticator',
  'form-action': 'FormAction',
  'protocol-mapper': 'ProtocolMapper',
};
/** All settings that Keycloak's own providers of a kind have. A realm that gives one to the wrong provider has not misspelt it. */
const OF_KEYCLOAK: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(LEDGER_NAMES).map(([spi, kind]) => [
    spi,
    Object.entries(LEDGER).flatMap(([owner, states]) => (owner.startsWith(`${kind} `) ? Object.keys(states) : [])),
  ]),
);
const OF_CLIENTS = Object.keys(LEDGER['client attribute'] ?? {});

/** The name of a setting that no provider reads. */
export interface UnreadName {
  readonly name: string;
  /** A similar name that a provider or the host reads: it was probably meant. */
  readonly near: string | undefined;
}

const NONE: readonly UnreadName[] = [];

/**
 * The names in a use that nobody reads. There are none if one of the readers takes any name, or is not in this host. Of the
 * attributes of a client only those that are similar to a setting count: a client has others for its own ends.
 */
export function unreadNames(use: ConfigUse): readonly UnreadName[] {
  const { of, config, hasUnknownReader } = use;
  if (config === undefined || hasUnknownReader) return NONE;
  const { known, passing } = namesOf(use);
  if (passing === 'any') return NONE;
  const unread: UnreadName[] = [];
  for (const name of Object.keys(config)) {
    if (passing.has(name) || config[name] === '') continue;
    const near = didYouMean(name, known, 2);
    if (near !== undefined || of !== 'client') unread.push({ name, near });
  }
  return unread;
}

/** True if one of the readers is a plugin's. Its misspelt settings are errors; those of Keycloak's own providers are warnings. */
export const isOfPlugin = ({ readers }: ConfigUse) => readers.some(({ builtin }) => builtin !== true);

interface Names {
  /** The names that the readers or the host read. */
  readonly known: readonly string[];
  /** These names, and others that are no mistake. */
  readonly passing: ReadonlySet<string> | 'any';
}

/** By the list of readers: all mappers of one provider have the same list. */
const NAMES = new WeakMap<readonly Reader[], Names>();

function namesOf(use: ConfigUse): Names {
  const { of, readers, ofHost } = use;
  let names = NAMES.get(readers);
  if (names === undefined) {
    const known = [...readers.flatMap(({ settings }) => Object.keys(settings?.properties ?? {})), ...ofHost];
    const ofKeycloak = readers.flatMap(({ spi, builtin }) => (builtin === true ? (OF_KEYCLOAK.get(spi) ?? []) : []));
    const isAny = readers.some((reader) => takesAny(reader, of));
    const passing = new Set([...known, ...ofKeycloak, ...(of === 'client' ? OF_CLIENTS : [])]);
    names = { known, passing: isAny ? 'any' : passing };
    NAMES.set(readers, names);
  }
  return names;
}

/**
 * True for a plugin that declares no settings, or whose schema says what other names may be. If that schema allows none, it
 * refuses them itself.
 */
function takesAny({ settings, builtin }: Reader, of: ConfigUse['of']): boolean {
  if (settings === undefined) return builtin !== true;
  const { additionalProperties, patternProperties } = settings;
  // It refuses no attributes: of those the schema is shown only what it declares.
  if (of === 'client' && additionalProperties === false) return false;
  return additionalProperties !== undefined || patternProperties !== undefined;
}
