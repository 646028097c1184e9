import { COOKIE, clearCookie } from '../../http/cookies.js';
import type { Endpoint, Exchange } from '../../http/exchange.js';
import { type Form, parseForm, readForm } from '../../http/form.js';
import type { RequestEvents } from '../../http/request-events.js';
import { defined } from '../../model/defined.js';
import { linkToClient } from '../../model/link-to-client.js';
import { PageRefusal } from '../../oidc/authorization/authorization-request.js';
import { withParameters } from '../../oidc/authorization/authorization-response.js';
import type { PageWriter } from '../../pages/page-writer.js';
import type { BrowserSession, BrowserSessions } from '../../sessions/browser-sessions.js';
import type { UserSessionRecord } from '../../store/store.js';
import { frontchannelFrames } from './frontchannel-frames.js';
import type { LogoutConfirmations } from './logout-confirmation.js';
import type { LogoutRequest, LogoutRequests, LogoutTarget } from './logout-request.js';
import type { RefreshTokenLogout } from './refresh-token-logout.js';
import type { SessionEnder } from './session-ender.js';

export interface LogoutParts {
  readonly requests: LogoutRequests;
  readonly confirmations: LogoutConfirmations;
  readonly events: RequestEvents;
  readonly sessionEnder: SessionEnder;
  readonly browsers: BrowserSessions;
  readonly pages: PageWriter;
  readonly providerLogout: ProviderLogout;
}

/**
 * Returns the URL at which the browser signs out at the identity provider of its session. Undefined if the session has
 * no provider with a logout URL.
 * @param location the final redirect; undefined: the page “logged out”
 */
export type ProviderLogout = (
  exchange: Exchange,
  session: UserSessionRecord,
  location: string | undefined,
) => Promise<string | undefined>;

const LOGOUT_PATH = '/protocol/openid-connect/logout';
const CONFIRM_PATH = `${LOGOUT_PATH}/logout-confirm`;
/** The path of the page “logged out”. */
export const LOGGED_OUT_PATH = CONFIRM_PATH;

/**
 * `…/protocol/openid-connect/logout` (OpenID Connect RP-Initiated Logout 1.0), and the endpoint of its confirmation
 * page.
 */
export function logoutEndpoints(parts: LogoutParts, byRefreshToken: RefreshTokenLogout): Endpoint[] {
  return [
    {
      path: LOGOUT_PATH,
      cors: 'client',
      // A HEAD request must not end a session.
      head: 'nothing',
      methods: {
        GET: (exchange) =>
          withErrorPage(parts, exchange, () => handleLogout(parts, exchange, parseForm(exchange.ctx.querystring))),
        POST: async (exchange) => {
          const form = await readForm(exchange.ctx.req);
          if (form.isPresent('refresh_token')) return byRefreshToken.serve(exchange, form);
          return withErrorPage(parts, exchange, () => handleLogout(parts, exchange, form));
        },
      },
    },
    {
      path: CONFIRM_PATH,
      cors: 'none',
      head: 'nothing',
      methods: {
        GET: (exchange) => withErrorPage(parts, exchange, () => showCurrentPage(parts, exchange)),
        POST: (exchange) => withErrorPage(parts, exchange, () => handleConfirmation(parts, exchange)),
      },
    },
  ];
}

async function handleLogout(parts: LogoutParts, exchange: Exchange, form: Form): Promise<void> {
  const request = await parts.requests.read(exchange.realm, form);
  const browser = await parts.browsers.current(exchange);
  const hintedSession = await parts.requests.sessionOfHint(exchange.realm, request);
  if (requiresConfirmation(request, browser, hintedSession)) await showConfirmation(parts, exchange, request, browser);
  else await finishLogout(parts, exchange, request, hintedSession);
}

/**
 * True if the user must confirm the logout. A link alone must not sign the user out, so only an ID token of the
 * browser's session replaces the confirmation. A browser without a session cannot lose one, so a hint or a client with
 * a redirect URI is enough.
 */
function requiresConfirmation(
  { hint, client, redirectUri }: LogoutRequest,
  browser: BrowserSession | undefined,
  hintedSession: UserSessionRecord | undefined,
): boolean {
  if (browser !== undefined) return hintedSession?.id !== browser.session.id;
  return hint === undefined && (client === undefined || redirectUri === undefined);
}

