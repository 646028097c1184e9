import type { Message, PageFrame } from '@keyhost/spi';
import type { CredentialRepresentation } from '../../model/representation.js';
import { hiddenField } from '../../pages/field.js';
import { type Html, html } from '../../pages/html.js';
import { linkAddress } from '../../pages/link-address.js';
import type { Texts } from '../../pages/messages/texts.js';
import { shownCredentials } from '../../users/passwords/credential-list.js';
import { isRemovable } from '../../users/passwords/removable-credential.js';
import { may } from '../account.js';
import { mayStart, SETUP_ACTIONS } from '../startable-actions.js';
import {
  type AccountPage,
  type AccountVisit,
  addressOf,
  facts,
  goOn,
  showPage,
  timeText,
  tokenField,
} from '../visit.js';
import { CredentialRefused, LABEL_LIMIT, renameCredential } from './own-credentials.js';
import { credentialNotes, type CredentialNotes as Notes } from './recovery-codes-left.js';

export const SIGNING_IN = '/account-security/signing-in';
/** Where a credential is removed: `?credential={id}`. */
export const REMOVE_CREDENTIAL = `${SIGNING_IN}/remove`;

/** A name that was refused, with what was typed. */
interface Refused {
  readonly id: string;
  readonly label: string;
  readonly error: Message;
}

/** How the user signs in: every credential by its type, whoever added the type. */
export const signingInPage: AccountPage = {
  path: SIGNING_IN,
  title: 'signingIn',
  isOffered: (visit) => may(visit, 'view-profile', 'manage-account'),
  get: (visit) => show(visit),
  async post(visit, form) {
    if (!may(visit, 'manage-account')) return goOn(visit, SIGNING_IN, { key: 'accountForbidden', severity: 'error' });
    const id = form.get('credential') ?? '';
    const label = (form.get('userLabel') ?? '').trim();
    try {
      const isThere = await renameCredential(visit.parts, visit, id, label);
      await goOn(visit, SIGNING_IN, isThere ? { key: 'renameSaved', severity: 'success' } : undefined);
    } catch (error) {
      if (!(error instanceof CredentialRefused)) throw error;
      await show(visit, { id, label, error: { key: error.key } });
    }
  },
};

/** What a credential is called on pages. */
export function credentialName(texts: Texts, { type, userLabel }: CredentialRepresentation): string {
  return userLabel || (type === 'password' ? texts.of('myPassword') : typeName(texts, type));
}

/** A type that nobody knows here is called by its own name. */
function typeName(texts: Texts, type: string): string {
  const key = `credential.${type}`;
  const name = texts.of(key);
  return name === key ? type : name;
}

function show(visit: AccountVisit, refused?: Refused): Promise<void> {
  return showPage(visit, signingInPage, (texts, frame) => content(visit, texts, frame, refused), {
    description: 'signingInDescription',
    status: refused && 400,
  });
}

/** What credentials are for; the last one is of types that nobody knows here. */
const GROUPS = ['first', 'second', 'passwordless', 'other'] as const;

const GROUP_OF: Readonly<Record<string, (typeof GROUPS)[number]>> = {
  password: 'first',
  otp: 'second',
  webauthn: 'second',
  'recovery-authn-codes': 'second',
  'webauthn-passwordless': 'passwordless',
};

type OwnCredential = CredentialRepresentation & { readonly id: string };

function groupOf(type: string): (typeof GROUPS)[number] {
  return (Object.hasOwn(GROUP_OF, type) ? GROUP_OF[type] : undefined) ?? 'other';
}

