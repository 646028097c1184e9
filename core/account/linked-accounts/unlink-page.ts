import type { Form } from '../../http/form.js';
import { html } from '../../pages/html.js';
import type { Texts } from '../../pages/messages/texts.js';
import { safeLinkUrl } from '../../pages/safe-link-url.js';
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
import { LINKED_ACCOUNTS_PATH, linkedAccountsPage, UNLINK_PATH } from './linked-accounts-page.js';
import {
  canUnlink,
  LAST_SIGN_IN_METHOD_KEY,
  LastSignInMethodError,
  linkedAccounts,
  unlink,
} from './linked-identities.js';

const LAST_METHOD_NOTICE = { key: LAST_SIGN_IN_METHOD_KEY, severity: 'error' } as const;

/** The page that asks for confirmation before it removes a link. It requires a recent login. */
export const unlinkPage: AccountPage = {
  path: UNLINK_PATH,
  title: 'linkedAccounts',
  isOffered: (request) => hasAnyRole(request, 'manage-account', 'manage-account-links'),
  async get(request, query) {
    const account = findLinkedAccount(request, query);
    if (account === undefined) return redirectWithNotice(request, LINKED_ACCOUNTS_PATH);
    const { alias } = account;
    if (!canUnlink(request.exchange.realm, request.user.representation, alias))
      return redirectWithNotice(request, LINKED_ACCOUNTS_PATH, LAST_METHOD_NOTICE);
    if (!isRecentLogin(request.parts, request)) return request.signInAgain(pathOf(alias));
    const title = (texts: Texts) => texts.of('unlinkTitle', texts.name(account.name));
    const content = (texts: Texts) => {
      const name = texts.name(account.name);
      return html`<p>${texts.of('unlinkText')}</p>
<div class="item-actions" id="kc-unlink">${buttonForm(request, UNLINK_PATH, { provider: alias }, { label: texts.of('doUnlink'), kind: '', name })}
<a class="button secondary" href="${safeLinkUrl(addressOf(request, LINKED_ACCOUNTS_PATH))}">${texts.of('doCancel')}</a></div>`;
    };
    await showPage(request, linkedAccountsPage, content, { title });
  },
  async post(request, form) {
    const account = findLinkedAccount(request, form);
    if (account === undefined) return redirectWithNotice(request, LINKED_ACCOUNTS_PATH);
    if (!isRecentLogin(request.parts, request))
      return askToSignInAgain(request, pathOf(account.alias), 'signInAgainText');
    try {
      await unlink(request.parts, request, account.alias);
      await redirectWithNotice(request, LINKED_ACCOUNTS_PATH, { key: 'accountUnlinked', severity: 'success' });
    } catch (error) {
      if (!(error instanceof LastSignInMethodError)) throw error;
      await redirectWithNotice(request, LINKED_ACCOUNTS_PATH, LAST_METHOD_NOTICE);
    }
  },
};

function findLinkedAccount(request: AccountRequest, form: Form) {
  return linkedAccounts(request).find(
    ({ alias, identity }) => identity !== undefined && alias === form.get('provider'),
  );
}

function pathOf(provider: string): string {
  return `${UNLINK_PATH}?${new URLSearchParams({ provider })}`;
}
