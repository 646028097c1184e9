import { type Html, html } from '../../pages/html.js';
import type { Texts } from '../../pages/messages/texts.js';
import { safeLinkUrl } from '../../pages/safe-link-url.js';
import { hasAnyRole } from '../account.js';
import { type AccountPage, type AccountRequest, addressOf, showPage } from '../account-request.js';
import { ACTIONS, canStartAction } from '../startable-actions.js';
import { canUnlink, identityName, type LinkedAccount, linkedAccounts } from './linked-identities.js';

export const LINKED_ACCOUNTS_PATH = '/account-security/linked-accounts';
/** Page for removing a link: `?provider={alias}`. */
export const UNLINK_PATH = `${LINKED_ACCOUNTS_PATH}/unlink`;

/** Page with the realm's identity providers: the user's accounts there, and those that can be linked. */
export const linkedAccountsPage: AccountPage = {
  path: LINKED_ACCOUNTS_PATH,
  title: 'linkedAccounts',
  isOffered: (request) => hasAnyRole(request, 'view-profile', 'manage-account') && linkedAccounts(request).length > 0,
  get: (request) =>
    showPage(request, linkedAccountsPage, (texts) => renderContent(request, texts), {
      description: 'linkedAccountsDescription',
    }),
};

function renderContent(request: AccountRequest, texts: Texts): Html {
  const accounts = linkedAccounts(request);
  const linked = accounts.filter(({ identity }) => identity !== undefined);
  const unlinked = accounts.filter(({ identity }) => identity === undefined);
  const renderList = (id: string, items: readonly LinkedAccount[]) =>
    html`<ul class="items" id="${id}">${items.map((account) => renderItem(request, texts, account))}</ul>`;
  return html`${linked.length === 0 ? html`<p class="none">${texts.of('noneLinked')}</p>` : renderList('kc-linked-accounts', linked)}
${unlinked.length > 0 && html`<section><h2>${texts.of('linkable')}</h2>${renderList('kc-linkable-accounts', unlinked)}</section>`}`;
}

function renderItem(request: AccountRequest, texts: Texts, account: LinkedAccount): Html {
  const { identity } = account;
  const name = texts.name(account.name);
  return html`<li><div class="item"><p class="item-title">${name}</p>${
    identity !== undefined && html`<p class="none">${texts.of('linkedTo', identityName(identity))}</p>`
  }</div><div class="item-actions">${renderButton(request, texts, account, name)}</div></li>`;
}

function renderButton(request: AccountRequest, texts: Texts, account: LinkedAccount, name: string): Html | undefined {
  const { alias, identity, canBeLinked } = account;
  const { realm } = request.exchange;
  const action = `${ACTIONS.link}:${alias}`;
  const link = (label: string, path: string) =>
    html`<a class="button secondary small" href="${safeLinkUrl(addressOf(request, path))}" aria-label="${texts.of(label)}: ${name}">${texts.of(label)}</a>`;
  if (identity === undefined) {
    return canBeLinked && canStartAction(request, action)
      ? link('doLink', `/start?${new URLSearchParams({ action, to: LINKED_ACCOUNTS_PATH })}`)
      : undefined;
  }
  const mayUnlink = hasAnyRole(request, 'manage-account', 'manage-account-links');
  return mayUnlink && canUnlink(realm, request.user.representation, alias)
    ? link('doUnlink', `${UNLINK_PATH}?${new URLSearchParams({ provider: alias })}`)
    : undefined;
}
