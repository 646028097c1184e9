import { COOKIE, clearCookie, readCookie, setCookie } from '../http/cookies.js';
import type { Exchange } from '../http/exchange.js';

/** Seconds: Keycloak's year. */
const LIFESPAN = 31_536_000;

/** Who last logged in with this browser and wanted to be remembered. */
export function rememberedUsername(exchange: Exchange): string | undefined {
  const cookie = readCookie(exchange, COOKIE.rememberMe);
  if (!exchange.realm.settings.rememberMe || !cookie?.startsWith('username:')) return undefined;
  try {
    return decodeURIComponent(cookie.slice('username:'.length));
  } catch {
    return undefined;
  }
}

/** Remembers the name; undefined: forgets whom it remembered. */
export function keepUsername(exchange: Exchange, username: string | undefined): void {
  if (username !== undefined) {
    setCookie(exchange, COOKIE.rememberMe, `username:${encodeURIComponent(username)}`, { maxAge: LIFESPAN });
  } else if (readCookie(exchange, COOKIE.rememberMe) !== undefined) clearCookie(exchange, COOKIE.rememberMe);
}
