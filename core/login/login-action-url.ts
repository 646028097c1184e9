import type { Exchange } from '../http/exchange.js';
import type { Form } from '../http/form.js';
import type { HostAuthenticationSession } from './authentication-sessions.js';

/** The address of a page's form, as Keycloak writes it; it shows the page again when it is opened. */
export function loginActionUrl({ realm }: Exchange, authentication: HostAuthenticationSession, action: string): string {
  const query = new URLSearchParams({
    session_code: authentication.code,
    execution: authentication.waitsFor ?? '',
    client_id: authentication.clientId,
    tab_id: authentication.tabId,
    ...carriedBy(authentication),
  });
  return `${new URL(realm.issuer).pathname}/login-actions/${action}?${query}`;
}

/**
 * The path of a form as a whole address, as Keycloak writes it: scripts that drive a login post to it as it stands. A
 * browser that calls the host by another name than the issuer's keeps the path: the login's cookies are of that name.
 */
export function wholeAddress({ ctx, realm, secure }: Exchange, path: string): string {
  const { origin, host, protocol } = new URL(realm.issuer);
  return ctx.host === host && secure === (protocol === 'https:') ? `${origin}${path}` : path;
}

/** Where a login page's button for an identity provider leads. */
export function brokerLoginUrl({ realm }: Exchange, authentication: HostAuthenticationSession, alias: string): string {
  const query = new URLSearchParams({
    session_code: authentication.code,
    client_id: authentication.clientId,
    tab_id: authentication.tabId,
    ...carriedBy(authentication),
  });
  return `${new URL(realm.issuer).pathname}/broker/${encodeURIComponent(alias)}/login?${query}`;
}

/** The authentication session that an address names and may carry; the parameters are Keycloak's. */
export interface NamedAuthentication {
  readonly tabId: string | undefined;
  readonly clientId: string | undefined;
  readonly carried?: string | undefined;
}

export function namedAuthentication(query: Form): NamedAuthentication {
  return { tabId: query.get('tab_id'), clientId: query.get('client_id'), carried: query.get('client_data') };
}

function carriedBy({ carried }: HostAuthenticationSession): { client_data?: string } {
  return carried === undefined ? {} : { client_data: carried };
}
