import { writeJson } from '../http/errors.js';
import type { Endpoint, Exchange } from '../http/exchange.js';
import { parseForm } from '../http/form.js';
import type { Clock } from '../model/clock.js';
import { brokeredFlow } from './flows/brokered-logins.js';
import { flowOfLogin } from './flows/flow-of-login.js';
import { findExecution } from './flows/run-flow.js';
import { readAuthenticationReference } from './login-action-url.js';
import { isFromCurrentPage, type LoginActionParts } from './login-actions.js';
import { POLL_PATH } from './login-pages.js';

/** Minimum time between two polls of a page, in milliseconds. */
const MIN_INTERVAL_MS = 900;

export interface PollParts extends LoginActionParts {
  readonly clock: Clock;
}

/**
 * `…/login-actions/poll`: a pending page asks whether its authenticator can continue. The request neither starts a
 * login nor shows a page.
 */
export function stepPollEndpoint(parts: PollParts): Endpoint {
  return {
    path: `/login-actions/${POLL_PATH}`,
    cors: 'none',
    methods: { GET: (exchange) => handlePoll(parts, exchange) },
  };
}

async function handlePoll({ authentications, clock, login }: PollParts, exchange: Exchange): Promise<void> {
  const { ctx, realm } = exchange;
  ctx.set('Cache-Control', 'no-store');
  const query = parseForm(ctx.querystring);
  const { tabId, clientId, encryptedSession } = readAuthenticationReference(query);
  const authentication = await authentications.find(exchange, tabId ?? '', encryptedSession);
  const client = realm.clients.get(authentication?.clientId ?? '');
  const isPolling = authentication?.polledAt !== undefined && isFromCurrentPage(authentication, query);
  if (!isPolling || client?.enabled !== true || clientId !== client.clientId) return refuse(exchange);
  const now = clock.now();
  if (now - (authentication.polledAt ?? 0) < MIN_INTERVAL_MS) {
    ctx.set('Retry-After', '1');
    return writeJson(ctx, 429, { error: 'slow_down', error_description: 'The page asks too often' });
  }
  authentication.polledAt = now;
  const flow = brokeredFlow(realm, authentication) ?? flowOfLogin(realm, client, authentication);
  const execution = findExecution(flow, authentication.waitsFor ?? '');
  const pollAnswer = execution && (await login.poll(exchange, authentication, client, execution));
  if (pollAnswer === undefined) return refuse(exchange);
  writeJson(ctx, 200, { ...pollAnswer });
}

function refuse({ ctx }: Exchange): void {
  writeJson(ctx, 400, { error: 'invalid_request', error_description: 'No login waits for this' });
}
