import { answerPreflight, realmOrigins } from '../http/cors.js';
import type { Exchange } from '../http/exchange.js';
import { parseForm } from '../http/form.js';
import { notFound } from '../http/not-found.js';
import { decodeSegment, type Fallback, methodNotAllowed } from '../http/realm-dispatch.js';
import { readAuthenticationReference } from '../login/login-action-url.js';
import { showExpired, withAuthentication } from '../login/login-actions.js';
import { authenticationOfState } from '../login/pending-redirects.js';
import { isSameSecret } from '../model/same-secret.js';
import { type BrokerLogoutParts, handleLogoutReturn } from './broker-logout.js';
import { type BrokerTokenParts, serveBrokerToken } from './broker-token.js';
import { type CallbackParts, handleCallback } from './handle-callback.js';

export type BrokerEndpointParts = CallbackParts & BrokerLogoutParts & BrokerTokenParts;

type BrokerEndpoint = (parts: BrokerEndpointParts, exchange: Exchange, alias: string) => Promise<void>;

const ENDPOINTS: Readonly<Record<string, BrokerEndpoint>> = {
  login: redirectToProvider,
  endpoint: handleReturn,
  'endpoint/logout_response': handleLogoutReturn,
  token: serveBrokerToken,
};

/** Serves `/realms/{realm}/broker/{alias}/…`: login pages link here, and identity providers redirect back here. */
export function brokerEndpoints(parts: BrokerEndpointParts): Fallback {
  return async (exchange, path) => {
    const [, alias = '', name = ''] = /^\/broker\/([^/]+)\/(.+)$/.exec(path) ?? [];
    const endpoint = Object.hasOwn(ENDPOINTS, name) ? ENDPOINTS[name] : undefined;
    if (endpoint === undefined) throw notFound();
    const { ctx } = exchange;
    if (ctx.method === 'HEAD') {
      // A HEAD request must not use up a code or state.
      ctx.status = 200;
      return;
    }
    if (ctx.method === 'OPTIONS' && name === 'token') {
      return answerPreflight(ctx, 'GET, HEAD, OPTIONS', realmOrigins(exchange.realm));
    }
    if (ctx.method !== 'GET') throw methodNotAllowed('GET, HEAD');
    await endpoint(parts, exchange, decodeSegment(alias));
  };
}

/** A login page's button for a provider links here. */
function redirectToProvider(parts: BrokerEndpointParts, exchange: Exchange, alias: string): Promise<void> {
  const query = parseForm(exchange.ctx.querystring);
  return withAuthentication(parts, exchange, readAuthenticationReference(query), async (authentication, client) => {
    const isCurrent = isSameSecret(query.get('session_code'), authentication.code);
    if (!isCurrent || authentication.at !== 'authenticate' || authentication.userId !== undefined) {
      return showExpired(parts, exchange, authentication, client);
    }
    await parts.brokering.redirectToProvider(exchange, authentication, client, { alias });
  });
}

/** The redirect URI, to which the provider sends the browser back. */
function handleReturn(parts: BrokerEndpointParts, exchange: Exchange, alias: string): Promise<void> {
  const query = parseForm(exchange.ctx.querystring);
  return withAuthentication(parts, exchange, authenticationOfState(query.get('state')), (authentication, client) =>
    handleCallback(parts, exchange, authentication, client, { alias, query }),
  );
}
