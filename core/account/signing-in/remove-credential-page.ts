import type { Form } from '../../http/form.js';
import { html } from '../../pages/html.js';
import type { Texts } from '../../pages/messages/texts.js';
import { safeLinkUrl } from '../../pages/safe-link-url.js';
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
import { CredentialChangeError, removeCredential } from './own-credentials.js';
import { credentialName, REMOVE_CREDENTIAL_PATH, SIGNING_IN_PATH, signingInPage } from './signing-in-page.js';

/** The page that asks for confirmation before it removes a credential. It requires a recent login. */
export const removeCredentialPage: AccountPage = {
  path: REMOVE_CREDENTIAL_PATH,
  title: 'signingIn',
  isOffered: (request) => hasAnyRole(request, 'manage-account'),
  async get(request, query) {
    const view = await viewOf(request, query);
    if (view === undefined) return redirectWithNotice(request, SIGNING_IN_PATH);
    const { credential } = view;
    if (!isRemovable(request.parts.credentialTypes, request.exchange.realm, request.user.representation, credential)) {
      return redirectWithNotice(request, SIGNING_IN_PATH, { key: 'credentialLastWay', severity: 'error' });
    }
    if (!isRecentLogin(request.parts, request)) return request.signInAgain(pathOf(credential.id));
    const title = (texts: Texts) => texts.of('removeCredentialTitle', credentialName(texts, view));
    const content = (texts: Texts) => {
      const name = credentialName(texts, view);
      return html`<p>${texts.of('removeCredentialText')}</p>
<div class="item-actions" id="kc-remove-credential">${buttonForm(request, REMOVE_CREDENTIAL_PATH, { credential: credential.id }, { label: texts.of('doRemove'), kind: '', name })}
<a class="button secondary" href="${safeLinkUrl(addressOf(request, SIGNING_IN_PATH))}">${texts.of('doCancel')}</a></div>`;
    };
    await showPage(request, signingInPage, content, { title });
  },
  async post(request, form) {
    const credential = credentialOf(request, form);
    if (credential === undefined) return redirectWithNotice(request, SIGNING_IN_PATH);
    if (!isRecentLogin(request.parts, request))
      return askToSignInAgain(request, pathOf(credential.id), 'signInAgainText');
    try {
      const removed = await removeCredential(request.parts, request, credential.id);
      await redirectWithNotice(request, SIGNING_IN_PATH, removed && { key: 'credentialRemoved', severity: 'success' });
    } catch (error) {
      if (!(error instanceof CredentialChangeError)) throw error;
      await redirectWithNotice(request, SIGNING_IN_PATH, { key: error.key, severity: 'error' });
    }
  },
};

function credentialOf({ user, parts, exchange: { realm } }: AccountRequest, form: Form) {
  return parts.credentialTypes.listOf(realm, user).find(({ id }) => id === form.get('credential'));
}

async function viewOf(request: AccountRequest, form: Form): Promise<CredentialView | undefined> {
  const credential = credentialOf(request, form);
  if (credential === undefined) return undefined;
  const { id } = request.user;
  const [view] = await request.parts.credentialTypes.viewsOf(request.exchange.realm, { id, credentials: [credential] });
  return view;
}

function pathOf(credential: string): string {
  return `${REMOVE_CREDENTIAL_PATH}?${new URLSearchParams({ credential })}`;
}
