import type { Message } from './spis/theme.js';

/** The recipient of a plugin's mail. */
export type MailRecipient =
  /** A user of the realm, at the user's address and in the user's language. Needs `send-mail`. */
  | { readonly userId: string }
  /**
   * A name that someone typed in a login, and the user with this name. Without `userId` no user has the name, and no
   * mail is sent. Use this in a step before the login has verified the user: the result and the limits do not reveal
   * whether the name exists. Needs `send-mail`.
   */
  | { readonly typedName: string; readonly userId?: string }
  /**
   * Any address. Needs `mail-any-address`. The `locale` is the language of the mail, a BCP 47 tag; default: the
   * realm's.
   */
  | { readonly address: string; readonly name?: string; readonly locale?: string };

/**
 * The plugin's own layout of a mail, in place of the theme's. `{{name}}` in it is replaced by a text of `values`, or of
 * the mail: `{{subject}}`, and `{{realm}}`, the name of the realm. In `html` these texts are escaped.
 */
export interface MailTemplate {
  readonly text: string;
  readonly html: string;
  /** Texts for the placeholders, by name. */
  readonly values?: Readonly<Record<string, Message>>;
}

/**
 * A mail that a plugin sends. Its texts are messages: keys of the realm's and the theme's texts, or the plugin's own
 * `texts`.
 */
export interface PluginMail {
  readonly to: MailRecipient;
  readonly subject: Message;
  /** Paragraphs before the link, at most 50. The realm's `emailTheme` renders them. */
  readonly before?: readonly Message[];
  /** The button or link between the paragraphs. */
  readonly link?: { readonly label: Message; readonly url: string };
  /** Paragraphs after the link, at most 50. */
  readonly after?: readonly Message[];
  /** Replaces `before`, `link` and `after`. */
  readonly template?: MailTemplate;
  /** Seconds from now, 1 to 604,800 (7 days), after which the mail is no longer sent. Default: 86,400 (a day) */
  readonly expiresIn?: number;
  /**
   * A key for deduplication, at most 200 characters, such as `reminder 2026-11 ` and a user's ID. Within 24 hours, the
   * plugin's second mail with the same key in the realm is not sent, so that repeated work sends nothing twice.
   */
  readonly key?: string;
  /**
   * Keycloak's event for the mail: recorded when it is queued, and as its `_ERROR` counterpart if it cannot be sent.
   */
  readonly event?: 'EXECUTE_ACTIONS' | 'SEND_IDENTITY_PROVIDER_LINK' | 'SEND_RESET_PASSWORD' | 'SEND_VERIFY_EMAIL';
}

/** The result of sending a mail. It is a type, not an interface, so that it is assignable to JSON. */
export type QueuedMail = {
  /** The ID of the mail in the log. */
  readonly id: string;
  /** Set if this mail is not sent, because the mail with that ID had the same `key`. */
  readonly repeated?: true;
};

/** Sends mails by the `smtpServer` or the email sender of the session's realm. */
export interface PluginMails {
  /**
   * Queues a mail, encrypted. When the promise resolves, the mail is durable: it is sent even if the host is killed. It
   * is retried with growing pauses (5 seconds to 5 minutes) until it expires, and in rare cases sent twice. The queue
   * is fair between realms and plugins.
   * @throws HostError `plugin_not_granted` (500), `invalid_argument` (500)
   * @throws HostError `mail_server_missing` (500) in a realm whose `smtpServer` cannot send
   * @throws HostError `mail_no_address` (500) for a user who does not exist or has no address
   * @throws HostError `mail_too_many` (429) after 30 mails of the plugin to this recipient within an hour; in a login
   * that has not verified the user, after 10 for this name from the same network
   * @throws HostError `mail_queue_full` (503) if 20,000 mails are waiting
   */
  send(mail: PluginMail): Promise<QueuedMail>;
}
