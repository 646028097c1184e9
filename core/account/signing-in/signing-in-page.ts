import type { Message, PageFrame } from '@keyhost/spi';
import { hiddenField } from '../../pages/field.js';
import { type Html, html } from '../../pages/html.js';
import type { Texts } from '../../pages/messages/texts.js';
import { safeLinkUrl } from '../../pages/safe-link-url.js';
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
import { type CredentialMetadata, credentialMetadata } from './credential-metadata.js';
import { CredentialChangeError, MAX_LABEL_LENGTH, renameCredential } from './own-credentials.js';

export const SIGNING_IN_PATH = '/account-security/signing-in';
/** Page for removing a credential: `?credential={id}`. */
export const REMOVE_CREDENTIAL_PATH = `${SIGNING_IN_PATH}/remove`;

/** A label that was rejected for a credential. */
interface RejectedLabel {
  readonly id: string;
  readonly label: string;
  readonly error: Message;
}

/** The user's credentials by type, including plugins' types. */
export const signingInPage: AccountPage = {
  path: SIGNING_IN_PATH,
  title: 'signingIn',
  isOffered: (request) => hasAnyRole(request, 'view-profile', 'manage-account'),
  get: (request) => show(request),
  async post(request, form) {
    if (!hasAnyRole(request, 'manage-account'))
      return redirectWithNotice(request, SIGNING_IN_PATH, { key: 'accountForbidden', severity: 'error' });
    const id = form.get('credential') ?? '';
    const label = (form.get('userLabel') ?? '').trim();
    try {
      const wasFound = await renameCredential(request.parts, request, id, label);
      await redirectWithNotice(
        request,
        SIGNING_IN_PATH,
        wasFound ? { key: 'renameSaved', severity: 'success' } : undefined,
      );
    } catch (error) {
      if (!(error instanceof CredentialChangeError)) throw error;
      await show(request, { id, label, error: { key: error.key } });
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

async function show(request: AccountRequest, rejected?: RejectedLabel): Promise<void> {
  const credentials = await request.parts.credentialTypes.viewsOf(request.exchange.realm, request.user);
  await showPage(
    request,
    signingInPage,
    (texts, frame) => renderContent(request, texts, frame, credentials, rejected),
    {
      description: 'signingInDescription',
      status: rejected && 400,
    },
  );
}

/** The groups of the page by the category of credential types; `second` is the second factor. */
const GROUP_BY_CATEGORY = {
  'basic-authentication': 'first',
  'two-factor': 'second',
  passwordless: 'passwordless',
} as const;

function renderContent(
  request: AccountRequest,
  texts: Texts,
  frame: PageFrame,
  credentials: readonly CredentialView[],
  rejected: RejectedLabel | undefined,
): Html {
  const types = request.parts.credentialTypes.all(request.exchange.realm).map((type) => ({
    type,
    own: credentials.filter((view) => view.type.type === type.type),
    isOffered: type.createAction !== undefined && canStartAction(request, type.createAction),
  }));
  return html`${Object.entries(GROUP_BY_CATEGORY).map(([category, group]) => {
    const inGroup = types.filter(
      (entry) => entry.type.category === category && (entry.isOffered || entry.own.length > 0),
    );
    if (inGroup.length === 0) return undefined;
    const isEmpty = inGroup.every(({ own }) => own.length === 0);
    // The group texts contain the types' names with article and plural, which are unknown for a plugin's type. Then use
    // a generic text. The text of second factors names no type.
    const textGroup = inGroup.every(({ type }) => type.builtin) || group === 'second' ? group : 'any';
    return html`<section id="kc-credential-group-${group}"><h2>${texts.of(`credentialGroup.${group}`)}</h2>
${isEmpty && html`<p class="none">${texts.of(`credentialGroupEmpty.${textGroup}`)}</p>`}
<ul class="items">${inGroup.map((entry) => renderType(request, texts, frame, entry, rejected))}</ul></section>`;
  })}`;
}

/** The rows of a type: its description with a button to add one, then the user's credentials. */
function renderType(
  request: AccountRequest,
  texts: Texts,
  frame: PageFrame,
  {
    type,
    own: credentials,
    isOffered,
  }: { readonly type: CredentialType; readonly own: readonly CredentialView[]; readonly isOffered: boolean },
  rejected: RejectedLabel | undefined,
): Html {
  const help = typeHelp(texts, type);
  return html`<li class="section-head" id="kc-credentials-${type.type}"><div><h3>${typeName(texts, type)}</h3>
${help !== undefined && html`<p>${help}</p>`}</div>
${isOffered && renderSetUpLink(request, texts, type, credentials.length)}</li>
${credentials.map((credential) => renderCredential(request, texts, frame, credential, rejected))}`;
}

function renderSetUpLink(request: AccountRequest, texts: Texts, type: CredentialType, count: number): Html {
  const { createAction: action = '', single = false } = type;
  const label = count === 0 ? 'doSetUp' : single ? 'doUpdate' : 'doSetUpAnother';
  const address = addressOf(request, `/start?${new URLSearchParams({ action, to: SIGNING_IN_PATH })}`);
  return html`<a class="button secondary small" id="kc-set-up-${type.type}" href="${safeLinkUrl(address)}" aria-label="${texts.of(label)}: ${typeName(texts, type)}">${texts.of(label)}</a>`;
}

function renderCredential(
  request: AccountRequest,
  texts: Texts,
  frame: PageFrame,
  view: CredentialView,
  rejected: RejectedLabel | undefined,
): Html {
  const { credential, type } = view;
  const { id, createdDate } = credential;
  const name = credentialName(texts, view);
  const mayChange = hasAnyRole(request, 'manage-account');
  const removal = addressOf(request, `${REMOVE_CREDENTIAL_PATH}?${new URLSearchParams({ credential: id })}`);
  const problem = rejected?.id === id ? rejected : undefined;
  return html`<li data-credential="${id}"><div class="item"><p class="item-title">${name}</p>
${definitionList([[texts.of('createdOn'), createdDate === undefined ? undefined : timeText(texts, frame, createdDate)]])}
${renderNotes(texts, credentialMetadata(request.exchange.realm, credential))}</div>
${
  mayChange &&
  isRemovable(request.parts.credentialTypes, request.exchange.realm, request.user.representation, credential) &&
  html`<div class="item-actions"><a class="button secondary small danger" href="${safeLinkUrl(removal)}" aria-label="${texts.of('doRemove')}: ${name}">${texts.of('doRemove')}</a></div>`
}
${mayChange && type.type !== 'password' && renderRenameForm(request, texts, credential, problem)}</li>`;
}

function renderNotes(
  texts: Texts,
  { infoMessage: info, warningMessageTitle: title, warningMessageDescription }: CredentialMetadata,
): Html {
  const [infoText, warning, advice] = [info, title, warningMessageDescription].map(
    (text) => text && texts.of(text.key, ...(text.parameters ?? [])),
  );
  return html`${infoText && html`<p>${infoText}</p>`}${
    warning &&
    html`<div class="alert alert-warning"><span class="alert-text"><strong>${warning}</strong> ${advice}</span></div>`
  }`;
}

/**
 * The form for renaming a credential: a `<details>` element, so it needs no script, and open while it shows an error.
 */
function renderRenameForm(
  request: AccountRequest,
  texts: Texts,
  { id, userLabel }: CredentialView['credential'],
  problem: RejectedLabel | undefined,
): Html {
  const input = `label-${id}`;
  const errorAttributes = html` aria-invalid="true" aria-describedby="input-error-${input}" autofocus`;
  return html`<details${problem !== undefined && html` open`}><summary>${texts.of('doRename')}</summary>
<form action="${safeLinkUrl(addressOf(request, SIGNING_IN_PATH))}" method="post">${tokenField(request)}${hiddenField('credential', id)}
<div class="field"><label for="${input}">${texts.of('credentialLabel')}</label><input type="text" id="${input}" name="userLabel" value="${problem?.label ?? userLabel ?? ''}" maxlength="${MAX_LABEL_LENGTH}" autocomplete="off"${problem !== undefined && errorAttributes}>
${problem !== undefined && html`<p class="field-error" id="input-error-${input}" role="alert">${texts.text(problem.error)}</p>`}</div>
<div class="buttons"><button type="submit" class="button secondary">${texts.of('doSave')}</button></div></form></details>`;
}
