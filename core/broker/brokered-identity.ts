import type { BrokeredIdentity, JsonObject } from '@keyhost/spi';
import { defined } from '../model/defined.js';
import { isEmailAddress } from '../model/email-address.js';
import type { IdentityProvider } from '../model/identity-provider.js';
import type { Realm } from '../model/realm.js';
import { BrokerFailure } from './broker-failure.js';
import { plainText } from './provider-claims.js';
import { usernameByMappers } from './username-mapper.js';

/**
 * The account that the provider's claims describe, with the username for a new user. The username is the result of a
 * mapper, else `preferred_username`, the email, or `sub`. With `registrationEmailAsUsername` it is the email, if there
 * is one.
 * @throws BrokerFailure if the account's ID cannot be stored
 */
export function brokeredIdentity(realm: Realm, provider: IdentityProvider, claims: JsonObject): BrokeredIdentity {
  const id = claims.sub;
  if (typeof id !== 'string' || plainText(id) !== id) throw new BrokerFailure('its "sub" is not a valid account ID');
  const textClaim = (name: string) => plainText(claims[name]);
  const address = textClaim('email')?.toLowerCase();
  const email = address !== undefined && isEmailAddress(address) ? address : undefined;
  const suggestedUsername = textClaim('preferred_username') ?? email ?? id;
  const usesEmail = realm.settings.registrationEmailAsUsername;
  const username =
    (usesEmail ? email : undefined) ?? usernameByMappers(provider, claims, suggestedUsername) ?? suggestedUsername;
  return {
    identityProvider: provider.alias,
    displayName: provider.displayName,
    id,
    username: username.toLowerCase(),
    ...defined({ email, firstName: textClaim('given_name'), lastName: textClaim('family_name') }),
    emailVerified:
      email !== undefined && provider.trustEmail && ![false, 'false'].includes(claims.email_verified as boolean),
    review: false,
    claims,
  };
}

/** The name of the account at the provider, for users. */
export function accountName({ claims, id }: BrokeredIdentity): string {
  return plainText(claims.preferred_username) ?? plainText(claims.email) ?? id;
}
