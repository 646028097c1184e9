import { enabledIdentityProvider } from '../../model/identity-provider.js';
import type { Realm } from '../../model/realm.js';
import type { CredentialRepresentation, UserRepresentation } from '../../model/representation.js';

const PASSWORD = 'password';
/** Types that let their owner in by themselves. */
const WAYS_IN = [PASSWORD, 'webauthn-passwordless'];

/** True for a credential that the user could do without. A password is changed, not removed. */
export function isRemovable(realm: Realm, user: UserRepresentation, { id, type }: CredentialRepresentation): boolean {
  if (type === PASSWORD) return false;
  if (!WAYS_IN.includes(type)) return true;
  const others = (user.credentials ?? []).filter((credential) => credential.id !== id);
  return others.some((other) => WAYS_IN.includes(other.type)) || isLinked(realm, user);
}

/** True for a user whom an identity provider of the realm lets in. */
function isLinked(realm: Realm, { federatedIdentities = [] }: UserRepresentation): boolean {
  return federatedIdentities.some(
    ({ identityProvider }) => enabledIdentityProvider(realm, identityProvider)?.linkOnly === false,
  );
}
