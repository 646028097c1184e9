import type { Message, PageField } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import { profileOf } from '../../model/profile-of-realm.js';
import type { Realm } from '../../model/realm.js';
import type { ProfileAttribute } from '../../model/user-profile.js';
import type { UserAttribute } from '../../users/profile/own-profile.js';
import type { AttributeProblem, AttributeValues } from '../../users/profile/profile-problems.js';

/** The field type of each annotation `inputType`; all others are text fields. */
const FIELD_TYPES: Readonly<Record<string, { readonly type: PageField['type']; readonly multiple?: boolean }>> = {
  textarea: { type: 'textarea' },
  select: { type: 'select' },
  multiselect: { type: 'select', multiple: true },
  'select-radiobuttons': { type: 'choice' },
  'multiselect-checkboxes': { type: 'choice', multiple: true },
  'html5-email': { type: 'email' },
  'html5-tel': { type: 'tel' },
  'html5-url': { type: 'url' },
  'html5-number': { type: 'number' },
  'html5-range': { type: 'number' },
  'html5-date': { type: 'date' },
  'html5-time': { type: 'time' },
  'html5-datetime-local': { type: 'datetime-local' },
};

const AUTOCOMPLETE: Readonly<Record<string, string>> = {
  username: 'username',
  email: 'email',
  firstName: 'given-name',
  lastName: 'family-name',
};

const MISSING_MESSAGE_KEYS: Readonly<Record<string, string>> = {
  username: 'missingUsernameMessage',
  email: 'missingEmailMessage',
  firstName: 'missingFirstNameMessage',
  lastName: 'missingLastNameMessage',
};

/** Creates the fields of a user's own profile, with the errors of their values. */
export function profileFields(
  realm: Realm,
  attributes: readonly UserAttribute[],
  values: AttributeValues,
  problems: readonly AttributeProblem[],
): PageField[] {
  const { groups = [] } = profileOf(realm);
  let previousGroup: string | null | undefined;
  return attributes.map(({ attribute, required, readOnly }) => {
    const { name, group, annotations, displayName } = attribute;
    const { type, multiple } = fieldTypeOf(attribute);
    const problem = problems.find((candidate) => candidate.attribute === name);
    const newGroup =
      group && group !== previousGroup ? groups.find((candidate) => candidate.name === group) : undefined;
    previousGroup = group;
    const options = type === 'select' || type === 'choice' ? { options: optionsOf(attribute) } : {};
    return {
      name,
      type,
      label: { key: displayName || name },
      value: values(name).join('\n'),
      required: required && !readOnly,
      ...options,
      ...(multiple ? { multiple } : {}),
      ...(readOnly ? { readOnly } : {}),
      ...(Object.hasOwn(AUTOCOMPLETE, name) ? { autocomplete: AUTOCOMPLETE[name] ?? '' } : {}),
      ...optionalMessage('placeholder', annotations?.inputTypePlaceholder),
      ...optionalMessage('help', helpOf(attribute, multiple)),
      ...optionalMessage('heading', newGroup && (newGroup.displayHeader || newGroup.name)),
      ...defined({ error: problem && messageOfProblem(problem) }),
    };
  });
}

/** Returns the form's values by attribute. Read-only attributes keep their current values. */
export function valuesOfForm(
  attributes: readonly UserAttribute[],
  form: Readonly<Record<string, string>>,
  currentValues: AttributeValues,
): AttributeValues {
  const formValues = new Map(
    attributes
      .filter(({ readOnly }) => !readOnly)
      .map(({ attribute }): [string, readonly string[]] => {
        const text = Object.hasOwn(form, attribute.name) ? (form[attribute.name] ?? '') : '';
        return [attribute.name, valuesOf(attribute, text.replaceAll('\r\n', '\n'))];
      }),
  );
  return (name) => formValues.get(name) ?? currentValues(name);
}

function valuesOf(attribute: ProfileAttribute, text: string): string[] {
  const { name } = attribute;
  const isLowerCase = name === 'username' || name === 'email';
  const values = fieldTypeOf(attribute).multiple ? text.split('\n') : [text];
  return values
    .map((value) => (isLowerCase ? value.trim().toLowerCase() : value.trim()))
    .filter((value) => value !== '');
}

function fieldTypeOf(attribute: ProfileAttribute): { type: PageField['type']; multiple: boolean } {
  const { name, annotations, multivalued, validations } = attribute;
  const inputType = String(annotations?.inputType ?? '');
  const fallback = name === 'email' ? 'email' : validations?.options === undefined ? 'text' : 'select';
  const { type, multiple = false } = (Object.hasOwn(FIELD_TYPES, inputType) ? FIELD_TYPES[inputType] : undefined) ?? {
    type: fallback,
  };
  if (multivalued !== true) return { type, multiple };
  // Multiple values of any other type are entered one per line.
  return { type: type === 'select' || type === 'choice' ? type : 'textarea', multiple: true };
}

function optionsOf({ annotations, validations }: ProfileAttribute): PageField['options'] {
  const source = String(annotations?.inputOptionsFromValidation ?? 'options');
  const hasOptions = validations !== undefined && validations !== null && Object.hasOwn(validations, source);
  const { options } = (hasOptions ? validations[source] : undefined) ?? {};
  const labels = (annotations?.inputOptionLabels ?? {}) as Readonly<Record<string, unknown>>;
  const prefix = annotations?.inputOptionLabelsI18nPrefix;
  return (Array.isArray(options) ? options : []).map(String).map((value) => {
    const label = Object.hasOwn(labels, value) ? labels[value] : undefined;
    const key = typeof label === 'string' ? label : typeof prefix === 'string' ? `${prefix}.${value}` : value;
    return { value, label: { key } };
  });
}

function helpOf({ annotations }: ProfileAttribute, multiple: boolean): unknown {
  const helperText = annotations?.inputHelperTextAfter ?? annotations?.inputHelperTextBefore;
  if (helperText !== undefined) return helperText;
  return multiple && !/^(multi)?select/.test(String(annotations?.inputType ?? '')) ? 'oneValuePerLine' : undefined;
}

function optionalMessage<N extends string>(name: N, key: unknown): { readonly [K in N]?: Message } {
  return typeof key === 'string' && key !== '' ? ({ [name]: { key } } as { [K in N]: Message }) : {};
}

/** Creates the message of an invalid value. In Keycloak's texts, `{0}` is the attribute's name. */
export function messageOfProblem({ attribute, message: key, parameters, texts }: AttributeProblem): Message {
  if (key === 'error-user-attribute-required') return { key: MISSING_MESSAGE_KEYS[attribute] ?? key };
  return {
    key,
    params: [attribute, ...parameters.map((parameter) => String(parameter ?? '…'))],
    ...defined({ texts }),
  };
}
