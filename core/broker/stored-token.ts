import type { BrokeredIdentity, JsonObject } from '@keyhost/spi';
import { decryptText, encryptText } from '../keys/encrypted-jwt.js';
import type { KeyRing } from '../keys/key-ring.js';
import type { Clock } from '../model/clock.js';
import type { Realm } from '../model/realm.js';
import type { FederatedIdentityRepresentation } from '../model/representation.js';
import { BrokerFailure } from './broker-failure.js';

/** The client with the role for reading stored tokens. */
export const BROKER = 'broker';
export const READ_TOKEN = 'read-token';

const TYP = 'BrokerToken';
/** Maximum length in characters, because a user is read at each request, together with the tokens. */
const LONGEST = 32 * 1024;

interface WithToken extends BrokeredIdentity {
  readonly storedToken: string;
}

/**
 * Adds the provider's token response to the account, in Keycloak's format with `accessTokenExpiration` in seconds since
 * the epoch. It is encrypted from here on.
 * @throws BrokerFailure if it is too long
 */
export async function withToken(
  { keys, clock }: { keys: KeyRing; clock: Clock },
  realm: Realm,
  identity: BrokeredIdentity,
  answer: JsonObject,
): Promise<WithToken> {
  const { expires_in: lifetime } = answer;
  const now = Math.floor(clock.now() / 1000);
  const until = typeof lifetime === 'number' ? { accessTokenExpiration: now + lifetime } : {};
  const text = JSON.stringify({ ...answer, ...until });
  if (text.length > LONGEST) throw new BrokerFailure(`its tokens are too long to be stored: ${text.length} characters`);
  return { ...identity, storedToken: await encryptText(await keys.realm(realm.name), TYP, text) };
}

/** The member of a link that stores the token response. */
export function storedTokenOf(identity: BrokeredIdentity): Pick<FederatedIdentityRepresentation, 'token'> {
  const { storedToken } = identity as Partial<WithToken>;
  return storedToken === undefined ? {} : { token: storedToken };
}

/** Decrypts the token response of a link; undefined if there is none, or its key no longer exists. */
export async function readToken(
  keys: KeyRing,
  realm: Realm,
  { token }: FederatedIdentityRepresentation,
): Promise<string | undefined> {
  return typeof token === 'string' ? decryptText(await keys.realm(realm.name), TYP, token) : undefined;
}
