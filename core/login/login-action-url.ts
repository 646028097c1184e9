import type { Exchange } from '../http/exchange.js';
import type { Form } from '../http/form.js';
import type { HostAuthenticationSession } from './authentication-sessions.js';

/** The URL to which a page's form is posted, in Keycloak's format. A GET of it shows the page again. */
export function loginActionUrl({ realm }: Exchange, authentication: HostAuthenticationSession, action: string): string {
  const query = new URLSearchParams({
    session_code: authentication.code,
    execution: authentication.waitsFor ?? '',
    client_id: authentication.clientId,
    tab_id: authentication.tabId,
    ...sessionParameter(authentication),
  });
  return `${new URL(realm.issuer).pathname}/login-actions/${action}?${query}`;
}

/**
 * The absolute URL of a form, as in Keycloak: scripts that run a login post to it unchanged. If the browser uses
 * another host name than the issuer's, the path stays relative, because the login's cookies belong to the browser's
 * host name.
 */
export function absoluteUrl({ ctx, realm, secure }: Exchange, path: string): string {
  const { origin, host, protocol } = new URL(realm.issuer);
  return ctx.host === host && secure === (protocol === 'https:') ? `${origin}${path}` : path;
}

/** The URL of a login page's button for an identity provider. */
export function brokerLoginUrl({ realm }: Exchange, authentication: HostAuthenticationSession, alias: string): string {
  const query = new URLSearchParams({
    session_code: authentication.code,
    client_id: authentication.clientId,
    tab_id: authentication.tabId,
    ...sessionParameter(authentication),
  });
  return `${new URL(realm.issuer).pathname}/broker/${encodeURIComponent(alias)}/login?${query}`;
}

/** Identifies an authentication session in a URL, which may carry the session itself. The parameters are Keycloak's. */
export interface AuthenticationReference {
  readonly tabId: string | undefined;
  readonly clientId: string | undefined;
  readonly encryptedSession?: string | undefined;
}

export function readAuthenticationReference(query: Form): AuthenticationReference {
  return { tabId: query.get('tab_id'), clientId: query.get('client_id'), encryptedSession: query.get('client_data') };
}

function sessionParameter({ encryptedSession }: HostAuthenticationSession): { client_data?: string } {
  return encryptedSession === undefined ? {} : { client_data: encryptedSession };
}
