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
import { formValues, isCurrent, type LoginActionParts, loginActionEndpoint, showExpired } from '../login-actions.js';
import { linkRequest, RESET_CREDENTIALS } from './browser-link-logins.js';

/**
 * `…/login-actions/reset-credentials`: runs the realm's flow for forgotten credentials. Until a mailed link continues
 * it, the user may return to the login.
 */
export function resetCredentialsEndpoint(parts: LoginActionParts): Endpoint {
  const ofLogin = loginActionEndpoint(parts, RESET_CREDENTIALS, withinLogin, ['GET', 'POST']);
  const { GET: within = () => {}, POST } = ofLogin.methods;
  const begin = (exchange: Exchange) =>
    parseForm(exchange.ctx.querystring).given('tab_id') ? within(exchange) : outsideOfLogins(parts, exchange);
  return { ...ofLogin, methods: { GET: begin, ...(POST && { POST }) } };
}

async function withinLogin(
  parts: LoginActionParts,
  exchange: Exchange,
  authentication: HostAuthenticationSession,
  client: Client,
  query: ReturnType<typeof parseForm>,
): Promise<void> {
  requireAllowed(exchange, client);
  const isUnderWay = authentication.at === RESET_CREDENTIALS && authentication.flow === RESET_CREDENTIALS;
  if (exchange.ctx.method !== 'POST') {
    if (isUnderWay) return parts.login.proceed(exchange, authentication, client);
    if (authentication.at !== 'authenticate' || isProven(authentication))
      return showExpired(parts, exchange, authentication, client);
    // The user of the login is not taken over.
    delete authentication.userId;
    return parts.login.switchFlow(exchange, authentication, client, RESET_CREDENTIALS);
  }
  if (!isUnderWay || !isCurrent(authentication, query)) return showExpired(parts, exchange, authentication, client);
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

/** Opened outside a login: there is no authentication session, and the browser is not signed in afterwards. */
async function outsideOfLogins(parts: LoginActionParts, exchange: Exchange): Promise<void> {
  try {
    const clientId = parseForm(exchange.ctx.querystring).get('client_id') ?? 'account';
    const client = exchange.realm.clients.get(clientId);
    if (client === undefined) throw new PageRefusal('client_not_found', { key: 'clientNotFoundMessage' });
    if (!client.enabled) throw new PageRefusal('client_disabled', { key: 'clientDisabledMessage' });
    requireAllowed(exchange, client);
    const authentication = parts.authentications.create(exchange, linkRequest(exchange, client));
    await parts.login.switchFlow(exchange, authentication, client, RESET_CREDENTIALS);
  } catch (error) {
    await answerAuthorizationError(parts, exchange, error);
  }
}

function requireAllowed({ realm }: Exchange, client: Client): void {
  if (realm.settings.resetPasswordAllowed) return;
  throw new PageRefusal('not_allowed', { key: 'resetCredentialNotAllowedMessage' }, { client });
}
