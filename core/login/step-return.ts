import type { Endpoint, Exchange } from '../http/exchange.js';
import { type Form, parseForm, readForm } from '../http/form.js';
import type { Client } from '../model/client.js';
import type { Realm } from '../model/realm.js';
import { isSameSecret } from '../model/same-secret.js';
import { PageRefusal } from '../oidc/authorization/authorization-request.js';
import type { HostAuthenticationSession } from './authentication-sessions.js';
import { brokeredFlow } from './flows/brokered-logins.js';
import { flowOfLogin } from './flows/flow-of-login.js';
import { findExecution } from './flows/run-flow.js';
import { formValues, type LoginActionParts, withAuthentication } from './login-actions.js';
import { authenticationOfState, flowPosition } from './pending-redirects.js';

const RETURN_PATH = '/login-actions/return';

/** The redirect URI for authenticators that send browsers to external sites. */
export function returnUrl({ issuer }: Realm): string {
  return `${issuer}${RETURN_PATH}`;
}

/** `…/login-actions/return`: the browser returns by a GET, or by a form that the external site posts. */
export function stepReturnEndpoint(parts: LoginActionParts): Endpoint {
  return {
    path: RETURN_PATH,
    cors: 'none',
    methods: {
      GET: (exchange) => handleReturn(parts, exchange, parseForm(exchange.ctx.querystring)),
      POST: async (exchange) => handleReturn(parts, exchange, await readForm(exchange.ctx.req)),
    },
  };
}

function handleReturn(parts: LoginActionParts, exchange: Exchange, form: Form): Promise<void> {
  // With two `state` parameters it is unknown which one is genuine.
  const [state, ...duplicates] = form.all('state');
  return withAuthentication(parts, exchange, authenticationOfState(state), async (authentication, client) => {
    const execution = redeemState(exchange, authentication, client, duplicates.length === 0 ? state : undefined);
    const { state: _, ...parameters } = formValues(form);
    await parts.login.proceed(exchange, authentication, client, { execution, form: parameters, method: 'returned' });
  });
}

/**
 * Redeems `state`, and returns the execution that redirected the browser.
 * @throws PageRefusal if the login does not wait for this `state`, or is in another stage than at the redirect
 */
function redeemState(
  { realm }: Exchange,
  authentication: HostAuthenticationSession,
  client: Client,
  state: string | undefined,
) {
  const { away } = authentication;
  const isExpected = away !== undefined && away.alias === undefined && isSameSecret(state, away.state);
  // The `state` works once, even if the login then fails.
  if (isExpected) delete authentication.away;
  const flow = brokeredFlow(realm, authentication) ?? flowOfLogin(realm, client, authentication);
  const execution =
    isExpected && away.from === flowPosition(authentication) ? findExecution(flow, away.execution) : undefined;
  if (execution === undefined) {
    throw new PageRefusal('invalid_code', { key: 'invalidCodeMessage' }, { client, eventType: 'LOGIN' });
  }
  authentication.waitsFor = execution.id;
  return execution;
}
