import type { Field } from '../field.js';
import { type Html, html } from '../html.js';

type Chosen = Pick<Field, 'name' | 'label' | 'value' | 'options' | 'multiple' | 'required' | 'readOnly' | 'autofocus'>;

/** A list to choose from. An optional one begins with an empty entry. */
export function listOf(field: Chosen, attributes: Html): Html {
  const { name, multiple, required, options = [] } = field;
  const chosen = valuesOf(field);
  const isSettled = multiple === true || (required === true && options.some(({ value }) => chosen.includes(value)));
  const nothing = isSettled ? undefined : html`<option value=""></option>`;
  return html`<select id="${name}" name="${name}"${multiple === true && html` multiple size="${Math.min(Math.max(options.length, 2), 6)}"`}${
    field.readOnly === true && html` disabled`
  }${attributes}>${nothing}${options.map(
    ({ value, label }) => html`<option value="${value}"${chosen.includes(value) && html` selected`}>${label}</option>`,
  )}</select>`;
}

/** The options as radio buttons, or as checkboxes if several may be selected. */
export function choices(field: Chosen, below: Html): Html {
  const { name, label, multiple, options = [] } = field;
  const chosen = valuesOf(field);
  const type = multiple === true ? 'checkbox' : 'radio';
  return html`<fieldset class="field" id="${name}"${field.readOnly === true && html` disabled`}><legend>${label}</legend>${options.map(
    ({ value, label: text }, index) =>
      html`<label class="check"><input type="${type}" id="${`${name}-${index}`}" name="${name}" value="${value}"${
        chosen.includes(value) && html` checked`
      }${multiple !== true && field.required === true && html` required`}${
        field.autofocus === true && index === 0 && html` autofocus`
      }><span>${text}</span></label>`,
  )}${below}</fieldset>`;
}

function valuesOf({ value = '', multiple }: Chosen): readonly string[] {
  return multiple === true ? value.split('\n') : [value];
}
