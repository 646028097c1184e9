import type { BrokeredIdentity, JsonObject } from '@keyhost/spi';
import { decryptText, encryptText } from '../keys/encrypted-jwt.js';
import type { KeyRing } from '../keys/key-ring.js';
import type { Clock } from '../model/clock.js';
import type { Realm } from '../model/realm.js';
import type { FederatedIdentityRepresentation } from '../model/representation.js';
import { BrokerFailure } from './broker-failure.js';

/** The client whose role lets an application read what is stored. */
export const BROKER = 'broker';
export const READ_TOKEN = 'read-token';

const TYP = 'BrokerToken';
/** In characters: a user is read with every request of theirs, and the tokens with the user. */
const LONGEST = 32 * 1024;

interface WithToken extends BrokeredIdentity {
  readonly storedToken: string;
}

/**
 * The account with what the provider's token endpoint answered, as Keycloak keeps it: `accessTokenExpiration` in seconds since
 * the epoch is added. It is encrypted from here on.
 * @throws BrokerFailure when it is too long to be kept
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

/** What a link keeps of it. */
export function storedTokenOf(identity: BrokeredIdentity): Pick<FederatedIdentityRepresentation, 'token'> {
  const { storedToken } = identity as Partial<WithToken>;
  return storedToken === undefined ? {} : { token: storedToken };
}

/** What is stored with a link; undefined where nothing is, and where the key that it was encrypted with is gone. */
export async function readToken(
  keys: KeyRing,
  realm: Realm,
  { token }: FederatedIdentityRepresentation,
): Promise<string | undefined> {
  return typeof token === 'string' ? decryptText(await keys.realm(realm.name), TYP, token) : undefined;
}
