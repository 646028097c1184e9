import type { Message } from './kinds/theme.js';

/** Who gets a mail of a plugin. */
export type MailRecipient =
  /** A user of the realm, at the user's address and in the user's language. Needs `send-mail`. */
  | { readonly userId: string }
  /**
   * A name that someone typed in a login, and the user who has it; without `userId` no user has it, and no mail is sent. Use it in a
   * step before the login has verified the user: the answer and the limits are the same whether or not the name exists. Needs
   * `send-mail`.
   */
  | { readonly typedName: string; readonly userId?: string }
  /**
   * Any address. Needs `mail-any-address`.
   * `locale` is the language of the mail, a BCP 47 tag; default: the realm's.
   */
  | { readonly address: string; readonly name?: string; readonly locale?: string };

/**
 * The plugin's own form of a mail, in place of the theme's. `{{name}}` in it is a text of `values`, or of the mail: `{{subject}}`,
 * and `{{realm}}`, the name of the realm. In `html` these texts are escaped; they hold no markup.
 */
export interface MailTemplate {
  readonly text: string;
  readonly html: string;
  readonly values?: Readonly<Record<string, Message>>;
}

/** A mail that a plugin sends. Its words are messages: keys of the realm's and the theme's texts, or the plugin's own `texts`. */
export interface PluginMail {
  readonly to: MailRecipient;
  readonly subject: Message;
  /** Paragraphs in front of the link, at most 50. The realm's `emailTheme` gives them their form. */
  readonly before?: readonly Message[];
  readonly link?: { readonly label: Message; readonly url: string };
  /** Paragraphs behind the link, at most 50. */
  readonly after?: readonly Message[];
  /** In place of `before`, `link` and `after`. */
  readonly template?: MailTemplate;
  /** Seconds from now, 1 to 604,800 (7 days): a mail that was not sent by then is not sent. Default: 86,400 (a day) */
  readonly expiresIn?: number;
  /**
   * At most 200 characters, such as `reminder 2026-11 ` and a user's id. A second mail of the plugin with the same key, in the
   * realm and within 24 hours, is not sent: work that is done again after a failure sends nothing twice.
   */
  readonly key?: string;
  /** Keycloak's event that tells of the mail: recorded when it is queued, and as its `_ERROR` twin if it cannot be sent. */
  readonly event?: 'EXECUTE_ACTIONS' | 'SEND_IDENTITY_PROVIDER_LINK' | 'SEND_RESET_PASSWORD' | 'SEND_VERIFY_EMAIL';
}

/** What became of a mail. A type, so that it is JSON, too. */
export type QueuedMail = {
  /** The id that the log names the mail by. */
  readonly id: string;
  /** This one is not sent, since the mail of that id had its `key`. */
  readonly repeated?: true;
};

/** Mails by the `smtpServer` of the session's realm. */
export interface PluginMails {
  /**
   * Queues a mail, encrypted. Resolved means durable: it is sent even if the host is killed, tried again with growing pauses (5
   * seconds to 5 minutes) until it expires, and in very rare cases twice. Realms and plugins take turns.
   * @throws HostError `plugin_not_granted` (500), `mail_server_missing` (500) in a realm whose `smtpServer` cannot send,
   *   `mail_no_address` (500) for a user who is not there or has no address, `mail_too_many` (429) after 30 mails of the plugin to
   *   this recipient within an hour, or in a login that has not verified the user after 10 for this name from the same network, `mail_queue_full` (503) with 20,000 waiting, `invalid_argument` (500)
   */
  send(mail: PluginMail): Promise<QueuedMail>;
}
