import { HostError, type MailTemplate, type Message } from '@keyhost/spi';
import { html } from '../../pages/html.js';
import type { Texts } from '../../pages/messages/texts.js';
import type { Mail } from '../mailer.js';

/**
 * Renders a plugin's own mail template by replacing placeholders with values. Values are escaped in HTML.
 * @throws HostError `invalid_argument` for a placeholder without a value
 */
export function renderTemplate(
  { text, html: markup, values = {} }: MailTemplate,
  subject: Message,
  realm: string,
  texts: Texts,
): Omit<Mail, 'to'> {
  const title = texts.text(subject);
  const valuesByName = new Map([
    ['subject', title],
    ['realm', realm],
    ...Object.entries(values).map(([name, message]) => [name, texts.text(message)] as const),
  ]);
  const fill = (template: string, format: (value: string) => string) =>
    template.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (_, name: string) => {
      const value = valuesByName.get(name);
      if (value !== undefined) return format(value);
      throw new HostError('invalid_argument', `mail.send: mail.template has no value for {{${name}}}`);
    });
  return {
    subject: title,
    text: fill(text, (value) => value),
    html: fill(markup, (value) => html`${value}`.toString()),
  };
}
