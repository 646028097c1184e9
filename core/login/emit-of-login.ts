import { callerOf, type Exchange } from '../http/exchange.js';
import type { NewEvent } from '../registry/events/complete-events.js';
import type { Events } from '../registry/events/events.js';
import type { SessionFactory } from '../registry/sessions/session.js';
import type { HostAuthenticationSession } from './authentication-sessions.js';

type AuthenticationOfEvent = Pick<HostAuthenticationSession, 'clientId' | 'request' | 'brokered'>;

interface Outcome {
  readonly error?: string;
  readonly userId?: string | undefined;
  readonly sessionId?: string;
  readonly details?: Readonly<Record<string, string>>;
}

/** An event about an authentication session; with `error` its `_ERROR` twin. */
export function emitOfLogin(
  { events, sessions }: { readonly events: Events; readonly sessions: SessionFactory },
  exchange: Exchange,
  authentication: AuthenticationOfEvent,
  type: string,
  outcome: Outcome,
): void {
  const { realm } = exchange;
  events.emit(realm, eventOfLogin(exchange, authentication, type, outcome), () =>
    sessions.create(realm, callerOf(exchange), 'keyhost'),
  );
}

/** What `emitOfLogin` says. */
export function eventOfLogin(
  { ip }: Exchange,
  { clientId, request, brokered }: AuthenticationOfEvent,
  type: string,
  outcome: Outcome,
): NewEvent {
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
  return { type, clientId, ipAddress: ip, ...outcome, details };
}
