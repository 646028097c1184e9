import type { Message, PageFrame } from '@keyhost/spi';
import { hiddenField } from '../../pages/field.js';
import { type Html, html } from '../../pages/html.js';
import { linkAddress } from '../../pages/link-address.js';
import type { Texts } from '../../pages/messages/texts.js';
import { declaredMessage } from '../../registry/loading/plugin-messages.js';
import type { CredentialType, CredentialView } from '../../users/credentials/credential-types.js';
import { isRemovable } from '../../users/credentials/removable-credential.js';
import { hasAnyRole } from '../account.js';
import {
  type AccountPage,
  type AccountRequest,
  addressOf,
  definitionList,
  redirectWithNotice,
  showPage,
  timeText,
  tokenField,
} from '../account-request.js';
import { canStartAction } from '../startable-actions.js';
import { CredentialChangeRefused, LABEL_LIMIT, renameCredential } from './own-credentials.js';
import { credentialNotes, type CredentialNotes as Notes } from './recovery-codes-left.js';

export const SIGNING_IN = '/account-security/signing-in';
/** Page for removing a credential: `?credential={id}`. */
export const REMOVE_CREDENTIAL = `${SIGNING_IN}/remove`;

/** A rejected name of a credential, with the input. */
interface Refused {
  readonly id: string;
  readonly label: string;
  readonly error: Message;
}

/** The user's credentials by type, including plugins' types. */
export const signingInPage: AccountPage = {
  path: SIGNING_IN,
  title: 'signingIn',
  isOffered: (visit) => hasAnyRole(visit, 'view-profile', 'manage-account'),
  get: (visit) => show(visit),
  async post(visit, form) {
    if (!hasAnyRole(visit, 'manage-account'))
      return redirectWithNotice(visit, SIGNING_IN, { key: 'accountForbidden', severity: 'error' });
    const id = form.get('credential') ?? '';
    const label = (form.get('userLabel') ?? '').trim();
    try {
      const isThere = await renameCredential(visit.parts, visit, id, label);
      await redirectWithNotice(visit, SIGNING_IN, isThere ? { key: 'renameSaved', severity: 'success' } : undefined);
    } catch (error) {
      if (!(error instanceof CredentialChangeRefused)) throw error;
      await show(visit, { id, label, error: { key: error.key } });
    }
  },
};

/** The name of a credential on pages. */
export function credentialName(texts: Texts, { label, type }: CredentialView): string {
  return label ?? (type.type === 'password' ? texts.of('myPassword') : typeName(texts, type));
}

function typeName(texts: Texts, type: CredentialType): string {
  return type.builtin ? texts.of(`credential.${type.type}`) : texts.text(declaredMessage(type, type.displayName));
}

function typeHelp(texts: Texts, type: CredentialType): string | undefined {
  if (!type.builtin) return type.helpText && texts.text(declaredMessage(type, type.helpText));
  const key = `credentialHelp.${type.type}`;
  const help = texts.of(key);
  return help === key ? undefined : help;
}

async function show(visit: AccountRequest, refused?: Refused): Promise<void> {
  const credentials = await visit.parts.types.viewsOf(visit.exchange.realm, visit.user);
  await showPage(visit, signingInPage, (texts, frame) => content(visit, texts, frame, credentials, refused), {
    description: 'signingInDescription',
    status: refused && 400,
  });
}

/** Groups of the page, by the category of credential types. */
const GROUPS = { 'basic-authentication': 'first', 'two-factor': 'second', passwordless: 'passwordless' } as const;

function content(
  visit: AccountRequest,
  texts: Texts,
  frame: PageFrame,
  credentials: readonly CredentialView[],
  refused: Refused | undefined,
): Html {
  const types = visit.parts.types.all(visit.exchange.realm).map((type) => ({
    type,
    own: credentials.filter((one) => one.type.type === type.type),
    isOffered: type.createAction !== undefined && canStartAction(visit, type.createAction),
  }));
  return html`${Object.entries(GROUPS).map(([category, group]) => {
    const inGroup = types.filter((one) => one.type.category === category && (one.isOffered || one.own.length > 0));
    if (inGroup.length === 0) return undefined;
    const isEmpty = inGroup.every(({ own }) => own.length === 0);
    // Article and plural of a plugin's type name are unknown, so use a generic text.
    const what = inGroup.every(({ type }) => type.builtin) || group === 'second' ? group : 'any';
    return html`<section id="kc-credential-group-${group}"><h2>${texts.of(`credentialGroup.${group}`)}</h2>
${isEmpty && html`<p class="none">${texts.of(`credentialGroupEmpty.${what}`)}</p>`}
<ul class="items">${inGroup.map((one) => typeRows(visit, texts, frame, one, refused))}</ul></section>`;
  })}`;
}

