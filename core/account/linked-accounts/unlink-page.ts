import type { Form } from '../../http/form.js';
import { html } from '../../pages/html.js';
import { linkAddress } from '../../pages/link-address.js';
import type { Texts } from '../../pages/messages/texts.js';
import { hasAnyRole, isRecentLogin } from '../account.js';
import {
  type AccountPage,
  type AccountRequest,
  addressOf,
  askToSignInAgain,
  buttonForm,
  redirectWithNotice,
  showPage,
} from '../account-request.js';
import { LINKED_ACCOUNTS, linkedAccountsPage, UNLINK } from './linked-accounts-page.js';
import { canUnlink, LAST_WAY_IN, LastSignInMethodError, linkedAccounts, unlink } from './linked-identities.js';

const LAST = { key: LAST_WAY_IN, severity: 'error' } as const;

/** Asks for confirmation before removing a link; requires a recent login. */
export const unlinkPage: AccountPage = {
  path: UNLINK,
  title: 'linkedAccounts',
  isOffered: (visit) => hasAnyRole(visit, 'manage-account', 'manage-account-links'),
  async get(visit, query) {
    const account = accountOf(visit, query);
    if (account === undefined) return redirectWithNotice(visit, LINKED_ACCOUNTS);
    const { alias } = account;
    if (!canUnlink(visit.exchange.realm, visit.user.representation, alias))
      return redirectWithNotice(visit, LINKED_ACCOUNTS, LAST);
    if (!isRecentLogin(visit.parts, visit)) return visit.signInAgain(pathOf(alias));
    const title = (texts: Texts) => texts.of('unlinkTitle', texts.name(account.name));
    const content = (texts: Texts) => {
      const name = texts.name(account.name);
      return html`<p>${texts.of('unlinkText')}</p>
<div class="item-actions" id="kc-unlink">${buttonForm(visit, UNLINK, { provider: alias }, { label: texts.of('doUnlink'), kind: '', name })}
<a class="button secondary" href="${linkAddress(addressOf(visit, LINKED_ACCOUNTS))}">${texts.of('doCancel')}</a></div>`;
    };
    await showPage(visit, linkedAccountsPage, content, { title });
  },
  async post(visit, form) {
    const account = accountOf(visit, form);
    if (account === undefined) return redirectWithNotice(visit, LINKED_ACCOUNTS);
    if (!isRecentLogin(visit.parts, visit)) return askToSignInAgain(visit, pathOf(account.alias), 'signInAgainText');
    try {
      await unlink(visit.parts, visit, account.alias);
      await redirectWithNotice(visit, LINKED_ACCOUNTS, { key: 'accountUnlinked', severity: 'success' });
    } catch (error) {
      if (!(error instanceof LastSignInMethodError)) throw error;
      await redirectWithNotice(visit, LINKED_ACCOUNTS, LAST);
    }
  },
};

function accountOf(visit: AccountRequest, form: Form) {
  return linkedAccounts(visit).find(({ alias, identity }) => identity !== undefined && alias === form.get('provider'));
}

function pathOf(provider: string): string {
  return `${UNLINK}?${new URLSearchParams({ provider })}`;
}
