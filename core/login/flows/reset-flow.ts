import type { Exchange } from '../../http/exchange.js';
import type { Client } from '../../model/client.js';
import { allExecutions, flowOf } from '../../realms/flows/flow-model.js';
import type { HostAuthenticationSession } from '../authentication-sessions.js';
import { linkRequest, markStepsDone } from '../links/browser-link-logins.js';
import { resetFlowProgress } from './brokered-logins.js';

/** The ID of the authenticator that mails the link. */
export const RESET_EMAIL = 'reset-credential-email';

/** Returns from the reset to the login. The user of the reset is dropped, because nothing is proven about them. */
export function leaveReset(authentication: HostAuthenticationSession): void {
  resetFlowProgress(authentication);
  delete authentication.userId;
  authentication.flow = 'browser';
}

/**
 * Completes the reset after the user has followed the mailed link. The login then skips the steps that the reset has
 * done. With the setting `force-login` of the mail step, a new login to the client replaces the login.
 */
export function completeReset(exchange: Exchange, authentication: HostAuthenticationSession, client: Client): void {
  const { realm } = exchange;
  const passedSteps = allExecutions(flowOf(realm, client, 'reset-credentials')).filter(
    ({ id }) => authentication.done.get(id) === 'success',
  );
  resetFlowProgress(authentication);
  authentication.flow = 'browser';
  const mustSignInAgain = passedSteps.some(
    ({ authenticator, config }) => authenticator === RESET_EMAIL && config['force-login'] === 'true',
  );
  if (mustSignInAgain) authentication.request = linkRequest(exchange, client);
  markStepsDone(
    realm,
    authentication,
    client,
    passedSteps.map(({ authenticator }) => authenticator),
  );
}
