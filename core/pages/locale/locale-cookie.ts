import { isSecureSite } from '../../http/cookies.js';
import type { Exchange } from '../../http/exchange.js';

const COOKIE_NAME = 'KEYCLOAK_LOCALE';

export function readLocaleCookie({ ctx }: Exchange): string | undefined {
  const cookies = ctx.get('cookie').split(/;\s*/);
  return cookies.find((cookie) => cookie.startsWith(`${COOKIE_NAME}=`))?.slice(COOKIE_NAME.length + 1);
}

/** Stores the language until the browser closes. The attributes are Keycloak's: `SameSite=Lax` without TLS. */
export function setLocaleCookie(exchange: Exchange, locale: string): void {
  const { ctx, realm } = exchange;
  const path = `${new URL(realm.issuer).pathname}/`;
  const site = isSecureSite(exchange) ? 'Secure; SameSite=None' : 'SameSite=Lax';
  ctx.append('Set-Cookie', `${COOKIE_NAME}=${locale}; Path=${path}; HttpOnly; ${site}`);
}
