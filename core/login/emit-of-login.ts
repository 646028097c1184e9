import { callerOf, type Exchange } from '../http/exchange.js';
import type { Events } from '../registry/events.js';
import type { SessionFactory } from '../registry/session.js';
import type { AuthenticationSession } from './authentication-sessions.js';

/** An event about a login under way; with `error` its `_ERROR` twin. */
export function emitOfLogin(
  { events, sessions }: { readonly events: Events; readonly sessions: SessionFactory },
  exchange: Exchange,
  { clientId, request, brokered }: Pick<AuthenticationSession, 'clientId' | 'request' | 'brokered'>,
  type: string,
  outcome: {
    error?: string;
    userId?: string | undefined;
    sessionId?: string;
    details?: Readonly<Record<string, string>>;
  },
): void {
  const { realm, ip } = exchange;
  const details = {
    redirect_uri: request.redirectUri,
    response_type: request.responseType,
    auth_method: 'openid-connect',
    ...(brokered === undefined
      ? {}
      : {
          identity_provider: brokered.identity.identityProvider,
          identity_provider_identity: brokered.identity.username,
        }),
    ...outcome.details,
  };
  events.emit(realm, { type, clientId, ipAddress: ip, ...outcome, details }, () =>
    sessions.create(realm, callerOf(exchange), 'keyhost'),
  );
}