function content(visit: AccountVisit, texts: Texts, frame: PageFrame, refused: Refused | undefined): Html {
  const credentials = shownCredentials(visit.user.id, visit.user.credentials);
  const offered = Object.keys(SETUP_ACTIONS).filter((type) => mayStart(visit, SETUP_ACTIONS[type] ?? ''));
  const known = Object.keys(SETUP_ACTIONS).filter(
    (type) => offered.includes(type) || credentials.some((credential) => credential.type === type),
  );
  const types = [...new Set([...known, ...credentials.map(({ type }) => type)])];
  return html`${GROUPS.map((group) => {
    const inGroup = types.filter((type) => groupOf(type) === group);
    if (inGroup.length === 0) return undefined;
    const rows = inGroup.map((type) => {
      const own = credentials.filter((credential) => credential.type === type);
      return typeRows(visit, texts, frame, { type, own, isOffered: offered.includes(type) }, refused);
    });
    const isEmpty = !credentials.some(({ type }) => groupOf(type) === group);
    return html`<section id="kc-credential-group-${group}"><h2>${texts.of(`credentialGroup.${group}`)}</h2>
${isEmpty && html`<p class="none">${texts.of(`credentialGroupEmpty.${group}`)}</p>`}
<ul class="items">${rows}</ul></section>`;
  })}`;
}

/** One type: what it is and the way to another of it, then those that there are. */
function typeRows(
  visit: AccountVisit,
  texts: Texts,
  frame: PageFrame,
  {
    type,
    own,
    isOffered,
  }: { readonly type: string; readonly own: readonly OwnCredential[]; readonly isOffered: boolean },
  refused: Refused | undefined,
): Html {
  const help = texts.of(`credentialHelp.${type}`);
  return html`<li class="section-head" id="kc-credentials-${type}"><div><h3>${typeName(texts, type)}</h3>
${!help.startsWith('credentialHelp.') && html`<p>${help}</p>`}</div>
${isOffered && setUpLink(visit, texts, type, own)}</li>
${own.map((credential) => credentialItem(visit, texts, frame, credential, refused))}`;
}

/** A password and recovery codes are one of their kind; of everything else there may be several. */
function setUpLink(visit: AccountVisit, texts: Texts, type: string, own: readonly CredentialRepresentation[]): Html {
  const action = SETUP_ACTIONS[type] ?? '';
  const isOnly = type === 'password' || type === 'recovery-authn-codes';
  const label = own.length === 0 ? 'doSetUp' : isOnly ? 'doUpdate' : 'doSetUpAnother';
  const address = addressOf(visit, `/start?${new URLSearchParams({ action, to: SIGNING_IN })}`);
  return html`<a class="button secondary small" id="kc-set-up-${type}" href="${linkAddress(address)}" aria-label="${texts.of(label)}: ${typeName(texts, type)}">${texts.of(label)}</a>`;
}

function credentialItem(
  visit: AccountVisit,
  texts: Texts,
  frame: PageFrame,
  credential: OwnCredential,
  refused: Refused | undefined,
): Html {
  const { id, createdDate } = credential;
  const { realm } = visit.exchange;
  const name = credentialName(texts, credential);
  const mayChange = may(visit, 'manage-account');
  const removal = addressOf(visit, `${REMOVE_CREDENTIAL}?${new URLSearchParams({ credential: id })}`);
  const problem = refused?.id === id ? refused : undefined;
  return html`<li data-credential="${id}"><div class="item"><p class="item-title">${name}</p>
${facts([[texts.of('createdOn'), createdDate === undefined ? undefined : timeText(texts, frame, createdDate)]])}
${notes(texts, credentialNotes(realm, credential))}</div>
${
  mayChange &&
  isRemovable(realm, visit.user.representation, credential) &&
  html`<div class="item-actions"><a class="button secondary small danger" href="${linkAddress(removal)}" aria-label="${texts.of('doRemove')}: ${name}">${texts.of('doRemove')}</a></div>`
}
${mayChange && credential.type !== 'password' && renameForm(visit, texts, credential, problem)}</li>`;
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

/** Opens without a script, and stays open while something is wrong in it. */
function renameForm(
  visit: AccountVisit,
  texts: Texts,
  { id, userLabel }: OwnCredential,
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
