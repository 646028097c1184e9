import { NOT_FOUND } from '../../http/not-found.js';
import { derivedId } from '../../model/derived-id.js';
import type { IdentityProviderRepresentation, RealmRepresentation } from '../../model/representation.js';
import { notFound } from '../admin.js';

export type StoredProvider = IdentityProviderRepresentation & { readonly internalId: string };

/**
 * @param key its alias, or its internal ID, since Keycloak's clients use either
 * @throws AdminError 404
 */
export function findProvider(realm: RealmRepresentation, key: string | undefined): StoredProvider {
  const all = realm.identityProviders ?? [];
  const provider = all.find(({ alias }) => alias === key) ?? all.find((one) => internalIdOf(realm, one) === key);
  if (provider === undefined) throw notFound(NOT_FOUND.error);
  return withInternalId(realm, provider);
}

/** Adds the internal ID. Without one in the realm file it is derived from the alias, and so is stable. */
export function withInternalId(realm: RealmRepresentation, provider: IdentityProviderRepresentation): StoredProvider {
  return { ...provider, internalId: internalIdOf(realm, provider) };
}

function internalIdOf(
  { id, realm }: RealmRepresentation,
  { internalId, alias }: IdentityProviderRepresentation,
): string {
  return internalId ?? derivedId(id ?? realm, 'identity-provider', alias);
}
