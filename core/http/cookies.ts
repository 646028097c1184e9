import type { Exchange } from './exchange.js';

/** Keycloak's login cookies, all with the realm's own path. */
export const COOKIE = {
  authenticationSession: 'AUTH_SESSION_ID',
  identity: 'KEYCLOAK_IDENTITY',
  /** Readable by scripts: the session iframe compares it. */
  session: 'KEYCLOAK_SESSION',
  restart: 'KC_RESTART',
  rememberMe: 'KEYCLOAK_REMEMBER_ME',
} as const;

/** The value of a cookie; undefined if it is absent, or occurs twice with different values. */
export function readCookie({ ctx }: Exchange, name: string): string | undefined {
  const values = new Set<string>();
  for (const pair of ctx.get('cookie').split(';')) {
    const end = pair.indexOf('=');
    if (end > 0 && pair.slice(0, end).trim() === name)
      values.add(
        pair
          .slice(end + 1)
          .trim()
          .replace(/^"|"$/g, ''),
      );
  }
  const [value, ...duplicates] = values;
  return duplicates.length > 0 || value === '' ? undefined : value;
}

/**
 * True if browsers reach the host over https. That is also the case if the realm's issuer is https and the proxy does
 * not forward the protocol.
 */
export function isSecureSite({ realm, secure }: Pick<Exchange, 'realm' | 'secure'>): boolean {
  return secure || realm.issuer.startsWith('https:');
}

/**
 * Sets a cookie of the realm. Over https it is `Secure; SameSite=None`, so that applications of other sites can send
 * silent requests. Over plain http, browsers only accept `SameSite=Lax`.
 * @param options.maxAge in seconds. Undefined: the browser deletes the cookie when it closes
 * @param options.page restricts the cookie to this path below the realm, such as `/account`, with `SameSite=Lax`
 */
export function setCookie(
  exchange: Exchange,
  name: string,
  value: string,
  options: { readonly maxAge?: number; readonly readable?: boolean; readonly page?: string } = {},
): void {
  const { ctx, realm } = exchange;
  const secure = isSecureSite(exchange);
  const parts = [`${name}=${value}`, `Path=${new URL(realm.issuer).pathname}${options.page ?? '/'}`];
  if (options.maxAge !== undefined) parts.push(`Max-Age=${Math.max(0, Math.floor(options.maxAge))}`);
  if (options.readable !== true) parts.push('HttpOnly');
  if (secure) parts.push('Secure');
  parts.push(secure && options.page === undefined ? 'SameSite=None' : 'SameSite=Lax');
  ctx.append('Set-Cookie', parts.join('; '));
}

export function clearCookie(exchange: Exchange, name: string, page?: string): void {
  setCookie(exchange, name, '', { maxAge: 0, page });
}
