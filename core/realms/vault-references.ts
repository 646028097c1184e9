import type { SchemaProblem } from '../config/json/schema-check.js';
import type { RealmRepresentation } from '../model/representation.js';
import { isFileKey, vaultKey } from '../model/vault-reference.js';
import type { KnownProviders } from './known-providers.js';

type Path = (string | number)[];

/** True if a secret at this path is read from a vault. */
function isResolved(path: Path): boolean {
  const [top, , third, fourth] = path;
  if (top === 'smtpServer') return path[1] === 'password' || path[1] === 'authTokenClientSecret';
  if (top === 'clients') return third === 'secret' && path.length === 3;
  return top === 'identityProviders' && third === 'config' && fourth === 'clientSecret';
}

const FILE_VAULT = 'files-plaintext';

/**
 * Finds every `${vault.KEY}` of a realm.
 * @param matchesKey selects references by their keys
 */
function* findReferences(value: unknown, path: Path, matchesKey = (_key: string) => true): Iterable<Path> {
  if (typeof value === 'string') {
    const key = vaultKey(value);
    if (key !== undefined && matchesKey(key)) yield path;
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* findReferences(item, [...path, index], matchesKey);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) yield* findReferences(member, [...path, key], matchesKey);
  }
}

/** Finds references to vault secrets in a realm without a vault. */
export function vaultMistakes(
  { users: _, ...realm }: RealmRepresentation,
  { providers, hasLeftOutPlugin }: KnownProviders,
): SchemaProblem[] {
  if (providers === undefined || hasLeftOutPlugin) return [];
  const ids = providers.filter(({ spi }) => spi === 'vault').map(({ id }) => id);
  if (enabledVaults(realm, providers).length > 0) return [];
  const message =
    ids.length === 0
      ? 'names a secret of a vault, but this host has no vault: start it with --vault-dir, or add a plugin that is one'
      : `names a secret of a vault, but the realm has none: enable ${ids.join(' or ')} in providers.vault`;
  return [...findReferences(realm, [])].filter(isResolved).map((path) => ({ path, message }));
}

/** Finds references whose keys cannot be file names, in a realm that has only the file vault. */
export function keysWithoutFile(
  { users: _, ...realm }: RealmRepresentation,
  providers: NonNullable<KnownProviders['providers']>,
): SchemaProblem[] {
  const vaults = enabledVaults(realm, providers);
  if (vaults.length !== 1 || vaults[0] !== FILE_VAULT) return [];
  const message =
    'no file can have this secret: its key can contain letters, digits and . _ -, and must not begin with _, so that no two secrets have one file';
  return [...findReferences(realm, [], (key) => !isFileKey(key))].filter(isResolved).map((path) => ({ path, message }));
}

function enabledVaults(
  realm: Pick<RealmRepresentation, 'providers'>,
  providers: NonNullable<KnownProviders['providers']>,
): string[] {
  const isEnabled = ({ id, builtin = false }: { readonly id: string; readonly builtin?: boolean | undefined }) =>
    realm.providers?.vault?.[id]?.enabled ?? builtin;
  return providers.filter((one) => one.spi === 'vault' && isEnabled(one)).map(({ id }) => id);
}

/** Finds paths at which `${vault.KEY}` is a literal text. */
export function unreadReferences({ users: _, ...realm }: RealmRepresentation): SchemaProblem[] {
  const message =
    'is no reference here: secrets of vaults are read in smtpServer, in the secret of a client, and in the clientSecret of an identity provider';
  return [...findReferences(realm, [])].filter((path) => !isResolved(path)).map((path) => ({ path, message }));
}
