import { didYouMean } from '../did-you-mean.js';
import { LEDGER } from '../settings/ledger.js';
import type { ConfigUse, Reader } from './config-uses.js';

/** By the kind of a provider, what the ledger calls it. */
const LEDGER_NAMES: Readonly<Record<string, string>> = {
  authenticator: 'Authenticator',
  'form-action': 'FormAction',
  'protocol-mapper': 'ProtocolMapper',
};
/** What any of Keycloak's own providers of a kind has: a realm that knows the name has not misspelt it. */
const OF_KEYCLOAK: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(LEDGER_NAMES).map(([spi, kind]) => [
    spi,
    Object.entries(LEDGER).flatMap(([owner, states]) => (owner.startsWith(`${kind} `) ? Object.keys(states) : [])),
  ]),
);
const OF_CLIENTS = Object.keys(LEDGER['client attribute'] ?? {});

/** A setting that no provider reads, with the name of one that somebody reads and that is similar. */
export interface UnreadName {
  readonly name: string;
  readonly near: string | undefined;
}

const NONE: readonly UnreadName[] = [];

/** The settings of a use that nobody reads; none where a reader may take any. Of a client's attributes only the similar ones. */
export function unreadNames(use: ConfigUse): readonly UnreadName[] {
  const { of, config, hasUnknownReader } = use;
  if (config === undefined || hasUnknownReader) return NONE;
  const { known, passing } = namesOf(use);
  if (passing === 'any') return NONE;
  let unread = NONE;
  for (const name of Object.keys(config)) {
    if (passing.has(name) || config[name] === '') continue;
    const near = didYouMean(name, known, 2);
    if (near !== undefined || of !== 'client') unread = [...unread, { name, near }];
  }
  return unread;
}

/** True if a plugin is among the readers: it takes less than Keycloak's own providers do. */
export const isOfPlugin = ({ readers }: ConfigUse) => readers.some(({ builtin }) => builtin !== true);

interface Names {
  /** What somebody reads. */
  readonly known: readonly string[];
  /** What is no mistake, besides. */
  readonly passing: ReadonlySet<string> | 'any';
}

/** The mappers of one provider have one list of readers. */
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

/** A plugin that declares no settings, or that says that it has more. One that says that it has no more refuses them by its schema. */
function takesAny({ settings, builtin }: Reader, of: ConfigUse['of']): boolean {
  if (settings === undefined) return builtin !== true;
  const { additionalProperties, patternProperties } = settings;
  // The schema does not see a client's other attributes.
  if (of === 'client' && additionalProperties === false) return false;
  return additionalProperties !== undefined || patternProperties !== undefined;
}
