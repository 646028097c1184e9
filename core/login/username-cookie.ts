import { COOKIE, clearCookie, readCookie, setCookie } from '../http/cookies.js';
import type { Exchange } from '../http/exchange.js';

/** One year in seconds, as in Keycloak. */
const LIFESPAN_SECONDS = 31_536_000;

/**
 * The username in the browser's “remember me” cookie; undefined if there is none, or if the realm does not offer
 * “remember me”.
 */
export function readUsernameCookie(exchange: Exchange): string | undefined {
  const cookie = readCookie(exchange, COOKIE.rememberMe);
  if (!exchange.realm.settings.rememberMe || !cookie?.startsWith('username:')) return undefined;
  try {
    return decodeURIComponent(cookie.slice('username:'.length));
  } catch {
    return undefined;
  }
}

/** Sets the “remember me” cookie; clears it if `username` is undefined. */
export function writeUsernameCookie(exchange: Exchange, username: string | undefined): void {
  if (username !== undefined) {
    setCookie(exchange, COOKIE.rememberMe, `username:${encodeURIComponent(username)}`, { maxAge: LIFESPAN_SECONDS });
  } else if (readCookie(exchange, COOKIE.rememberMe) !== undefined) clearCookie(exchange, COOKIE.rememberMe);
}
