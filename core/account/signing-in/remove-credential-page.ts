import type { Form } from '../../http/form.js';
import { html } from '../../pages/html.js';
import { linkAddress } from '../../pages/link-address.js';
import type { Texts } from '../../pages/messages/texts.js';
import type { CredentialView } from '../../users/credentials/credential-types.js';
import { isRemovable } from '../../users/credentials/removable-credential.js';
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
import { CredentialChangeRefused, removeCredential } from './own-credentials.js';
import { credentialName, REMOVE_CREDENTIAL, SIGNING_IN, signingInPage } from './signing-in-page.js';

/** Asks for confirmation before removing a credential; requires a recent login. */
export const removeCredentialPage: AccountPage = {
  path: REMOVE_CREDENTIAL,
  title: 'signingIn',
  isOffered: (visit) => hasAnyRole(visit, 'manage-account'),
  async get(visit, query) {
    const shown = await shownOf(visit, query);
    if (shown === undefined) return redirectWithNotice(visit, SIGNING_IN);
    const { credential } = shown;
    if (!isRemovable(visit.parts.types, visit.exchange.realm, visit.user.representation, credential)) {
      return redirectWithNotice(visit, SIGNING_IN, { key: 'credentialLastWay', severity: 'error' });
    }
    if (!isRecentLogin(visit.parts, visit)) return visit.signInAgain(pathOf(credential.id));
    const title = (texts: Texts) => texts.of('removeCredentialTitle', credentialName(texts, shown));
    const content = (texts: Texts) => {
      const name = credentialName(texts, shown);
      return html`<p>${texts.of('removeCredentialText')}</p>
<div class="item-actions" id="kc-remove-credential">${buttonForm(visit, REMOVE_CREDENTIAL, { credential: credential.id }, { label: texts.of('doRemove'), kind: '', name })}
<a class="button secondary" href="${linkAddress(addressOf(visit, SIGNING_IN))}">${texts.of('doCancel')}</a></div>`;
    };
    await showPage(visit, signingInPage, content, { title });
  },
  async post(visit, form) {
    const credential = credentialOf(visit, form);
    if (credential === undefined) return redirectWithNotice(visit, SIGNING_IN);
    if (!isRecentLogin(visit.parts, visit)) return askToSignInAgain(visit, pathOf(credential.id), 'signInAgainText');
    try {
      const removed = await removeCredential(visit.parts, visit, credential.id);
      await redirectWithNotice(visit, SIGNING_IN, removed && { key: 'credentialRemoved', severity: 'success' });
    } catch (error) {
      if (!(error instanceof CredentialChangeRefused)) throw error;
      await redirectWithNotice(visit, SIGNING_IN, { key: error.key, severity: 'error' });
    }
  },
};

function credentialOf({ user, parts, exchange: { realm } }: AccountRequest, form: Form) {
  return parts.types.listOf(realm, user).find(({ id }) => id === form.get('credential'));
}

async function shownOf(visit: AccountRequest, form: Form): Promise<CredentialView | undefined> {
  const credential = credentialOf(visit, form);
  if (credential === undefined) return undefined;
  const { id } = visit.user;
  const [shown] = await visit.parts.types.viewsOf(visit.exchange.realm, { id, credentials: [credential] });
  return shown;
}

function pathOf(credential: string): string {
  return `${REMOVE_CREDENTIAL}?${new URLSearchParams({ credential })}`;
}
