import type { Exchange } from '../http/exchange.js';
import type { RequestEvent, RequestEvents } from '../http/request-events.js';
import type { HostAuthenticationSession } from './authentication-sessions.js';

type AuthenticationOfEvent = Pick<HostAuthenticationSession, 'clientId' | 'request' | 'brokered' | 'link'>;

interface Outcome {
  readonly error?: string;
  readonly userId?: string | undefined;
  readonly sessionId?: string;
  readonly details?: Readonly<Record<string, string>>;
  /** The login's method, for the statistics; see NewEvent. */
  readonly counted?: string;
}

/** Emits an event about an authentication session; with `error`, its `_ERROR` event. */
export function emitLoginEvent(
  events: RequestEvents,
  exchange: Exchange,
  authentication: AuthenticationOfEvent,
  type: string,
  outcome: Outcome,
): void {
  events.emit(exchange, loginEvent(authentication, type, outcome));
}

/** The event that `emitLoginEvent` emits. */
export function loginEvent(
  { clientId, request, brokered, link }: AuthenticationOfEvent,
  type: string,
  outcome: Outcome,
): RequestEvent {
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
    // The history of a link includes the events that it caused.
    ...(link === undefined ? {} : { token_id: link.id }),
    ...outcome.details,
  };
  return { type, clientId, ...outcome, details };
}
