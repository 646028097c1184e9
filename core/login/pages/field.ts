import type { PageField } from '@keyhost/spi';
import type { Texts } from '../messages/texts.js';
import { type Html, html } from './html.js';

/** A field as it is written: its texts are in the page's language. */
export interface Field extends Omit<PageField, 'label' | 'error'> {
  readonly label: string;
  readonly error?: string | undefined;
  readonly readOnly?: boolean;
  readonly autofocus?: boolean;
  readonly checked?: boolean;
  /** The element that says what is wrong, where that is not the field's own error. */
  readonly describedBy?: string | undefined;
}

/** A label and an input, with the field's error below it. */
export function field(texts: Texts, field: Field): Html {
  if (field.type === 'hidden') return hiddenField(field.name, field.value ?? '');
  const input = html`<input id="${field.name}" name="${field.name}" type="${field.type}"${attributes(field)}>`;
  if (field.type === 'checkbox') {
    return html`<div class="field"><label class="check">${input}<span>${field.label}</span></label>${errorOf(field)}</div>`;
  }
  const control =
    field.type === 'password' ? html`<div class="password">${input}${showButton(texts, field.name)}</div>` : input;
  return html`<div class="field"><label for="${field.name}">${field.label}</label>${control}${errorOf(field)}</div>`;
}

export function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

export function hiddenFields(fields: readonly (readonly [name: string, value: string])[]): Html {
  return html`${fields.map(([name, value]) => hiddenField(name, value))}`;
}

function attributes(field: Field): Html {
  const value = field.type === 'checkbox' ? field.value || 'on' : field.type === 'password' ? '' : field.value;
  const problem = field.error === undefined ? field.describedBy : errorId(field);
  return html`${value !== undefined && html` value="${value}"`}${
    field.autocomplete !== undefined && html` autocomplete="${field.autocomplete}"`
  }${field.inputmode !== undefined && html` inputmode="${field.inputmode}"`}${
    namesAccounts(field) && html` autocapitalize="none" spellcheck="false"`
  }${field.required === true && html` required`}${field.readOnly === true && html` readonly`}${
    field.checked === true && html` checked`
  }${problem !== undefined && html` aria-invalid="true" aria-describedby="${problem}"`}${
    field.autofocus === true && html` autofocus`
  }`;
}

/** What is typed there is no prose. */
function namesAccounts({ type, autocomplete = '' }: Field): boolean {
  return type === 'email' || /^(username|one-time-code)\b/.test(autocomplete);
}

function errorId({ name }: Field): string {
  return `input-error-${name}`;
}

function errorOf(field: Field): Html | undefined {
  if (field.error === undefined) return undefined;
  return html`<p class="field-error" id="${errorId(field)}" role="alert">${field.error}</p>`;
}

/** Hidden until the script is there that makes it work. */
function showButton(texts: Texts, name: string): Html {
  return html`<button type="button" class="show-password" hidden aria-controls="${name}" aria-label="${texts.of('showPassword')}" data-other-label="${texts.of('hidePassword')}"><svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="M1.8 10S4.7 4.8 10 4.8 18.2 10 18.2 10 15.3 15.2 10 15.2 1.8 10 1.8 10Z"/><circle cx="10" cy="10" r="2.4"/><path class="strike" d="m3.5 16.5 13-13"/></svg></button>`;
}
