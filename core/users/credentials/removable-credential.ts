import { enabledIdentityProvider } from '../../model/identity-provider.js';
import type { Realm } from '../../model/realm.js';
import type { CredentialRepresentation, UserRepresentation } from '../../model/representation.js';
import type { CredentialTypes } from './credential-types.js';

/**
 * True if the user can still sign in without the credential, and its type may be removed. A password can be changed,
 * but not removed.
 */
export function isRemovable(
  types: CredentialTypes,
  realm: Realm,
  user: UserRepresentation,
  { id, type }: CredentialRepresentation,
): boolean {
  const { category, removable = true } = types.of(realm, type) ?? {};
  if (category === undefined || !removable) return false;
  if (category === 'two-factor') return true;
  const others = (user.credentials ?? []).filter((credential) => credential.id !== id);
  return others.some((other) => canSignInAlone(types, realm, other)) || isLinked(realm, user);
}

/** True if a credential of this type alone is sufficient to sign in. */
function canSignInAlone(types: CredentialTypes, realm: Realm, { type }: CredentialRepresentation): boolean {
  const { category = 'two-factor' } = types.of(realm, type) ?? {};
  return category !== 'two-factor';
}

/** True if the user can sign in at an identity provider of the realm. */
function isLinked(realm: Realm, { federatedIdentities = [] }: UserRepresentation): boolean {
  return federatedIdentities.some(
    ({ identityProvider }) => enabledIdentityProvider(realm, identityProvider)?.linkOnly === false,
  );
}
