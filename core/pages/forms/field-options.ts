import type { Field } from '../field.js';
import { type Html, html } from '../html.js';

type OptionField = Pick<
  Field,
  'name' | 'label' | 'value' | 'options' | 'multiple' | 'required' | 'readOnly' | 'autofocus'
>;

/** Renders a select element. An optional one begins with an empty option. */
export function renderSelect(field: OptionField, attributes: Html): Html {
  const { name, multiple, required, options = [] } = field;
  const selectedValues = valuesOf(field);
  const needsNoEmptyOption =
    multiple === true || (required === true && options.some(({ value }) => selectedValues.includes(value)));
  const emptyOption = needsNoEmptyOption ? undefined : html`<option value=""></option>`;
  return html`<select id="${name}" name="${name}"${multiple === true && html` multiple size="${Math.min(Math.max(options.length, 2), 6)}"`}${
    field.readOnly === true && html` disabled`
  }${attributes}>${emptyOption}${options.map(
    ({ value, label }) =>
      html`<option value="${value}"${selectedValues.includes(value) && html` selected`}>${label}</option>`,
  )}</select>`;
}

/** Renders the options as radio buttons, or as checkboxes if several may be selected. */
export function renderChoices(field: OptionField, hints: Html): Html {
  const { name, label, multiple, options = [] } = field;
  const selectedValues = valuesOf(field);
  const type = multiple === true ? 'checkbox' : 'radio';
  return html`<fieldset class="field" id="${name}"${field.readOnly === true && html` disabled`}><legend>${label}</legend>${options.map(
    ({ value, label: text }, index) =>
      html`<label class="check"><input type="${type}" id="${`${name}-${index}`}" name="${name}" value="${value}"${
        selectedValues.includes(value) && html` checked`
      }${multiple !== true && field.required === true && html` required`}${
        field.autofocus === true && index === 0 && html` autofocus`
      }><span>${text}</span></label>`,
  )}${hints}</fieldset>`;
}

function valuesOf({ value = '', multiple }: OptionField): readonly string[] {
  return multiple === true ? value.split('\n') : [value];
}
