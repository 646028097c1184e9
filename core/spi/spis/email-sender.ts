import { spi } from '../plugin.js';
import { discriminatedBy, object } from './answer-schemas.js';

/** The sender or recipient of a mail. `name` is a single line, or empty. */
export interface MailParty {
  readonly name: string;
  readonly address: string;
}

/** A mail that is ready to be sent. */
export interface OutgoingMail {
  readonly to: MailParty;
  /** `from` of the realm's `smtpServer`. Undefined if the realm sets none: use the sender's own default. */
  readonly from: MailParty | undefined;
  /** `replyTo` of the realm's `smtpServer`. */
  readonly replyTo: MailParty | undefined;
  /** A single line. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /**
   * The `Message-ID` with its angle brackets. It is the same in every attempt, so a mail service can recognise a
   * repetition.
   */
  readonly messageId: string;
  /**
   * The type of the mail: the action token's type, such as `reset-credentials`; `test` for a test mail; `event` for a
   * mail of the listener `email`; the plugin's name for a plugin's mail.
   */
  readonly kind: string;
  /** The number of the attempt, from 1. Only mails of plugins are retried. */
  readonly attempt: number;
}

/** The result of sending a mail. */
export type SendingOutcome =
  /** The mail was accepted. `id` is the service's ID of the mail, for the log. */
  | { readonly outcome: 'sent'; readonly id?: string }
  /**
   * The service refuses this mail. `reason` must not contain secrets, as it is logged and shown to admins of the realm.
   * With `final` the mail is not retried. Default: false.
   */
  | { readonly outcome: 'refused'; readonly reason: string; readonly final?: boolean };

/** Keycloak's EmailSenderProvider. */
export interface EmailSenderProvider {
  /**
   * Sends a mail within 30 seconds. An error means that no mail can be sent at present: mails of plugins are retried.
   * All others fail at once, as with an unreachable mail server.
   */
  send(mail: OutgoingMail): Promise<SendingOutcome>;
}

/**
 * Sends the mails of a realm in place of the built-in `default`, which uses the realm's `smtpServer`. A realm can
 * enable at most one provider in addition to `default`.
 * @example
 * ```ts
 * import { EmailSender, provide } from '@keyhost/spi';
 *
 * export default provide(EmailSender, {
 *   id: 'log-only',
 *   open: () => ({
 *     create: ({ logger }) => ({
 *       async send({ to, subject, messageId }) {
 *         logger.info('a mail', { to: to.address, subject });
 *         return { outcome: 'sent', id: messageId };
 *       },
 *     }),
 *   }),
 * });
 * ```
 */
export const EmailSender = spi<Readonly<Record<never, never>>, EmailSenderProvider>({
  id: 'emailSender',
  name: 'EmailSender',
  carries: 'mails',
  onePerRealm: true,
  methods: { required: ['send'] },
  answers: {
    send: discriminatedBy('outcome', {
      sent: object({ outcome: { type: 'string' } }, { id: { type: 'string' } }),
      refused: object({ outcome: { type: 'string' }, reason: { type: 'string' } }, { final: { type: 'boolean' } }),
    }),
  },
});
