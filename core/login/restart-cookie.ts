import { COOKIE, readCookie, setCookie } from '../http/cookies.js';
import type { Exchange } from '../http/exchange.js';
import type { AuthorizationRequest } from '../oidc/authorization/authorization-request.js';
import type { BrowserSessions } from '../sessions/browser-sessions.js';
import { answerableClient } from './answerable-client.js';
import type { HostAuthenticationSession } from './authentication-sessions.js';

const RESTART = 'Restart';
/** Seconds: who comes back to a login page after a working day begins at the application. */
const LIFESPAN = 36_000;
/** Longest cookie that browsers keep, in characters; a login whose request does not fit cannot begin again. */
const LONGEST = 3800;

/**
 * Keycloak's restart cookie: an authentication session that the host has forgotten begins again where it was asked for. It
 * is encrypted: what a client pushed was not to go by the browser (RFC 9126 §1).
 */
export async function keepRestart(
  browsers: BrowserSessions,
  exchange: Exchange,
  { tabId, request }: HostAuthenticationSession,
  nowSeconds: number,
): Promise<void> {
  const payload = { iss: exchange.realm.issuer, exp: nowSeconds + LIFESPAN, tabId, request };
  const value = await browsers.encrypted(exchange, RESTART, payload);
  if (value.length <= LONGEST) setCookie(exchange, COOKIE.restart, value);
}

/** A login that the host knows nothing of any more. */
export interface LostLogin {
  readonly request: AuthorizationRequest;
  /** When its last page was shown, in seconds since the epoch. */
  readonly shownAt: number;
}

/** The authentication session in that tab, when its client may still be answered there. */
export async function readRestart(
  browsers: BrowserSessions,
  exchange: Exchange,
  tabId: string | undefined,
): Promise<LostLogin | undefined> {
  const cookie = readCookie(exchange, COOKIE.restart);
  const payload = cookie === undefined ? undefined : await browsers.decrypted(exchange, RESTART, cookie);
  if (payload === undefined || payload.tabId !== tabId) return undefined;
  // Made by this realm: it was checked when the login began. The client may have changed since.
  const request = payload.request as AuthorizationRequest;
  const shownAt = Number(payload.exp) - LIFESPAN;
  return answerableClient(exchange.realm, request) === undefined ? undefined : { request, shownAt };
}