async function showConfirmation(
  parts: LogoutParts,
  exchange: Exchange,
  target: LogoutTarget,
  browser: BrowserSession | undefined,
): Promise<void> {
  const { client, redirectUri, state, uiLocales } = target;
  const query = new URLSearchParams();
  // The address does not contain the ID token hint, because URLs are logged. The client ID replaces it.
  if (client !== undefined) query.set('client_id', client.clientId);
  if (redirectUri !== undefined) query.set('post_logout_redirect_uri', redirectUri);
  if (state !== undefined) query.set('state', state);
  if (uiLocales !== undefined) query.set('ui_locales', uiLocales);
  await parts.pages.show(
    exchange,
    200,
    {
      page: 'confirm',
      title: { key: 'logoutConfirmTitle' },
      text: { key: 'logoutConfirmHeader' },
      submit: { key: 'doLogout' },
      submitName: 'confirmLogout',
      action: urlPathOf(exchange, CONFIRM_PATH),
      fields: [['session_code', await parts.confirmations.createCode(exchange, target, browser)]],
    },
    {
      client,
      uiLocales,
      address: `${urlPathOf(exchange, LOGOUT_PATH)}?${query}`,
      formTargets: redirectUri === undefined ? [] : ['https:', 'http:', redirectUri],
    },
  );
}

async function handleConfirmation(parts: LogoutParts, exchange: Exchange): Promise<void> {
  const form = await readForm(exchange.ctx.req);
  const browser = await parts.browsers.current(exchange);
  const target = await parts.confirmations.read(exchange, form.get('session_code'), browser);
  await finishLogout(parts, exchange, target, browser?.session);
}

/** Shows a posted page again for a GET, for example after a change of the language. */
async function showCurrentPage(parts: LogoutParts, exchange: Exchange): Promise<void> {
  const browser = await parts.browsers.current(exchange);
  const target = { client: undefined, redirectUri: undefined, state: undefined, uiLocales: undefined };
  if (browser === undefined) await showLoggedOut(parts, exchange, target);
  else await showConfirmation(parts, exchange, target, browser);
}

async function finishLogout(
  parts: LogoutParts,
  exchange: Exchange,
  target: LogoutTarget,
  session: UserSessionRecord | undefined,
): Promise<void> {
  const { ctx, realm } = exchange;
  const { client, redirectUri, state } = target;
  const clients = session === undefined ? [] : await parts.sessionEnder.end(realm, session);
  parts.browsers.clearCookies(exchange);
  clearCookie(exchange, COOKIE.authenticationSession);
  clearCookie(exchange, COOKIE.restart);
  if (session !== undefined) {
    const details = defined({ redirect_uri: redirectUri });
    const { userId, id: sessionId } = session;
    parts.events.emit(exchange, { type: 'LOGOUT', clientId: client?.clientId, userId, sessionId, details });
  }
  const stateQuery = new URLSearchParams(defined({ state })).toString();
  const clientUrl = redirectUri && withParameters(redirectUri, 'query', stateQuery);
  const location = (session && (await parts.providerLogout(exchange, session, clientUrl))) ?? clientUrl;
  const logouts = session === undefined ? [] : frontchannelFrames(realm, clients, session);
  if (logouts.length > 0) {
    const continuation = { continueUrl: location ?? urlPathOf(exchange, CONFIRM_PATH) };
    await parts.pages.show(exchange, 200, { page: 'frontchannel-logout', logouts, ...continuation }, { client });
  } else if (location === undefined) await showLoggedOut(parts, exchange, target);
  else {
    ctx.set('Cache-Control', 'no-store, must-revalidate, max-age=0');
    ctx.status = 302;
    ctx.set('Location', location);
    ctx.body = '';
  }
}

function showLoggedOut({ pages }: LogoutParts, exchange: Exchange, target: LogoutTarget): Promise<void> {
  const { client, uiLocales } = target;
  const address = urlPathOf(exchange, CONFIRM_PATH);
  const title = { key: 'successLogout' };
  const clientLink = linkToClient('continueUrl', client);
  return pages.show(exchange, 200, { page: 'info', title, ...clientLink }, { client, uiLocales, address });
}

async function withErrorPage(parts: LogoutParts, exchange: Exchange, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof PageRefusal)) throw error;
    const { client, eventError, text, status } = error;
    const details = { reason: parts.pages.english(text) };
    parts.events.emit(exchange, { type: 'LOGOUT', error: eventError, clientId: client?.clientId, details });
    const message = { severity: 'error' as const, ...text };
    await parts.pages.show(
      exchange,
      status,
      { page: 'error', ...linkToClient('backUrl', client) },
      { client, message },
    );
  }
}

function urlPathOf({ realm }: Exchange, path: string): string {
  return `${new URL(realm.issuer).pathname}${path}`;
}
