import type { Exchange } from '../../http/exchange.js';
import type { Client } from '../../model/client.js';
import { type AuthorizationRequest, RedirectedError } from '../../oidc/authorization/authorization-request.js';
import type { AuthenticationSessions, HostAuthenticationSession } from '../authentication-sessions.js';
import { mayRegister } from '../registration/may-register.js';
import { requireRegistration } from '../registration/require-registration.js';
import { flowOfLogin } from './flow-of-login.js';
import { highestLevel } from './levels.js';

/**
 * Creates an authentication session at the start of the flow that the request asks for.
 * @throws RedirectedError if no login can satisfy the request, PageRefusal if registration is disabled
 */
export function newAuthentication(
  authentications: AuthenticationSessions,
  exchange: Exchange,
  request: AuthorizationRequest,
  client: Client,
): HostAuthenticationSession {
  const { realm } = exchange;
  const highest = request.flow?.level ?? highestLevel(flowOfLogin(realm, client, { flow: 'browser', request }));
  if ((request.acr?.least ?? 0) > highest) throw unmetRequirementsError(request);
  const authentication = authentications.create(exchange, request);
  if (!request.prompts.includes('create')) return authentication;
  requireRegistration(realm, client);
  if (!mayRegister(realm, authentication))
    throw new RedirectedError(request, 'invalid_request', 'Invalid parameter: prompt');
  authentication.flow = 'registration';
  return authentication;
}

/** The error of OpenID Connect Core Unmet Authentication Requirements §3. */
export function unmetRequirementsError(request: AuthorizationRequest): RedirectedError {
  return new RedirectedError(request, 'unmet_authentication_requirements');
}
