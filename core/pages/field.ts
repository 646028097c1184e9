import type { PageField } from '@keyhost/spi';
import { renderChoices, renderSelect } from './forms/field-options.js';
import { type Html, html } from './html.js';
import type { Texts } from './messages/texts.js';

/** A field with its texts in the page's language. */
export interface Field extends Omit<PageField, 'label' | 'error' | 'help' | 'heading' | 'placeholder' | 'options'> {
  readonly label: string;
  readonly error?: string | undefined;
  readonly help?: string | undefined;
  readonly heading?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly options?: readonly { readonly value: string; readonly label: string }[] | undefined;
  readonly autofocus?: boolean;
  readonly checked?: boolean;
  /** ID of the element with the error, if it is not the field's own. */
  readonly describedBy?: string | undefined;
  /** Shown on the label's line, but after the field in keyboard order. */
  readonly beside?: Html | undefined;
}

/** Renders a label and an input. The field's help and error follow below. */
export function renderField(texts: Texts, field: Field): Html {
  if (field.type === 'hidden') return hiddenField(field.name, field.value ?? '');
  const heading = field.heading === undefined ? undefined : html`<h2>${field.heading}</h2>`;
  const hints = html`${renderHelp(field)}${renderError(field)}`;
  if (field.type === 'choice') return html`${heading}${renderChoices(field, hints)}`;
  if (field.type === 'checkbox') {
    return html`${heading}<div class="field"><label class="check">${renderInput(field)}<span>${field.label}</span></label>${hints}</div>`;
  }
  const { beside } = field;
  return html`${heading}<div class="field${beside !== undefined && ' field-beside'}"><label for="${field.name}">${field.label}</label>${renderControl(texts, field)}${beside}${hints}</div>`;
}

export function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

export function hiddenFields(fields: readonly (readonly [name: string, value: string])[]): Html {
  return html`${fields.map(([name, value]) => hiddenField(name, value))}`;
}

/** Renders the attributes that all types of fields have. */
export function fieldAttributes(field: Field): Html {
  const descriptionIds = [
    field.error === undefined ? field.describedBy : errorId(field),
    field.help === undefined ? undefined : helpId(field),
  ].filter((id) => id !== undefined);
  const isInvalid = field.error !== undefined || field.describedBy !== undefined;
  return html`${field.autocomplete !== undefined && html` autocomplete="${field.autocomplete}"`}${
    field.inputmode !== undefined && html` inputmode="${field.inputmode}"`
  }${isAccountName(field) && html` autocapitalize="none" spellcheck="false"`}${
    field.placeholder !== undefined && html` placeholder="${field.placeholder}"`
  }${field.required === true && html` required`}${field.readOnly === true && html` readonly`}${
    field.checked === true && html` checked`
  }${isInvalid && html` aria-invalid="true"`}${
    descriptionIds.length > 0 && html` aria-describedby="${descriptionIds.join(' ')}"`
  }${field.autofocus === true && html` autofocus`}`;
}

function renderControl(texts: Texts, field: Field): Html {
  const { name, type, value = '' } = field;
  switch (type) {
    case 'password':
      return html`<div class="password">${renderInput(field)}${renderShowPasswordButton(texts, name)}</div>`;
    case 'select':
      return renderSelect(field, fieldAttributes(field));
    case 'textarea':
      // Browsers ignore the first line break.
      return html`<textarea id="${name}" name="${name}" rows="4"${fieldAttributes(field)}>\n${value}</textarea>`;
    default:
      return renderInput(field);
  }
}

function renderInput(field: Field): Html {
  const { name, type } = field;
  const value = type === 'checkbox' ? field.value || 'on' : type === 'password' ? '' : field.value;
  const valueAttribute = value !== undefined && html` value="${value}"`;
  const isCheckbox = type === 'checkbox';
  return html`<input id="${name}" name="${name}"${!isCheckbox && valueAttribute} type="${type}"${isCheckbox && valueAttribute}${fieldAttributes(field)}>`;
}

/** True for fields that must not be spell-checked or auto-capitalised. */
function isAccountName({ type, autocomplete = '' }: Field): boolean {
  return type === 'email' || /^(username|one-time-code)\b/.test(autocomplete);
}

function errorId({ name }: Field): string {
  return `input-error-${name}`;
}

function helpId({ name }: Field): string {
  return `form-help-text-after-${name}`;
}

function renderError(field: Field): Html | undefined {
  if (field.error === undefined) return undefined;
  return html`<p class="field-error" id="${errorId(field)}" role="alert">${field.error}</p>`;
}

function renderHelp(field: Field): Html | undefined {
  if (field.help === undefined) return undefined;
  return html`<p class="field-help" id="${helpId(field)}">${field.help}</p>`;
}

/** Renders the button that shows a password. It is hidden until its script is loaded. */
function renderShowPasswordButton(texts: Texts, name: string): Html {
  return html`<button type="button" class="show-password" hidden aria-controls="${name}" aria-label="${texts.of('showPassword')}" data-other-label="${texts.of('hidePassword')}"><svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="M1.8 10S4.7 4.8 10 4.8 18.2 10 18.2 10 15.3 15.2 10 15.2 1.8 10 1.8 10Z"/><circle cx="10" cy="10" r="2.4"/><path class="strike" d="m3.5 16.5 13-13"/></svg></button>`;
}
