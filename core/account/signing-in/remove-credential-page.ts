import type { Form } from '../../http/form.js';
import { html } from '../../pages/html.js';
import { linkAddress } from '../../pages/link-address.js';
import type { Texts } from '../../pages/messages/texts.js';
import { shownCredentials } from '../../users/passwords/credential-list.js';
import { isRemovable } from '../../users/passwords/removable-credential.js';
import { isRecent, may } from '../account.js';
import {
  type AccountPage,
  type AccountVisit,
  addressOf,
  askToSignInAgain,
  buttonForm,
  goOn,
  showPage,
} from '../visit.js';
import { CredentialRefused, removeCredential } from './own-credentials.js';
import { credentialName, REMOVE_CREDENTIAL, SIGNING_IN, signingInPage } from './signing-in-page.js';

/** Asks once more, of somebody who has signed in lately, whether a credential is to go. */
export const removeCredentialPage: AccountPage = {
  path: REMOVE_CREDENTIAL,
  title: 'signingIn',
  isOffered: (visit) => may(visit, 'manage-account'),
  async get(visit, query) {
    const credential = credentialOf(visit, query);
    if (credential === undefined) return goOn(visit, SIGNING_IN);
    if (!isRemovable(visit.exchange.realm, visit.user.representation, credential)) {
      return goOn(visit, SIGNING_IN, { key: 'credentialLastWay', severity: 'error' });
    }
    if (!isRecent(visit.parts, visit)) return visit.signInAgain(pathOf(credential.id));
    const title = (texts: Texts) => texts.of('removeCredentialTitle', credentialName(texts, credential));
    const content = (texts: Texts) => {
      const name = credentialName(texts, credential);
      return html`<p>${texts.of('removeCredentialText')}</p>
<div class="item-actions" id="kc-remove-credential">${buttonForm(visit, REMOVE_CREDENTIAL, { credential: credential.id }, { label: texts.of('doRemove'), kind: '', name })}
<a class="button secondary" href="${linkAddress(addressOf(visit, SIGNING_IN))}">${texts.of('doCancel')}</a></div>`;
    };
    await showPage(visit, signingInPage, content, { title });
  },
  async post(visit, form) {
    const credential = credentialOf(visit, form);
    if (credential === undefined) return goOn(visit, SIGNING_IN);
    if (!isRecent(visit.parts, visit)) return askToSignInAgain(visit, pathOf(credential.id), 'signInAgainText');
    try {
      const removed = await removeCredential(visit.parts, visit, credential.id);
      await goOn(visit, SIGNING_IN, removed && { key: 'credentialRemoved', severity: 'success' });
    } catch (error) {
      if (!(error instanceof CredentialRefused)) throw error;
      await goOn(visit, SIGNING_IN, { key: error.key, severity: 'error' });
    }
  },
};

function credentialOf({ user }: AccountVisit, form: Form) {
  return shownCredentials(user.id, user.credentials).find(({ id }) => id === form.get('credential'));
}

function pathOf(credential: string): string {
  return `${REMOVE_CREDENTIAL}?${new URLSearchParams({ credential })}`;
}
