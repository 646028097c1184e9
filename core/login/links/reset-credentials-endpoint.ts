import type { Endpoint, Exchange } from '../../http/exchange.js';
import { parseForm, readForm } from '../../http/form.js';
import type { Client } from '../../model/client.js';
import { answerAuthorizationError } from '../../oidc/authorization/authorization-endpoint.js';
import { PageRefusal } from '../../oidc/authorization/authorization-request.js';
import { flowOf } from '../../realms/flows/flow-model.js';
import type { HostAuthenticationSession } from '../authentication-sessions.js';
import { isProven } from '../flows/flow-state.js';
import { leaveReset } from '../flows/reset-flow.js';
import { findExecution } from '../flows/run-flow.js';
import {
  formValues,
  isFromCurrentPage,
  type LoginActionParts,
  loginActionEndpoint,
  showExpired,
} from '../login-actions.js';
import { linkRequest, RESET_CREDENTIALS } from './browser-link-logins.js';

/**
 * `…/login-actions/reset-credentials`: runs the realm's flow for forgotten credentials. Until the user has followed the
 * mailed link, they can return to the login.
 */
export function resetCredentialsEndpoint(parts: LoginActionParts): Endpoint {
  const endpoint = loginActionEndpoint(parts, RESET_CREDENTIALS, runInLogin, ['GET', 'POST']);
  const { GET: continueLogin = () => {}, POST } = endpoint.methods;
  const handleGet = (exchange: Exchange) =>
    parseForm(exchange.ctx.querystring).isPresent('tab_id')
      ? continueLogin(exchange)
      : runOutsideLogin(parts, exchange);
  return { ...endpoint, methods: { GET: handleGet, ...(POST && { POST }) } };
}

async function runInLogin(
  parts: LoginActionParts,
  exchange: Exchange,
  authentication: HostAuthenticationSession,
  client: Client,
  query: ReturnType<typeof parseForm>,
): Promise<void> {
  requireResetAllowed(exchange, client);
  const isInReset = authentication.at === RESET_CREDENTIALS && authentication.flow === RESET_CREDENTIALS;
  if (exchange.ctx.method !== 'POST') {
    if (isInReset) return parts.login.proceed(exchange, authentication, client);
    if (authentication.at !== 'authenticate' || isProven(authentication))
      return showExpired(parts, exchange, authentication, client);
    // The reset starts without the user whom the login has found.
    delete authentication.userId;
    return parts.login.switchFlow(exchange, authentication, client, RESET_CREDENTIALS);
  }
  if (!isInReset || !isFromCurrentPage(authentication, query))
    return showExpired(parts, exchange, authentication, client);
  const form = formValues(await readForm(exchange.ctx.req));
  const { linkOnly } = authentication.request;
  if (form['cancel-aia'] !== undefined && linkOnly !== true && !isProven(authentication)) {
    leaveReset(authentication);
    return parts.login.proceed(exchange, authentication, client);
  }
  const execution = findExecution(flowOf(exchange.realm, client, RESET_CREDENTIALS), authentication.waitsFor ?? '');
  if (execution === undefined) return showExpired(parts, exchange, authentication, client);
  await parts.login.proceed(exchange, authentication, client, { execution, form });
}

/** Runs the flow for a request that names no login. Afterwards the browser is not signed in. */
async function runOutsideLogin(parts: LoginActionParts, exchange: Exchange): Promise<void> {
  try {
    const clientId = parseForm(exchange.ctx.querystring).get('client_id') ?? 'account';
    const client = exchange.realm.clients.get(clientId);
    if (client === undefined) throw new PageRefusal('client_not_found', { key: 'clientNotFoundMessage' });
    if (!client.enabled) throw new PageRefusal('client_disabled', { key: 'clientDisabledMessage' });
    requireResetAllowed(exchange, client);
    const authentication = parts.authentications.create(exchange, linkRequest(exchange, client));
    await parts.login.switchFlow(exchange, authentication, client, RESET_CREDENTIALS);
  } catch (error) {
    await answerAuthorizationError(parts, exchange, error);
  }
}

function requireResetAllowed({ realm }: Exchange, client: Client): void {
  if (realm.settings.resetPasswordAllowed) return;
  throw new PageRefusal('not_allowed', { key: 'resetCredentialNotAllowedMessage' }, { client });
}
