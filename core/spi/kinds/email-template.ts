import { spi } from '../plugin.js';
import type { UserView } from '../views.js';
import type { MailPage } from './theme.js';

/** A mail that is to be written. Its messages are in it as the host would write them, so that a template needs no texts of its own. */
export interface TemplateMail extends MailPage {
  /** As in `OutgoingMail`. */
  readonly kind: string;
  /** Whose mail it is. Undefined: it goes to an address. */
  readonly user: UserView | undefined;
  /** The messages as texts in the language of the mail: nothing of them is markup. */
  readonly texts: {
    readonly subject: string;
    readonly before: readonly string[];
    /** The label of the link. */
    readonly link: string | undefined;
    readonly after: readonly string[];
  };
}

/** A mail in its form. */
export interface MailForm {
  /** Line ends become spaces. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Keycloak's EmailTemplateProvider. */
export interface EmailTemplateProvider {
  /**
   * Writes a mail; undefined leaves it to the realm's `emailTheme`, else to Keyhost. Escape what you put into `html`. What it throws
   * is told to whoever wanted the mail: it is not sent in another form.
   */
  render(mail: TemplateMail): Promise<MailForm | undefined>;
}

const PARTS = ['subject', 'text', 'html'];

/**
 * Writes the mails of a realm, in place of the built-in `freemarker` (Keycloak's id), which is the theme and Keyhost's own form. A realm
 * has at most one enabled beside it.
 */
export const EmailTemplate = spi<Readonly<Record<never, never>>, EmailTemplateProvider>({
  id: 'emailTemplate',
  name: 'EmailTemplate',
  // It writes the links into the mails.
  carries: 'mails',
  onePerRealm: true,
  methods: { required: ['render'] },
  answers: (_, answer) => {
    if (answer === undefined) return undefined;
    const form = (answer ?? {}) as Readonly<Record<string, unknown>>;
    const isForm =
      PARTS.every((part) => typeof form[part] === 'string') && Object.keys(form).every((part) => PARTS.includes(part));
    return isForm
      ? undefined
      : 'what its SPI does not allow: it must be { subject, text, html } of texts, or undefined';
  },
});
