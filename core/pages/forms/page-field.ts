import type { PageField } from '@keyhost/spi';
import { renderField } from '../field.js';
import type { Html } from '../html.js';
import type { Texts } from '../messages/texts.js';

/** Renders a field in the page's language. */
export function renderPageField(texts: Texts, source: PageField, autofocus: boolean): Html {
  const { label, error, help, heading, placeholder, options, ...members } = source;
  return renderField(texts, {
    ...members,
    label: texts.text(label),
    error: error && texts.text(error),
    help: help && texts.text(help),
    heading: heading && texts.text(heading),
    placeholder: placeholder && texts.text(placeholder),
    options: options?.map((option) => ({ value: option.value, label: texts.text(option.label) })),
    autofocus,
    checked: members.type === 'checkbox' && members.value === 'on',
  });
}