/** The rows of a type: its description with a button to add one, then the user's credentials. */
function typeRows(
  visit: AccountRequest,
  texts: Texts,
  frame: PageFrame,
  {
    type,
    own,
    isOffered,
  }: { readonly type: CredentialType; readonly own: readonly CredentialView[]; readonly isOffered: boolean },
  refused: Refused | undefined,
): Html {
  const help = typeHelp(texts, type);
  return html`<li class="section-head" id="kc-credentials-${type.type}"><div><h3>${typeName(texts, type)}</h3>
${help !== undefined && html`<p>${help}</p>`}</div>
${isOffered && setUpLink(visit, texts, type, own.length)}</li>
${own.map((credential) => credentialItem(visit, texts, frame, credential, refused))}`;
}

function setUpLink(visit: AccountRequest, texts: Texts, type: CredentialType, count: number): Html {
  const { createAction: action = '', single = false } = type;
  const label = count === 0 ? 'doSetUp' : single ? 'doUpdate' : 'doSetUpAnother';
  const address = addressOf(visit, `/start?${new URLSearchParams({ action, to: SIGNING_IN })}`);
  return html`<a class="button secondary small" id="kc-set-up-${type.type}" href="${linkAddress(address)}" aria-label="${texts.of(label)}: ${typeName(texts, type)}">${texts.of(label)}</a>`;
}

function credentialItem(
  visit: AccountRequest,
  texts: Texts,
  frame: PageFrame,
  shown: CredentialView,
  refused: Refused | undefined,
): Html {
  const { credential, type } = shown;
  const { id, createdDate } = credential;
  const name = credentialName(texts, shown);
  const mayChange = hasAnyRole(visit, 'manage-account');
  const removal = addressOf(visit, `${REMOVE_CREDENTIAL}?${new URLSearchParams({ credential: id })}`);
  const problem = refused?.id === id ? refused : undefined;
  return html`<li data-credential="${id}"><div class="item"><p class="item-title">${name}</p>
${definitionList([[texts.of('createdOn'), createdDate === undefined ? undefined : timeText(texts, frame, createdDate)]])}
${notes(texts, credentialNotes(visit.exchange.realm, credential))}</div>
${
  mayChange &&
  isRemovable(visit.parts.types, visit.exchange.realm, visit.user.representation, credential) &&
  html`<div class="item-actions"><a class="button secondary small danger" href="${linkAddress(removal)}" aria-label="${texts.of('doRemove')}: ${name}">${texts.of('doRemove')}</a></div>`
}
${mayChange && type.type !== 'password' && renameForm(visit, texts, credential, problem)}</li>`;
}

function notes(
  texts: Texts,
  { infoMessage: info, warningMessageTitle: title, warningMessageDescription }: Notes,
): Html {
  const [told, warning, advice] = [info, title, warningMessageDescription].map(
    (text) => text && texts.of(text.key, ...(text.parameters ?? [])),
  );
  return html`${told && html`<p>${told}</p>`}${
    warning &&
    html`<div class="alert alert-warning"><span class="alert-text"><strong>${warning}</strong> ${advice}</span></div>`
  }`;
}

/** Unfolds without a script, and is open while it shows an error. */
function renameForm(
  visit: AccountRequest,
  texts: Texts,
  { id, userLabel }: CredentialView['credential'],
  problem: Refused | undefined,
): Html {
  const input = `label-${id}`;
  const described = html` aria-invalid="true" aria-describedby="input-error-${input}" autofocus`;
  return html`<details${problem !== undefined && html` open`}><summary>${texts.of('doRename')}</summary>
<form action="${linkAddress(addressOf(visit, SIGNING_IN))}" method="post">${tokenField(visit)}${hiddenField('credential', id)}
<div class="field"><label for="${input}">${texts.of('credentialLabel')}</label><input type="text" id="${input}" name="userLabel" value="${problem?.label ?? userLabel ?? ''}" maxlength="${LABEL_LIMIT}" autocomplete="off"${problem !== undefined && described}>
${problem !== undefined && html`<p class="field-error" id="input-error-${input}" role="alert">${texts.text(problem.error)}</p>`}</div>
<div class="buttons"><button type="submit" class="button secondary">${texts.of('doSave')}</button></div></form></details>`;
}
