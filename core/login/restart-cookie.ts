import { COOKIE, readCookie, setCookie } from '../http/cookies.js';
import type { Exchange } from '../http/exchange.js';
import type { AuthorizationRequest } from '../oidc/authorization/authorization-request.js';
import type { BrowserSessions } from '../sessions/browser-sessions.js';
import { answerableClient } from './answerable-client.js';
import type { HostAuthenticationSession } from './authentication-sessions.js';

const TOKEN_TYPE = 'Restart';
/** Lifespan in seconds. After a working day, the user must start again at the application. */
const LIFESPAN_SECONDS = 36_000;
/** Maximum length in characters, below the limit of browsers. A login with a longer request cannot be restarted. */
const MAX_LENGTH = 3800;

/**
 * Writes Keycloak's restart cookie, from which a lost login can start again. It is encrypted, because the parameters of
 * a pushed request must not be readable in the browser (RFC 9126 §1).
 */
export async function writeRestartCookie(
  browsers: BrowserSessions,
  exchange: Exchange,
  { tabId, request }: HostAuthenticationSession,
  nowSeconds: number,
): Promise<void> {
  const payload = { iss: exchange.realm.issuer, exp: nowSeconds + LIFESPAN_SECONDS, tabId, request };
  const value = await browsers.encrypt(exchange, TOKEN_TYPE, payload);
  if (value.length <= MAX_LENGTH) setCookie(exchange, COOKIE.restart, value);
}

/** A login that the host no longer has, as stored in the restart cookie. */
export interface LostLogin {
  readonly request: AuthorizationRequest;
  /** When its last page was shown, in seconds since the epoch. */
  readonly shownAt: number;
}

/**
 * Reads the lost login of this tab. Undefined if the cookie is not about this tab, or the client may no longer be
 * answered.
 */
export async function readRestartCookie(
  browsers: BrowserSessions,
  exchange: Exchange,
  tabId: string | undefined,
): Promise<LostLogin | undefined> {
  const cookie = readCookie(exchange, COOKIE.restart);
  const payload = cookie === undefined ? undefined : await browsers.decrypt(exchange, TOKEN_TYPE, cookie);
  if (payload === undefined || payload.tabId !== tabId) return undefined;
  // The realm itself encrypted the request, after checking it at the start of the login. Only the client may have
  // changed since then.
  const request = payload.request as AuthorizationRequest;
  const shownAt = Number(payload.exp) - LIFESPAN_SECONDS;
  return answerableClient(exchange.realm, request) === undefined ? undefined : { request, shownAt };
}
