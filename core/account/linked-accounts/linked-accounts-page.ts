import { type Html, html } from '../../pages/html.js';
import { linkAddress } from '../../pages/link-address.js';
import type { Texts } from '../../pages/messages/texts.js';
import { hasAnyRole } from '../account.js';
import { type AccountPage, type AccountRequest, addressOf, showPage } from '../account-request.js';
import { ACTION, canStartAction } from '../startable-actions.js';
import { canUnlink, type LinkedAccount, linkedAccounts, nameOf } from './linked-identities.js';

export const LINKED_ACCOUNTS = '/account-security/linked-accounts';
/** Page for removing a link: `?provider={alias}`. */
export const UNLINK = `${LINKED_ACCOUNTS}/unlink`;

/** The user's accounts at the realm's identity providers. */
export const linkedAccountsPage: AccountPage = {
  path: LINKED_ACCOUNTS,
  title: 'linkedAccounts',
  isOffered: (visit) => hasAnyRole(visit, 'view-profile', 'manage-account') && linkedAccounts(visit).length > 0,
  get: (visit) =>
    showPage(visit, linkedAccountsPage, (texts) => content(visit, texts), { description: 'linkedAccountsDescription' }),
};

function content(visit: AccountRequest, texts: Texts): Html {
  const accounts = linkedAccounts(visit);
  const linked = accounts.filter(({ identity }) => identity !== undefined);
  const others = accounts.filter(({ identity }) => identity === undefined);
  const list = (id: string, listed: readonly LinkedAccount[]) =>
    html`<ul class="items" id="${id}">${listed.map((account) => item(visit, texts, account))}</ul>`;
  return html`${linked.length === 0 ? html`<p class="none">${texts.of('noneLinked')}</p>` : list('kc-linked-accounts', linked)}
${others.length > 0 && html`<section><h2>${texts.of('linkable')}</h2>${list('kc-linkable-accounts', others)}</section>`}`;
}

function item(visit: AccountRequest, texts: Texts, account: LinkedAccount): Html {
  const { identity } = account;
  const name = texts.name(account.name);
  return html`<li><div class="item"><p class="item-title">${name}</p>${
    identity !== undefined && html`<p class="none">${texts.of('linkedTo', nameOf(identity))}</p>`
  }</div><div class="item-actions">${button(visit, texts, account, name)}</div></li>`;
}

function button(visit: AccountRequest, texts: Texts, account: LinkedAccount, name: string): Html | undefined {
  const { alias, identity, isOpen } = account;
  const { realm } = visit.exchange;
  const action = `${ACTION.link}:${alias}`;
  const link = (label: string, path: string) =>
    html`<a class="button secondary small" href="${linkAddress(addressOf(visit, path))}" aria-label="${texts.of(label)}: ${name}">${texts.of(label)}</a>`;
  if (identity === undefined) {
    return isOpen && canStartAction(visit, action)
      ? link('doLink', `/start?${new URLSearchParams({ action, to: LINKED_ACCOUNTS })}`)
      : undefined;
  }
  const mayUnlink = hasAnyRole(visit, 'manage-account', 'manage-account-links');
  return mayUnlink && canUnlink(realm, visit.user.representation, alias)
    ? link('doUnlink', `${UNLINK}?${new URLSearchParams({ provider: alias })}`)
    : undefined;
}
