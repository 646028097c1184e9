import type { PageField, PageFrame } from '@keyhost/spi';
import { formValues } from '../../login/login-actions.js';
import { renderPageField } from '../../pages/forms/page-field.js';
import { profileFields, valuesOfForm } from '../../pages/forms/profile-fields.js';
import { type Html, html } from '../../pages/html.js';
import type { Texts } from '../../pages/messages/texts.js';
import { safeLinkUrl } from '../../pages/safe-link-url.js';
import { attributeValues } from '../../users/profile/attribute-values.js';
import { accountAttributes, ProfileInvalidError } from '../../users/profile/change-profile.js';
import { withDefaults } from '../../users/profile/default-values.js';
import { ProfileUnavailableError } from '../../users/profile/plugin-validators.js';
import type { AttributeProblem, AttributeValues } from '../../users/profile/profile-problems.js';
import { hasAnyRole, isRecentLogin } from '../account.js';
import {
  type AccountPage,
  type AccountRequest,
  addressOf,
  askToSignInAgain,
  redirectWithNotice,
  showPage,
  tokenField,
} from '../account-request.js';
import { ACTIONS, canStartAction } from '../startable-actions.js';
import { type Draft, readDraft, storeDraft } from './profile-drafts.js';
import { needsFreshLogin, requireValidProfile, saveProfile } from './save-profile.js';

/** The page for the attributes that the realm's user profile lets users view and edit. */
export const profilePage: AccountPage = {
  path: '/',
  title: 'personalInfo',
  isOffered: (request) => hasAnyRole(request, 'view-profile', 'manage-account'),
  async get(request, query) {
    const draftId = query.get('draft');
    const draft = draftId === undefined ? undefined : await readDraft(request.parts, request, draftId);
    if (draft === undefined) return showProfile(request, {});
    if (!isRecentLogin(request.parts, request)) return request.signInAgain(`/?draft=${draftId}`);
    const message = { key: 'confirmDraft', severity: 'info' as const };
    await showProfile(request, { input: inputValues(request, draft), message });
  },
  async post(request, form) {
    const { parts } = request;
    const formFields = formValues(form);
    const values = inputValues(request, formFields);
    if (!hasAnyRole(request, 'manage-account')) {
      return showProfile(request, { status: 403, message: { key: 'accountForbidden', severity: 'error' } });
    }
    try {
      await requireValidProfile(parts, request, values);
      if (needsFreshLogin(parts, request, values)) {
        const id = await storeDraft(parts, request, draftOf(request, formFields));
        return await askToSignInAgain(request, `/?draft=${id}`, 'signInAgainForDraft');
      }
      await saveProfile(parts, request, values);
    } catch (error) {
      if (error instanceof ProfileUnavailableError) {
        return showProfile(request, { status: error.status, input: values, problems: [error.problem] });
      }
      if (!(error instanceof ProfileInvalidError)) throw error;
      return showProfile(request, { status: 400, input: values, problems: error.problems });
    }
    await redirectWithNotice(request, '/', { key: 'accountUpdatedMessage', severity: 'success' });
  },
};

interface ProfileView {
  readonly status?: number;
  /** The user's input; default: the stored values. */
  readonly input?: AttributeValues;
  readonly problems?: readonly AttributeProblem[];
  readonly message?: PageFrame['message'];
}

/** The submitted fields that the profile contains. */
function draftOf({ exchange, user }: AccountRequest, formFields: Readonly<Record<string, string>>): Draft {
  const names = accountAttributes(exchange.realm, user.representation).map(({ attribute }) => attribute.name);
  return Object.fromEntries(Object.entries(formFields).filter(([name]) => names.includes(name)));
}

function inputValues(
  { exchange, user }: AccountRequest,
  formFields: Readonly<Record<string, string>>,
): AttributeValues {
  const { representation } = user;
  return valuesOfForm(accountAttributes(exchange.realm, representation), formFields, attributeValues(representation));
}

function showProfile(request: AccountRequest, { status, input, problems = [], message }: ProfileView): Promise<void> {
  const { realm } = request.exchange;
  const { representation } = request.user;
  const mayChange = hasAnyRole(request, 'manage-account');
  const attributes = accountAttributes(realm, representation).map((attribute) =>
    mayChange ? attribute : { ...attribute, readOnly: true },
  );
  const values = input ?? withDefaults(realm, attributeValues(representation));
  const fields = profileFields(realm, attributes, values, problems);
  return showPage(request, profilePage, (texts) => renderContent(request, texts, mayChange, fields), {
    status,
    message,
    description: mayChange ? 'personalInfoDescription' : 'personalInfoReadOnly',
  });
}

function renderContent(request: AccountRequest, texts: Texts, mayChange: boolean, fields: readonly PageField[]): Html {
  const firstInvalid = fields.find(({ error }) => error !== undefined)?.name;
  const inputs = fields.map((field) => {
    const input = renderPageField(texts, field, field.name === firstInvalid);
    return field.name === 'email' ? html`${input}${emailNote(request, texts, field)}` : input;
  });
  return html`<form id="kc-profile" action="${safeLinkUrl(addressOf(request, '/'))}" method="post">${tokenField(request)}
${inputs}
${mayChange && html`<div class="buttons"><button type="submit" class="button" id="kc-save">${texts.of('doSave')}</button></div>`}
</form>
${renderDeletion(request, texts)}`;
}

/** A note below the email: a link to the required action that changes it, and one to verify it. */
function emailNote(request: AccountRequest, texts: Texts, { readOnly }: PageField): Html | undefined {
  const { email, emailVerified } = request.user.view;
  const link = (action: string, id: string, text: string) =>
    canStartAction(request, action) &&
    html`<a id="${id}" href="${safeLinkUrl(startAddress(request, action))}">${texts.of(text)}</a>`;
  const update = readOnly === true && link(ACTIONS.updateEmail, 'kc-update-email', 'requiredAction.UPDATE_EMAIL');
  const isUnverified = !!email && !emailVerified;
  if (!isUnverified && !update) return undefined;
  return html`<p class="field-note">${isUnverified && html`${texts.of('emailNotVerified')} ${link(ACTIONS.verifyEmail, 'kc-verify-email', 'verifyEmailNow')} `}${update}</p>`;
}

function renderDeletion(request: AccountRequest, texts: Texts): Html | undefined {
  if (!canStartAction(request, ACTIONS.deleteAccount)) return undefined;
  const address = startAddress(request, ACTIONS.deleteAccount);
  return html`<section><div class="section-head"><div><h2>${texts.of('deleteAccount')}</h2><p>${texts.of('deleteAccountDescription')}</p></div>
<a class="button secondary small danger" id="kc-delete-account" href="${safeLinkUrl(address)}">${texts.of('deleteAccount')}</a></div></section>`;
}

function startAddress(request: AccountRequest, action: string): string {
  return addressOf(request, `/start?${new URLSearchParams({ action, to: '/' })}`);
}
