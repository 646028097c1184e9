import { spi } from '../plugin.js';
import type { UserView } from '../views.js';
import type { MailPage } from './theme.js';

/** A mail to render, with the host's texts for it, so that a template needs no texts. */
export interface TemplateMail extends MailPage {
  /** The type of the mail, as in `OutgoingMail`. */
  readonly kind: string;
  /** The recipient, if it is a user. Undefined if the mail is sent to an address. */
  readonly user: UserView | undefined;
  /** The messages as plain texts in the language of the mail, without markup. */
  readonly texts: {
    readonly subject: string;
    readonly before: readonly string[];
    /** The label of the link. */
    readonly link: string | undefined;
    readonly after: readonly string[];
  };
}

/** A rendered mail. */
export interface MailForm {
  /** Line breaks become spaces. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Keycloak's EmailTemplateProvider. */
export interface EmailTemplateProvider {
  /**
   * Renders a mail; undefined leaves it to the realm's `emailTheme`, else to Keyhost. Escape the texts in `html`. If it
   * throws, the mail is not sent, and the operation that sends it fails.
   */
  render(mail: TemplateMail): Promise<MailForm | undefined>;
}

const MAIL_MEMBERS = ['subject', 'text', 'html'];

/**
 * Renders the mails of a realm, in place of the built-in `freemarker` (Keycloak's ID), which uses the theme and
 * Keyhost's own layout. A realm can enable at most one such provider.
 * @example
 * ```ts
 * import { EmailTemplate, provide } from '@keyhost/spi';
 *
 * const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);
 *
 * export default provide(EmailTemplate, {
 *   id: 'plain',
 *   open: () => ({
 *     create: () => ({
 *       async render({ texts, link }) {
 *         const paragraphs = [...texts.before, ...(link === undefined ? [] : [link.url]), ...texts.after];
 *         const html = paragraphs.map((text) => `<p>${escaped(text)}</p>`).join('');
 *         return { subject: texts.subject, text: paragraphs.join('\n\n'), html };
 *       },
 *     }),
 *   }),
 * });
 * ```
 */
export const EmailTemplate = spi<Readonly<Record<never, never>>, EmailTemplateProvider>({
  id: 'emailTemplate',
  name: 'EmailTemplate',
  // A template gets the links in mails, which sign users in.
  carries: 'mails',
  onePerRealm: true,
  methods: { required: ['render'] },
  answers: (_, answer) => {
    if (answer === undefined) return undefined;
    const form = (answer ?? {}) as Readonly<Record<string, unknown>>;
    const isForm =
      MAIL_MEMBERS.every((part) => typeof form[part] === 'string') &&
      Object.keys(form).every((part) => MAIL_MEMBERS.includes(part));
    return isForm
      ? undefined
      : 'what its SPI does not allow: it must be { subject, text, html } of texts, or undefined';
  },
});
