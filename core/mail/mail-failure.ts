import { HostError } from '@keyhost/spi';

/** The error code of mails that were not sent. */
export const FAILED = 'email_send_failed';

/**
 * Why a mail was not sent. `mail`: the mail server does not accept this mail now; `final`: it never will; `server`: no
 * mail can be sent at present.
 */
export class MailFailure extends Error {
  override readonly name = 'MailFailure';
  readonly of: 'mail' | 'final' | 'server';
  /** The reason without text from the server, for callers who can name any server and must not read its responses. */
  readonly brief: string;

  /** @param reason without secrets */
  constructor(reason: string, of: MailFailure['of'] = 'server', brief = reason) {
    super(reason);
    this.of = of;
    this.brief = brief;
  }
}

/** @returns HostError `email_send_failed` (500) with a `MailFailure` as its `cause` */
export function failed(reason: string, of?: MailFailure['of'], brief?: string): HostError {
  return new HostError(FAILED, 'Failed to send email', { status: 500, cause: new MailFailure(reason, of, brief) });
}
