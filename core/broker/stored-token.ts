import type { BrokeredIdentity, JsonObject } from '@keyhost/spi';
import { decryptText, encryptText } from '../keys/encrypted-jwt.js';
import type { KeyRing } from '../keys/key-ring.js';
import type { Clock } from '../model/clock.js';
import type { Realm } from '../model/realm.js';
import type { FederatedIdentityRepresentation } from '../model/representation.js';
import { BrokerFailure } from './broker-failure.js';

/** The client whose role allows reading stored tokens. */
export const BROKER_CLIENT = 'broker';
export const READ_TOKEN_ROLE = 'read-token';

const ENCRYPTED_TYPE = 'BrokerToken';
/** Maximum length in characters. Every request that reads a user reads the tokens too. */
const MAX_LENGTH = 32 * 1024;

interface IdentityWithToken extends BrokeredIdentity {
  readonly storedToken: string;
}

/**
 * Adds the provider's token response to the account, encrypted. The format is Keycloak's, with `accessTokenExpiration`
 * in seconds since the epoch.
 * @throws BrokerFailure if it is too long
 */
export async function addStoredToken(
  { keys, clock }: { keys: KeyRing; clock: Clock },
  realm: Realm,
  identity: BrokeredIdentity,
  tokenResponse: JsonObject,
): Promise<IdentityWithToken> {
  const { expires_in: lifetime } = tokenResponse;
  const now = Math.floor(clock.now() / 1000);
  const expiry = typeof lifetime === 'number' ? { accessTokenExpiration: now + lifetime } : {};
  const text = JSON.stringify({ ...tokenResponse, ...expiry });
  if (text.length > MAX_LENGTH)
    throw new BrokerFailure(`its tokens are too long to be stored: ${text.length} characters`);
  return { ...identity, storedToken: await encryptText(await keys.realm(realm.name), ENCRYPTED_TYPE, text) };
}

/** The member of a user's link that stores the encrypted token response. */
export function storedTokenOf(identity: BrokeredIdentity): Pick<FederatedIdentityRepresentation, 'token'> {
  const { storedToken } = identity as Partial<IdentityWithToken>;
  return storedToken === undefined ? {} : { token: storedToken };
}

/** Decrypts the token response of a link; undefined if there is none, or its key no longer exists. */
export async function readToken(
  keys: KeyRing,
  realm: Realm,
  { token }: FederatedIdentityRepresentation,
): Promise<string | undefined> {
  return typeof token === 'string' ? decryptText(await keys.realm(realm.name), ENCRYPTED_TYPE, token) : undefined;
}
