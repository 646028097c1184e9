import { LOGGED_OUT_PATH } from '../login/logout/logout-endpoint.js';
import { ACCOUNT_CONSOLE } from '../model/built-in-names.js';
import { identityProvidersOf } from '../model/identity-provider.js';
import { hiddenField } from '../pages/field.js';
import { type Html, html } from '../pages/html.js';
import { linkAddress } from '../pages/link-address.js';
import type { Texts } from '../pages/messages/texts.js';
import { ssoMax } from '../sessions/lifespans.js';
import { ACCOUNT } from './account-session.js';
import type { AccountVisit } from './visit.js';

/**
 * The `session_code` that the logout's own page would ask for: whoever signs out here has seen a page of the host and
 * pressed its button, and is not asked once more. Good for as long as the session may live, as the page is.
 */
export function codeToSignOut({ exchange, accountSession, confirmations }: AccountVisit): Promise<string> {
  const { realm } = exchange;
  const { browser } = accountSession;
  const target = {
    client: realm.clients.get(ACCOUNT_CONSOLE),
    redirectUri: `${realm.issuer}${ACCOUNT}/`,
    state: undefined,
    uiLocales: undefined,
  };
  return confirmations.code(exchange, target, browser, ssoMax(realm, browser.session.rememberMe));
}

/**
 * Where signing out may lead to: where users come by other hosts, they go by them, too, and the login that follows may begin
 * there at once.
 */
export function targetsOfSignOut({ exchange: { realm } }: AccountVisit): readonly string[] {
  const leadsElsewhere = [...identityProvidersOf(realm).values()].some(({ enabled }) => enabled);
  return leadsElsewhere ? ['https:', 'http:'] : [];
}

/** Whose account this is, and the way out of it. */
export function personAndSignOut({ exchange: { realm }, user }: AccountVisit, texts: Texts, code: string): Html {
  const { firstName = '', lastName = '' } = user.view;
  const name = `${firstName} ${lastName}`.trim() || user.username;
  const action = `${new URL(realm.issuer).pathname}${LOGGED_OUT_PATH}`;
  return html`<div id="kc-account-person"><span id="kc-account-name">${name}</span><form action="${linkAddress(action)}" method="post">${hiddenField('session_code', code)}<button type="submit" class="button secondary small" id="kc-sign-out" name="confirmLogout">${texts.of('doSignOut')}</button></form></div>`;
}
