import type { Exchange } from '../http/exchange.js';
import type { Client } from '../model/client.js';
import { PageRefusal } from '../oidc/authorization/authorization-request.js';
import type { BrowserSession } from '../sessions/browser-sessions.js';
import type { AuthenticationSessions, HostAuthenticationSession } from './authentication-sessions.js';

/**
 * @throws PageRefusal when the browser's user session, which had been good enough or is stepped up, has ended since, as by
 * a logout
 */
export function requireSession(
  authentications: AuthenticationSessions,
  exchange: Exchange,
  authentication: HostAuthenticationSession,
  client: Client,
  browser: BrowserSession | undefined,
): void {
  if (!authentication.bySession && authentication.stepsUp === undefined) return;
  const isSame = authentication.stepsUp === undefined || authentication.stepsUp === browser?.session.id;
  if (isSame && browser?.user.id === authentication.userId) return;
  authentications.remove(exchange, authentication);
  throw new PageRefusal('expired_code', { key: 'expiredCodeMessage' }, { client });
}
