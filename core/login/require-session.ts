import { PageRefusal } from '../oidc/authorization/authorization-request.js';
import type { AuthenticationSessions } from './authentication-sessions.js';
import type { LoginRequestContext } from './login-request-context.js';

/**
 * If the login relies on the browser's user session, checks that it still exists and belongs to the login's user.
 * Otherwise the login ends.
 * @throws PageRefusal if the session has ended since then, for example by a logout
 */
export function requireActiveUserSession(
  authentications: AuthenticationSessions,
  { exchange, authentication, client, browser }: LoginRequestContext,
): void {
  if (!authentication.bySession && authentication.stepsUp === undefined) return;
  const isSame = authentication.stepsUp === undefined || authentication.stepsUp === browser?.session.id;
  if (isSame && browser?.user.id === authentication.userId) return;
  authentications.remove(exchange, authentication);
  throw new PageRefusal('expired_code', { key: 'expiredCodeMessage' }, { client });
}
