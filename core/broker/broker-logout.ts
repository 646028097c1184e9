import type { Exchange } from '../http/exchange.js';
import { parseForm } from '../http/form.js';
import { LOGGED_OUT_PATH, type ProviderLogout } from '../login/logout/logout-endpoint.js';
import type { Clock } from '../model/clock.js';
import { enabledIdentityProvider } from '../model/identity-provider.js';
import type { BrowserSessions } from '../sessions/browser-sessions.js';
import { ID_TOKEN_NOTE } from './session-of-provider.js';

export interface BrokerLogoutParts {
  readonly browsers: BrowserSessions;
  readonly clock: Clock;
}

const STATE_TOKEN_TYPE = 'BrokerLogout';
/** How long the user may take to confirm at the provider. */
const STATE_LIFESPAN_SECONDS = 1800;

/**
 * Creates the function that returns the URL of the logout at a session's identity provider. The browser is redirected
 * to its `logoutUrl`, and back (OpenID Connect RP-Initiated Logout 1.0).
 */
export function createBrokerLogout({ browsers, clock }: BrokerLogoutParts): ProviderLogout {
  return async (exchange, { notes }, location) => {
    const { realm } = exchange;
    const provider = enabledIdentityProvider(realm, notes.identity_provider ?? '');
    const idToken = notes[ID_TOKEN_NOTE];
    if (provider?.logoutUrl === undefined || idToken === undefined) return undefined;
    const exp = Math.floor(clock.now() / 1000) + STATE_LIFESPAN_SECONDS;
    const state = await browsers.sign(exchange, { typ: STATE_TOKEN_TYPE, iss: realm.issuer, exp, location });
    const url = new URL(provider.logoutUrl);
    url.searchParams.set('id_token_hint', idToken);
    url.searchParams.set('post_logout_redirect_uri', `${provider.redirectUri(realm)}/logout_response`);
    url.searchParams.set('state', state);
    return url.href;
  };
}

/** Handles a browser that returns from the provider's logout: redirects it to the application's URI. */
export async function handleLogoutReturn({ browsers }: BrokerLogoutParts, exchange: Exchange): Promise<void> {
  const { ctx, realm } = exchange;
  const state = parseForm(ctx.querystring).get('state') ?? '';
  const payload = await browsers.verify(exchange, state, STATE_TOKEN_TYPE);
  const location = typeof payload?.location === 'string' ? payload.location : `${realm.issuer}${LOGGED_OUT_PATH}`;
  ctx.status = 302;
  ctx.set('Cache-Control', 'no-store, must-revalidate, max-age=0');
  ctx.set('Location', location);
  ctx.body = '';
}
