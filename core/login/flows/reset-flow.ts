import type { Exchange } from '../../http/exchange.js';
import type { Client } from '../../model/client.js';
import { allExecutions, flowOf } from '../../realms/flows/flow-model.js';
import type { HostAuthenticationSession } from '../authentication-sessions.js';
import { linkRequest, passSteps } from '../links/browser-link-logins.js';
import { leaveFlow } from './brokered-logins.js';

/** The step that mails the link. */
export const RESET_EMAIL = 'reset-credential-email';

/** Back to the login. Whom the flow was about is not taken over: nothing is proven of them. */
export function leaveReset(authentication: HostAuthenticationSession): void {
  leaveFlow(authentication);
  delete authentication.userId;
  authentication.flow = 'browser';
}

/**
 * The flow is passed by the mailed link. What else its steps have asked for, the login does not ask for again. Where the realm
 * wants it, the user signs in by a login of their own.
 */
export function passReset(exchange: Exchange, authentication: HostAuthenticationSession, client: Client): void {
  const { realm } = exchange;
  const passed = allExecutions(flowOf(realm, client, 'reset-credentials')).filter(
    ({ id }) => authentication.done.get(id) === 'success',
  );
  leaveFlow(authentication);
  authentication.flow = 'browser';
  const signsInAnew = passed.some(
    ({ authenticator, config }) => authenticator === RESET_EMAIL && config['force-login'] === 'true',
  );
  if (signsInAnew) authentication.request = linkRequest(exchange, client);
  passSteps(
    realm,
    authentication,
    client,
    passed.map(({ authenticator }) => authenticator),
  );
}
