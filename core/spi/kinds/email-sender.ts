import { spi } from '../plugin.js';
import { chosenBy, object } from './answer-schemas.js';

/** Who a mail is from or to. Names are single lines; an empty one is none. */
export interface MailParty {
  readonly name: string;
  readonly address: string;
}

/** A mail that is ready to be sent. */
export interface OutgoingMail {
  readonly to: MailParty;
  /** `from` of the realm's `smtpServer`. Undefined: the realm names none, and the sender has its own. */
  readonly from: MailParty | undefined;
  /** `replyTo` of the realm's `smtpServer`. */
  readonly replyTo: MailParty | undefined;
  /** A single line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The `Message-ID` with its angle brackets. The same in every attempt: a service that has taken a mail by it can tell a second one. */
  readonly messageId: string;
  /**
   * The type of the action token that the mail carries, such as `reset-credentials`; `test` of a test mail; `event` of a
   * mail of the listener `email`; of a plugin's mail the plugin's name.
   */
  readonly kind: string;
  /** From 1. Only mails of plugins are tried again. */
  readonly attempt: number;
}

export type SendingOutcome =
  /** The mail is taken. `id` is what the service calls it, for the log. */
  | { readonly outcome: 'sent'; readonly id?: string }
  /**
   * The service does not take this mail. `reason` has no secrets: the log and admins of the realm read it. `final`: it never will,
   * and the mail is not tried again. Default: false.
   */
  | { readonly outcome: 'refused'; readonly reason: string; readonly final?: boolean };

/** Keycloak's EmailSenderProvider. */
export interface EmailSenderProvider {
  /**
   * Sends a mail. It has 30 seconds. What it throws says that no mail gets through at present: mails of plugins wait and are tried
   * again, all others fail at once, as with a mail server that is away.
   */
  send(mail: OutgoingMail): Promise<SendingOutcome>;
}

/**
 * Sends the mails of a realm in place of the built-in `default`, which speaks to the realm's `smtpServer`. A realm has at most one
 * on beside it.
 */
export const EmailSender = spi<Readonly<Record<never, never>>, EmailSenderProvider>({
  id: 'emailSender',
  name: 'EmailSender',
  carries: 'mails',
  onePerRealm: true,
  methods: { required: ['send'] },
  answers: {
    send: chosenBy('outcome', {
      sent: object({ outcome: { type: 'string' } }, { id: { type: 'string' } }),
      refused: object({ outcome: { type: 'string' }, reason: { type: 'string' } }, { final: { type: 'boolean' } }),
    }),
  },
});
