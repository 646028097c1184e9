import { HostError } from '@keyhost/spi';

/** The error code if a mail was not sent. */
export const EMAIL_SEND_FAILED = 'email_send_failed';

/**
 * The reason why a mail was not sent. Its scope is `mail` if the mail server does not accept this mail now, `final` if
 * it will never accept it, and `server` if no mail can be sent at present.
 */
export class MailFailure extends Error {
  override readonly name = 'MailFailure';
  readonly scope: 'mail' | 'final' | 'server';
  /** The reason without text from the server. Callers who can name any server must not read its responses. */
  readonly brief: string;

  /** @param reason without secrets */
  constructor(reason: string, scope: MailFailure['scope'] = 'server', brief = reason) {
    super(reason);
    this.scope = scope;
    this.brief = brief;
  }
}

/**
 * Creates the error of a mail that was not sent.
 * @returns HostError `email_send_failed` (500) with a `MailFailure` as its `cause`
 */
export function mailError(reason: string, scope?: MailFailure['scope'], brief?: string): HostError {
  return new HostError(EMAIL_SEND_FAILED, 'Failed to send email', {
    status: 500,
    cause: new MailFailure(reason, scope, brief),
  });
}
