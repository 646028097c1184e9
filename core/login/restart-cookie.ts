import { COOKIE, readCookie, setCookie } from '../http/cookies.js';
import type { Exchange } from '../http/exchange.js';
import type { AuthorizationRequest } from '../oidc/authorization/authorization-request.js';
import type { BrowserSessions } from '../sessions/browser-sessions.js';
import { answerableClient } from './answerable-client.js';
import type { HostAuthenticationSession } from './authentication-sessions.js';

const RESTART = 'Restart';
/** Seconds. After a working day, the user has to start again at the application. */
const LIFESPAN = 36_000;
/** Maximum length in characters, below the limit of browsers. A login with a longer request cannot be restarted. */
const LONGEST = 3800;

/**
 * Writes Keycloak's restart cookie, from which a lost authentication session begins again. It is encrypted, because the
 * parameters of a pushed request must not be readable in the browser (RFC 9126 §1).
 */
export async function writeRestartCookie(
  browsers: BrowserSessions,
  exchange: Exchange,
  { tabId, request }: HostAuthenticationSession,
  nowSeconds: number,
): Promise<void> {
  const payload = { iss: exchange.realm.issuer, exp: nowSeconds + LIFESPAN, tabId, request };
  const value = await browsers.encrypt(exchange, RESTART, payload);
  if (value.length <= LONGEST) setCookie(exchange, COOKIE.restart, value);
}

/** A login that the host no longer has, read from the restart cookie. */
export interface LostLogin {
  readonly request: AuthorizationRequest;
  /** When its last page was shown, in seconds since the epoch. */
  readonly shownAt: number;
}

/** The lost login of that tab; undefined if its client may no longer be answered. */
export async function readRestartCookie(
  browsers: BrowserSessions,
  exchange: Exchange,
  tabId: string | undefined,
): Promise<LostLogin | undefined> {
  const cookie = readCookie(exchange, COOKIE.restart);
  const payload = cookie === undefined ? undefined : await browsers.decrypt(exchange, RESTART, cookie);
  if (payload === undefined || payload.tabId !== tabId) return undefined;
  // This realm encrypted it, and checked it when the login began. The client may have changed since.
  const request = payload.request as AuthorizationRequest;
  const shownAt = Number(payload.exp) - LIFESPAN;
  return answerableClient(exchange.realm, request) === undefined ? undefined : { request, shownAt };
}
