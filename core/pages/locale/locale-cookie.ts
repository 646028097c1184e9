import { isSecureSite } from '../../http/cookies.js';
import type { Exchange } from '../../http/exchange.js';

const NAME = 'KEYCLOAK_LOCALE';

export function readLocaleCookie({ ctx }: Exchange): string | undefined {
  const cookies = ctx.get('cookie').split(/;\s*/);
  return cookies.find((cookie) => cookie.startsWith(`${NAME}=`))?.slice(NAME.length + 1);
}

/** Stores the language until the browser closes. Attributes as in Keycloak: without TLS, SameSite=Lax. */
export function setLocaleCookie(exchange: Exchange, locale: string): void {
  const { ctx, realm } = exchange;
  const path = `${new URL(realm.issuer).pathname}/`;
  const site = isSecureSite(exchange) ? 'Secure; SameSite=None' : 'SameSite=Lax';
  ctx.append('Set-Cookie', `${NAME}=${locale}; Path=${path}; HttpOnly; ${site}`);
}
