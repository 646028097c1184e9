import type { SchemaProblem } from '../config/json/schema-check.js';
import type { RealmRepresentation } from '../model/representation.js';
import { vaultKey } from '../model/vault-reference.js';
import type { KnownProviders } from './known-providers.js';

type Path = (string | number)[];

/** Whether a secret at this place is read from a vault. */
function isRead(path: Path): boolean {
  const [top, , third, fourth] = path;
  if (top === 'smtpServer') return path[1] === 'password' || path[1] === 'authTokenClientSecret';
  if (top === 'clients') return third === 'secret' && path.length === 3;
  return top === 'identityProviders' && third === 'config' && fourth === 'clientSecret';
}

/** Every `${vault.KEY}` of a realm. */
function* references(value: unknown, path: Path): Iterable<Path> {
  if (typeof value === 'string') {
    if (vaultKey(value) !== undefined) yield path;
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* references(item, [...path, index]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) yield* references(member, [...path, key]);
  }
}

/** Secrets that stand in a vault, of a realm that has none. */
export function vaultMistakes(
  { users: _, ...realm }: RealmRepresentation,
  { providers, someLeftOut }: KnownProviders,
): SchemaProblem[] {
  if (providers === undefined || someLeftOut) return [];
  const vaults = providers.filter(({ spi }) => spi === 'vault');
  const ids = vaults.map(({ id }) => id);
  const isOn = vaults.some(({ id, builtin = false }) => realm.providers?.vault?.[id]?.enabled ?? builtin);
  if (isOn) return [];
  const message =
    ids.length === 0
      ? 'names a secret of a vault, but this host has no vault: start it with --vault-dir, or add a plugin that is one'
      : `names a secret of a vault, but the realm has none: enable ${ids.join(' or ')} in providers.vault`;
  return [...references(realm, [])].filter(isRead).map((path) => ({ path, message }));
}

/** Where `${vault.KEY}` is taken as it stands. */
export function unreadReferences({ users: _, ...realm }: RealmRepresentation): SchemaProblem[] {
  const message =
    'is no reference here: secrets of vaults are read in smtpServer, in the secret of a client, and in the clientSecret of an identity provider';
  return [...references(realm, [])].filter((path) => !isRead(path)).map((path) => ({ path, message }));
}
