import type { Endpoint, Exchange } from '../../http/exchange.js';
import { type parseForm, readForm } from '../../http/form.js';
import type { Client } from '../../model/client.js';
import { flowOf } from '../../realms/flows/flow-model.js';
import type { HostAuthenticationSession } from '../authentication-sessions.js';
import { findExecution } from '../flows/run-flow.js';
import {
  formValues,
  isFromCurrentPage,
  type LoginActionParts,
  loginActionEndpoint,
  showExpired,
} from '../login-actions.js';
import { mayRegister } from './may-register.js';
import { requireRegistration } from './require-registration.js';

/** `…/login-actions/registration`: shows the registration form, and handles it when it is posted. */
export function registrationEndpoint(parts: LoginActionParts): Endpoint {
  return loginActionEndpoint(parts, 'registration', handleRegistration, ['GET', 'POST']);
}

async function handleRegistration(
  parts: LoginActionParts,
  exchange: Exchange,
  authentication: HostAuthenticationSession,
  client: Client,
  query: ReturnType<typeof parseForm>,
): Promise<void> {
  requireRegistration(exchange.realm, client);
  if (exchange.ctx.method !== 'POST') {
    if (authentication.at === 'registration' && isFromCurrentPage(authentication, query))
      return parts.login.proceed(exchange, authentication, client);
    const mayBegin =
      (authentication.at === 'authenticate' || authentication.at === 'registration') &&
      mayRegister(exchange.realm, authentication);
    if (!mayBegin) return showExpired(parts, exchange, authentication, client);
    return parts.login.switchFlow(exchange, authentication, client, 'registration');
  }
  if (authentication.at !== 'registration' || !isFromCurrentPage(authentication, query))
    return showExpired(parts, exchange, authentication, client);
  const form = await readForm(exchange.ctx.req);
  if (form.isPresent('cancel-aia')) return parts.login.switchFlow(exchange, authentication, client, 'browser');
  const execution = findExecution(flowOf(exchange.realm, client, 'registration'), authentication.waitsFor ?? '');
  if (execution === undefined) return showExpired(parts, exchange, authentication, client);
  await parts.login.proceed(exchange, authentication, client, { execution, form: formValues(form) });
}
