import { NOT_FOUND } from '../../http/not-found.js';
import { derivedId } from '../../model/derived-id.js';
import type { IdentityProviderRepresentation, RealmRepresentation } from '../../model/representation.js';
import { notFoundError } from '../admin.js';

export type StoredIdentityProvider = IdentityProviderRepresentation & { readonly internalId: string };

/**
 * Finds an identity provider.
 * @param key the alias, or the internal ID, since clients of Keycloak's API use either
 * @throws AdminError 404
 */
export function requireIdentityProvider(realm: RealmRepresentation, key: string | undefined): StoredIdentityProvider {
  const providers = realm.identityProviders ?? [];
  const provider =
    providers.find(({ alias }) => alias === key) ??
    providers.find((candidate) => internalIdOf(realm, candidate) === key);
  if (provider === undefined) throw notFoundError(NOT_FOUND.error);
  return withInternalId(realm, provider);
}

/** Adds the internal ID. If the realm file has none, it is derived from the alias, so that it does not change. */
export function withInternalId(
  realm: RealmRepresentation,
  provider: IdentityProviderRepresentation,
): StoredIdentityProvider {
  return { ...provider, internalId: internalIdOf(realm, provider) };
}

function internalIdOf(
  { id, realm }: RealmRepresentation,
  { internalId, alias }: IdentityProviderRepresentation,
): string {
  return internalId ?? derivedId(id ?? realm, 'identity-provider', alias);
}
