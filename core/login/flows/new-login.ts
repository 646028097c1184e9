import type { Exchange } from '../../http/exchange.js';
import type { Client } from '../../model/client.js';
import { type AuthorizationRequest, RedirectedError } from '../../oidc/authorization/authorization-request.js';
import { flowOf } from '../../realms/flows/flow-model.js';
import type { AuthenticationSessions, HostAuthenticationSession } from '../authentication-sessions.js';
import { mayRegister } from '../registration/may-register.js';
import { requireRegistration } from '../registration/require-registration.js';
import { highestLevel } from './levels.js';

/**
 * A login for the request, at the beginning of the flow that it asks for.
 * @throws RedirectedError for what no login could have, PageRefusal where nobody may register
 */
export function newLogin(
  authentications: AuthenticationSessions,
  exchange: Exchange,
  request: AuthorizationRequest,
  client: Client,
): HostAuthenticationSession {
  const { realm } = exchange;
  if ((request.acr?.least ?? 0) > highestLevel(flowOf(realm, client, 'browser'))) throw unmet(request);
  const login = authentications.create(exchange, request);
  if (!request.prompts.includes('create')) return login;
  requireRegistration(realm, client);
  if (!mayRegister(realm, login)) throw new RedirectedError(request, 'invalid_request', 'Invalid parameter: prompt');
  login.flow = 'registration';
  return login;
}

/** OpenID Connect Core Unmet Authentication Requirements §3. */
export function unmet(request: AuthorizationRequest): RedirectedError {
  return new RedirectedError(request, 'unmet_authentication_requirements');
}
