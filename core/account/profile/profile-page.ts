import type { PageField, PageFrame } from '@keyhost/spi';
import { formValues } from '../../login/login-actions.js';
import { pageField } from '../../pages/forms/page-field.js';
import { profileFields, typedValues } from '../../pages/forms/profile-fields.js';
import { type Html, html } from '../../pages/html.js';
import { linkAddress } from '../../pages/link-address.js';
import type { Texts } from '../../pages/messages/texts.js';
import { attributeValues } from '../../users/profile/attribute-values.js';
import { accountAttributes, ProfileRefused } from '../../users/profile/change-profile.js';
import type { AttributeMistake, AttributeValues } from '../../users/profile/check-profile.js';
import { withDefaults } from '../../users/profile/default-values.js';
import { ProfileUnavailable } from '../../users/profile/plugin-validators.js';
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
import { ACTION, canStartAction } from '../startable-actions.js';
import { type Draft, readDraft, storeDraft } from './profile-drafts.js';
import { needsFreshLogin, requireProfile, saveProfile } from './save-profile.js';

/** The attributes that the realm's user profile lets users view and edit. */
export const profilePage: AccountPage = {
  path: '/',
  title: 'personalInfo',
  isOffered: (visit) => hasAnyRole(visit, 'view-profile', 'manage-account'),
  async get(visit, query) {
    const draftId = query.get('draft');
    const draft = draftId === undefined ? undefined : await readDraft(visit.parts, visit, draftId);
    if (draft === undefined) return show(visit, {});
    if (!isRecentLogin(visit.parts, visit)) return visit.signInAgain(`/?draft=${draftId}`);
    const message = { key: 'confirmDraft', severity: 'info' as const };
    await show(visit, { typed: typedIn(visit, draft), message });
  },
  async post(visit, form) {
    const { parts } = visit;
    const answers = formValues(form);
    const typed = typedIn(visit, answers);
    if (!hasAnyRole(visit, 'manage-account')) {
      return show(visit, { status: 403, message: { key: 'accountForbidden', severity: 'error' } });
    }
    try {
      await requireProfile(parts, visit, typed);
      if (needsFreshLogin(parts, visit, typed)) {
        const id = await storeDraft(parts, visit, draftOf(visit, answers));
        return await askToSignInAgain(visit, `/?draft=${id}`, 'signInAgainForDraft');
      }
      await saveProfile(parts, visit, typed);
    } catch (error) {
      if (error instanceof ProfileUnavailable) {
        return show(visit, { status: error.status, typed, mistakes: [error.mistake] });
      }
      if (!(error instanceof ProfileRefused)) throw error;
      return show(visit, { status: 400, typed, mistakes: error.mistakes });
    }
    await redirectWithNotice(visit, '/', { key: 'accountUpdatedMessage', severity: 'success' });
  },
};

interface Shown {
  readonly status?: number;
  /** The user's input; default: the stored values. */
  readonly typed?: AttributeValues;
  readonly mistakes?: readonly AttributeMistake[];
  readonly message?: PageFrame['message'];
}

/** The sent fields that are in the profile. */
function draftOf({ exchange, user }: AccountRequest, answers: Readonly<Record<string, string>>): Draft {
  const names = accountAttributes(exchange.realm, user.representation).map(({ attribute }) => attribute.name);
  return Object.fromEntries(Object.entries(answers).filter(([name]) => names.includes(name)));
}

function typedIn({ exchange, user }: AccountRequest, answers: Readonly<Record<string, string>>): AttributeValues {
  const { representation } = user;
  return typedValues(accountAttributes(exchange.realm, representation), answers, attributeValues(representation));
}

function show(visit: AccountRequest, { status, typed, mistakes = [], message }: Shown): Promise<void> {
  const { realm } = visit.exchange;
  const { representation } = visit.user;
  const mayChange = hasAnyRole(visit, 'manage-account');
  const attributes = accountAttributes(realm, representation).map((own) =>
    mayChange ? own : { ...own, readOnly: true },
  );
  const values = typed ?? withDefaults(realm, attributeValues(representation));
  const fields = profileFields(realm, attributes, values, mistakes);
  return showPage(visit, profilePage, (texts) => content(visit, texts, mayChange, fields), {
    status,
    message,
    description: mayChange ? 'personalInfoDescription' : 'personalInfoReadOnly',
  });
}

function content(visit: AccountRequest, texts: Texts, mayChange: boolean, fields: readonly PageField[]): Html {
  const blamed = fields.find(({ error }) => error !== undefined)?.name;
  const shown = fields.map((field) => {
    const input = pageField(texts, field, field.name === blamed);
    return field.name === 'email' ? html`${input}${emailNote(visit, texts, field)}` : input;
  });
  return html`<form id="kc-profile" action="${linkAddress(addressOf(visit, '/'))}" method="post">${tokenField(visit)}
${shown}
${mayChange && html`<div class="buttons"><button type="submit" class="button" id="kc-save">${texts.of('doSave')}</button></div>`}
</form>
${deletion(visit, texts)}`;
}

/** The email actions besides editing: a required action for changing it, or verification. */
function emailNote(visit: AccountRequest, texts: Texts, { readOnly }: PageField): Html | undefined {
  const { email, emailVerified } = visit.user.view;
  const link = (action: string, id: string, text: string) =>
    canStartAction(visit, action) &&
    html`<a id="${id}" href="${linkAddress(startAddress(visit, action))}">${texts.of(text)}</a>`;
  const update = readOnly === true && link(ACTION.updateEmail, 'kc-update-email', 'requiredAction.UPDATE_EMAIL');
  const isUnverified = !!email && !emailVerified;
  if (!isUnverified && !update) return undefined;
  return html`<p class="field-note">${isUnverified && html`${texts.of('emailNotVerified')} ${link(ACTION.verifyEmail, 'kc-verify-email', 'verifyEmailNow')} `}${update}</p>`;
}

function deletion(visit: AccountRequest, texts: Texts): Html | undefined {
  if (!canStartAction(visit, ACTION.deleteAccount)) return undefined;
  const address = startAddress(visit, ACTION.deleteAccount);
  return html`<section><div class="section-head"><div><h2>${texts.of('deleteAccount')}</h2><p>${texts.of('deleteAccountDescription')}</p></div>
<a class="button secondary small danger" id="kc-delete-account" href="${linkAddress(address)}">${texts.of('deleteAccount')}</a></div></section>`;
}

function startAddress(visit: AccountRequest, action: string): string {
  return addressOf(visit, `/start?${new URLSearchParams({ action, to: '/' })}`);
}
