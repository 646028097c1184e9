import type { InitialAccessRepresentation, RealmRepresentation } from '../../model/representation.js';
import { invalidToken } from './registrant.js';

/**
 * Finds the data of an initial access token, and checks that the token is valid.
 * @param now seconds since the epoch
 * @throws OAuthError 401
 */
export function requireInitialAccess(realm: RealmRepresentation, id: string, now: number): InitialAccessRepresentation {
  const access = realm.clientsInitialAccess?.find((candidate) => candidate.id === id);
  if (access === undefined) throw invalidToken('Initial Access Token not found');
  if (access.remainingCount <= 0) throw invalidToken('No remaining count on initial access token');
  if (access.expiration > 0 && access.timestamp + access.expiration <= now) {
    throw invalidToken('Expired initial access token');
  }
  return access;
}
