import type { Message } from '@keyhost/spi';
import type { Texts } from '../../login/messages/texts.js';
import { type Html, html } from '../../login/pages/html.js';
import type { ProfileField } from '../../realms/profile-form.js';

/** A field of the profile as a page shows it. */
export interface ShownField {
  readonly field: ProfileField;
  readonly values: readonly string[];
  readonly error: Message | undefined;
  readonly autofocus: boolean;
  /** Below it, such as a link. */
  readonly note?: Html | undefined;
}

/** Keycloak's `html5-…` input types, as HTML has them. */
const HTML_TYPES = new Set(['email', 'tel', 'url', 'number', 'date', 'month', 'time', 'week']);
const AUTOCOMPLETE: Readonly<Record<string, string>> = {
  username: 'username',
  email: 'email',
  firstName: 'given-name',
  lastName: 'family-name',
};
/** Empty inputs for further values. */
const MORE_VALUES = 1;

/** The label, the inputs and what is wrong. It works without scripts: a list of values has a line for one more. */
export function profileInput(texts: Texts, shown: ShownField): Html {
  const { field, error } = shown;
  const label = texts.name(field.label);
  const below = html`${field.help !== undefined && html`<p class="field-note">${texts.name(field.help)}</p>`}${shown.note}${
    error !== undefined && html`<p class="field-error" id="${errorId(field)}" role="alert">${texts.text(error)}</p>`
  }`;
  if (isChoiceOfSeveral(field)) {
    return html`<fieldset class="field choices"><legend>${label}</legend>${choices(texts, shown)}${below}</fieldset>`;
  }
  if (!field.multivalued) {
    return html`<div class="field"><label for="${field.name}">${label}</label>${control(texts, shown, field.name, label)}${below}</div>`;
  }
  const lines = field.readOnly ? shown.values : [...shown.values, ...Array(MORE_VALUES).fill('')];
  const inputs = lines.map((value, index) => input(shown, lineId(field, index), value, label));
  return html`<fieldset class="field choices"><legend>${label}</legend><div class="values">${inputs}</div>${
    !field.readOnly && html`<p class="field-note">${texts.of('leaveEmptyToRemove')}</p>`
  }${below}</fieldset>`;
}

function isChoiceOfSeveral({ inputType, options, multivalued }: ProfileField): boolean {
  return options.length > 0 && (multivalued || inputType.startsWith('multiselect'));
}

function control(texts: Texts, shown: ShownField, id: string, label: string): Html {
  const { field, values } = shown;
  const [value = ''] = values;
  if (field.options.length > 0) {
    const options = field.options.map(
      (option) =>
        html`<option value="${option.value}"${option.value === value && html` selected`}>${texts.name(option.label)}</option>`,
    );
    return html`<select id="${id}" name="${field.name}"${states(shown, 'disabled')}><option value="">${texts.of('selectNone')}</option>${options}</select>`;
  }
  if (field.inputType === 'textarea') {
    return html`<textarea id="${id}" name="${field.name}"${states(shown)}>
${value}</textarea>`;
  }
  return input(shown, id, value, label);
}

function input(shown: ShownField, id: string, value: string, label: string): Html {
  const { field } = shown;
  const own = field.inputType.replace(/^html5-/, '');
  const type = field.name === 'email' ? 'email' : HTML_TYPES.has(own) ? own : 'text';
  const autocomplete = Object.hasOwn(AUTOCOMPLETE, field.name) ? AUTOCOMPLETE[field.name] : undefined;
  return html`<input id="${id}" name="${field.name}" type="${type}" value="${value}"${
    id !== field.name && html` aria-label="${label}"`
  }${autocomplete !== undefined && html` autocomplete="${autocomplete}"`}${
    ['username', 'email'].includes(field.name) && html` autocapitalize="none" spellcheck="false"`
  }${states(shown)}>`;
}

function choices(texts: Texts, { field, values, autofocus }: ShownField): Html {
  return html`${field.options.map(
    (option, index) =>
      html`<label class="check"><input type="checkbox" name="${field.name}" value="${option.value}"${values.includes(option.value) && html` checked`}${field.readOnly && html` disabled`}${autofocus && index === 0 && html` autofocus`}><span>${texts.name(option.label)}</span></label>`,
  )}`;
}

function states({ field, error, autofocus }: ShownField, whenFixed: 'readonly' | 'disabled' = 'readonly'): Html {
  return html`${field.required && !field.readOnly && !field.multivalued && html` required`}${
    field.readOnly && (whenFixed === 'disabled' ? html` disabled` : html` readonly`)
  }${error !== undefined && html` aria-invalid="true" aria-describedby="${errorId(field)}"`}${autofocus && html` autofocus`}`;
}

function errorId({ name }: ProfileField): string {
  return `input-error-${name}`;
}

function lineId({ name }: ProfileField, index: number): string {
  return index === 0 ? name : `${name}-${index}`;
}
