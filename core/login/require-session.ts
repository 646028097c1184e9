import { PageRefusal } from '../oidc/authorization/authorization-request.js';
import type { AuthenticationSessions } from './authentication-sessions.js';
import type { LoginVisit } from './login-visit.js';

/**
 * @throws PageRefusal when the browser's user session, which had been good enough or is stepped up, has ended since, as by
 * a logout
 */
export function requireSession(
  authentications: AuthenticationSessions,
  { exchange, authentication, client, browser }: LoginVisit,
): void {
  if (!authentication.bySession && authentication.stepsUp === undefined) return;
  const isSame = authentication.stepsUp === undefined || authentication.stepsUp === browser?.session.id;
  if (isSame && browser?.user.id === authentication.userId) return;
  authentications.remove(exchange, authentication);
  throw new PageRefusal('expired_code', { key: 'expiredCodeMessage' }, { client });
}
