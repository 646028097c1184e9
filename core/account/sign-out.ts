import { LOGGED_OUT_PATH } from '../login/logout/logout-endpoint.js';
import { ACCOUNT_CONSOLE } from '../model/built-in-names.js';
import { identityProvidersOf } from '../model/identity-provider.js';
import { hiddenField } from '../pages/field.js';
import { type Html, html } from '../pages/html.js';
import type { Texts } from '../pages/messages/texts.js';
import { safeLinkUrl } from '../pages/safe-link-url.js';
import { ssoMax } from '../sessions/lifespans.js';
import type { AccountRequest } from './account-request.js';
import { ACCOUNT } from './account-session.js';

/**
 * The `session_code` of the logout's confirmation page. The button on the account page is the confirmation, so the
 * logout does not ask again. The code is valid as long as the session.
 */
export function createSignOutCode({ exchange, accountSession, confirmations }: AccountRequest): Promise<string> {
  const { realm } = exchange;
  const { browser } = accountSession;
  const target = {
    client: realm.clients.get(ACCOUNT_CONSOLE),
    redirectUri: `${realm.issuer}${ACCOUNT}/`,
    state: undefined,
    uiLocales: undefined,
  };
  return confirmations.createCode(exchange, target, browser, ssoMax(realm, browser.session.rememberMe));
}

/**
 * Additional redirect targets of the sign-out form. If the realm has identity providers, the logout and a following
 * login may redirect to other hosts.
 */
export function signOutTargets({ exchange: { realm } }: AccountRequest): readonly string[] {
  const mayLeaveHost = [...identityProvidersOf(realm).values()].some(({ enabled }) => enabled);
  return mayLeaveHost ? ['https:', 'http:'] : [];
}

/** The user's name and the sign-out button. */
export function userAndSignOutButton({ exchange: { realm }, user }: AccountRequest, texts: Texts, code: string): Html {
  const { firstName = '', lastName = '' } = user.view;
  const name = `${firstName} ${lastName}`.trim() || user.username;
  const action = `${new URL(realm.issuer).pathname}${LOGGED_OUT_PATH}`;
  return html`<div id="kc-account-person"><span id="kc-account-name">${name}</span><form action="${safeLinkUrl(action)}" method="post">${hiddenField('session_code', code)}<button type="submit" class="button secondary small" id="kc-sign-out" name="confirmLogout">${texts.of('doSignOut')}</button></form></div>`;
}
