import type { Realm } from '../../model/realm.js';
import { PLAIN_LEVEL } from '../../tokens/acr.js';
import type { HostAuthenticationSession } from '../authentication-sessions.js';

/**
 * True where people may register themselves, and the request is for anybody: not for a user whom the client knows already,
 * not for the one that the login has, not for more than a new user has shown, and not of a link.
 */
export function mayRegister(
  { settings }: Realm,
  { request, userId }: Pick<HostAuthenticationSession, 'request' | 'userId'>,
): boolean {
  if (!settings.registrationAllowed || request.linkOnly === true) return false;
  return userId === undefined && request.hintedSubject === undefined && (request.acr?.least ?? 0) <= PLAIN_LEVEL;
}
