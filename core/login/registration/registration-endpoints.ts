import type { Endpoint, Exchange } from '../../http/exchange.js';
import { type parseForm, readForm } from '../../http/form.js';
import type { Client } from '../../model/client.js';
import { flowOf } from '../../realms/flows/flow-model.js';
import type { HostAuthenticationSession } from '../authentication-sessions.js';
import { findExecution } from '../flows/run-flow.js';
import { answersOf, isCurrent, type LoginActionParts, loginActionEndpoint, showExpired } from '../login-actions.js';
import { mayRegister } from './may-register.js';
import { requireRegistration } from './require-registration.js';

/** `…/login-actions/registration`: from the login page to the registration form, and where that form is posted. */
export function registrationEndpoint(parts: LoginActionParts): Endpoint {
  return loginActionEndpoint(parts, 'registration', register, ['GET', 'POST']);
}

async function register(
  parts: LoginActionParts,
  exchange: Exchange,
  login: HostAuthenticationSession,
  client: Client,
  query: ReturnType<typeof parseForm>,
): Promise<void> {
  requireRegistration(exchange.realm, client);
  if (exchange.ctx.method !== 'POST') {
    if (login.at === 'registration' && isCurrent(login, query)) return parts.login.proceed(exchange, login, client);
    const comes = (login.at === 'authenticate' || login.at === 'registration') && mayRegister(exchange.realm, login);
    if (!comes) return showExpired(parts, exchange, login, client);
    return parts.login.enter(exchange, login, client, 'registration');
  }
  if (login.at !== 'registration' || !isCurrent(login, query)) return showExpired(parts, exchange, login, client);
  const form = await readForm(exchange.ctx.req);
  if (form.given('cancel-aia')) return parts.login.enter(exchange, login, client, 'browser');
  const execution = findExecution(flowOf(exchange.realm, client, 'registration'), login.waitsFor ?? '');
  if (execution === undefined) return showExpired(parts, exchange, login, client);
  await parts.login.proceed(exchange, login, client, { execution, form: answersOf(form) });
}
