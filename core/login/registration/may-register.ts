import type { Realm } from '../../model/realm.js';
import { PLAIN_LEVEL } from '../../tokens/acr.js';
import type { HostAuthenticationSession } from '../authentication-sessions.js';

/**
 * True if the realm allows registration, and a new user could satisfy the request. A new user cannot if the request or
 * the login already has a certain user, if it requires a higher level, or if it belongs to a link.
 */
export function mayRegister(
  { settings }: Realm,
  { request, userId }: Pick<HostAuthenticationSession, 'request' | 'userId'>,
): boolean {
  if (!settings.registrationAllowed || request.linkOnly === true) return false;
  return userId === undefined && request.hintedSubject === undefined && (request.acr?.least ?? 0) <= PLAIN_LEVEL;
}
