import type { Message, PageFrame } from '@keyhost/spi';
import type { Texts } from '../../login/messages/texts.js';
import { type Html, html } from '../../login/pages/html.js';
import { linkAddress } from '../../login/pages/link-address.js';
import { ProfileRefused, type SentValues } from '../../realms/change-profile.js';
import type { AttributeMistake } from '../../realms/check-profile.js';
import { type ProfileField, profileFields, profileValues } from '../../realms/profile-form.js';
import { profileOf } from '../../realms/profile-of-realm.js';
import { isRecent, may } from '../account.js';
import { ACTION, mayStart } from '../startable-actions.js';
import { type AccountPage, addressOf, askToSignInAgain, goOn, showPage, tokenField, type Visit } from '../visit.js';
import { type Draft, keepDraft, readDraft } from './profile-drafts.js';
import { profileInput } from './profile-inputs.js';
import { needsFreshLogin, saveProfile } from './save-profile.js';

/** Notes that the form has a choice that may be empty: browsers send nothing for boxes that are not checked. */
const PRESENT = 'kc-present';

/** What the realm's user profile lets users see and change of themselves. */
export const profilePage: AccountPage = {
  path: '/',
  title: 'personalInfo',
  isOffered: (visit) => may(visit, 'view-profile', 'manage-account'),
  async get(visit, query) {
    const draftId = query.get('draft');
    const draft = draftId === undefined ? undefined : await readDraft(visit.parts, visit, draftId);
    if (draft === undefined) return show(visit, {});
    if (!isRecent(visit.parts, visit)) return visit.signInAgain(`/?draft=${draftId}`);
    const message = { key: 'confirmDraft', severity: 'info' as const };
    await show(visit, { sent: (name) => ownValue(draft, name), message });
  },
  async post(visit, form) {
    const { parts } = visit;
    const fields = profileFields(visit.exchange.realm);
    const draft: Draft = Object.fromEntries(
      fields
        .filter(({ name }) => form.given(name) || form.all(PRESENT).includes(name))
        .map(({ name }) => [name, form.all(name)]),
    );
    const sent: SentValues = (name) => ownValue(draft, name);
    if (!may(visit, 'manage-account')) return show(visit, { status: 403 });
    if (needsFreshLogin(parts, visit, sent)) {
      const id = await keepDraft(parts, visit, draft);
      return askToSignInAgain(visit, `/?draft=${id}`, 'signInAgainForDraft');
    }
    try {
      await saveProfile(parts, visit, sent);
    } catch (error) {
      if (!(error instanceof ProfileRefused)) throw error;
      return show(visit, { status: 400, sent, mistakes: error.mistakes });
    }
    await goOn(visit, '/', { key: 'accountUpdatedMessage', severity: 'success' });
  },
};

interface Shown {
  readonly status?: number;
  /** What the user has typed, before what is known. */
  readonly sent?: SentValues;
  readonly mistakes?: readonly AttributeMistake[];
  readonly message?: PageFrame['message'];
}

function show(visit: Visit, { status, sent, mistakes = [], message }: Shown): Promise<void> {
  const mayChange = may(visit, 'manage-account');
  const refusal = status === 403 ? ({ key: 'accountForbidden', severity: 'error' } as const) : undefined;
  return showPage(visit, profilePage, (texts) => content(visit, texts, mayChange, sent, mistakes), {
    ...(status === undefined ? {} : { status }),
    message: message ?? refusal,
    description: mayChange ? 'personalInfoDescription' : 'personalInfoReadOnly',
  });
}

function content(
  visit: Visit,
  texts: Texts,
  mayChange: boolean,
  sent: SentValues | undefined,
  mistakes: readonly AttributeMistake[],
): Html {
  const { realm } = visit.exchange;
  const fields = profileFields(realm).map((field) => (mayChange ? field : { ...field, readOnly: true }));
  const blamed = fields.find(({ name }) => mistakes.some(({ attribute }) => attribute === name))?.name;
  const input = (field: ProfileField) =>
    profileInput(texts, {
      field,
      values: (field.readOnly ? undefined : sent?.(field.name)) ?? profileValues(visit.user.representation, field.name),
      error: errorOf(mistakes, field),
      autofocus: field.name === blamed,
      note: field.name === 'email' ? emailNote(visit, texts) : undefined,
    });
  const present = fields.filter(({ options, readOnly }) => options.length > 0 && !readOnly);
  const groups = profileOf(realm).groups ?? [];
  const grouped = groups
    .map((group) => ({ group, members: fields.filter((field) => field.group === group.name) }))
    .filter(({ members }) => members.length > 0);
  const others = fields.filter(({ group }) => !grouped.some((one) => one.group.name === group));
  return html`<form id="kc-profile" method="post" action="${linkAddress(addressOf(visit, '/'))}">${tokenField(visit)}
${present.map(({ name }) => html`<input type="hidden" name="${PRESENT}" value="${name}">`)}
${others.map(input)}
${grouped.map(({ group, members }) => html`<fieldset><legend class="group">${texts.name(group.displayHeader || group.name)}</legend>${members.map(input)}</fieldset>`)}
${mayChange && html`<div class="buttons"><button type="submit" class="button" id="kc-save">${texts.of('doSave')}</button></div>`}
</form>
${deletion(visit, texts)}`;
}

function emailNote(visit: Visit, texts: Texts): Html | undefined {
  const { email, emailVerified } = visit.user.view;
  if (!email || emailVerified) return undefined;
  const link = mayStart(visit, ACTION.verifyEmail);
  const address = addressOf(visit, `/start?${new URLSearchParams({ action: ACTION.verifyEmail, to: '/' })}`);
  return html`<p class="field-note">${texts.of('emailNotVerified')} ${
    link && html`<a id="kc-verify-email" href="${linkAddress(address)}">${texts.of('verifyEmailNow')}</a>`
  }</p>`;
}

function deletion(visit: Visit, texts: Texts): Html | undefined {
  if (!mayStart(visit, ACTION.deleteAccount)) return undefined;
  const address = addressOf(visit, `/start?${new URLSearchParams({ action: ACTION.deleteAccount, to: '/' })}`);
  return html`<section><div class="section-head"><div><h2>${texts.of('deleteAccount')}</h2><p>${texts.of('deleteAccountDescription')}</p></div>
<a class="button secondary small danger" id="kc-delete-account" href="${linkAddress(address)}">${texts.of('deleteAccount')}</a></div></section>`;
}

function errorOf(mistakes: readonly AttributeMistake[], { name, label }: ProfileField): Message | undefined {
  const mistake = mistakes.find(({ attribute }) => attribute === name);
  if (mistake === undefined) return undefined;
  return { key: mistake.message, params: [label, ...mistake.parameters.map(String)] };
}

function ownValue(draft: Draft, name: string): readonly string[] | undefined {
  return Object.hasOwn(draft, name) ? draft[name] : undefined;
}
