import type { Exchange } from '../../http/exchange.js';
import type { Client } from '../../model/client.js';
import { allExecutions, flowOf } from '../../realms/flows/flow-model.js';
import type { HostAuthenticationSession } from '../authentication-sessions.js';
import { linkRequest, markStepsDone } from '../links/browser-link-logins.js';
import { resetFlowProgress } from './brokered-logins.js';

/** The step that mails the link. */
export const RESET_EMAIL = 'reset-credential-email';

/** Returns to the login. The user of the reset is dropped, because nothing is proven about them. */
export function leaveReset(authentication: HostAuthenticationSession): void {
  resetFlowProgress(authentication);
  delete authentication.userId;
  authentication.flow = 'browser';
}

/**
 * Completes the flow by the mailed link. The login skips the steps that the flow has done. If the realm requires it,
 * the user must sign in with a new login.
 */
export function completeReset(exchange: Exchange, authentication: HostAuthenticationSession, client: Client): void {
  const { realm } = exchange;
  const passed = allExecutions(flowOf(realm, client, 'reset-credentials')).filter(
    ({ id }) => authentication.done.get(id) === 'success',
  );
  resetFlowProgress(authentication);
  authentication.flow = 'browser';
  const signsInAnew = passed.some(
    ({ authenticator, config }) => authenticator === RESET_EMAIL && config['force-login'] === 'true',
  );
  if (signsInAnew) authentication.request = linkRequest(exchange, client);
  markStepsDone(
    realm,
    authentication,
    client,
    passed.map(({ authenticator }) => authenticator),
  );
}
