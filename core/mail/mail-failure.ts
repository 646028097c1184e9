import { HostError } from '@keyhost/spi';

/** The code of errors of mails that were not sent. */
export const FAILED = 'email_send_failed';

/**
 * Why a mail was not sent. `mail`: its server does not want this one now; `final`: nor ever; `server`: no mail gets through at
 * present.
 */
export class MailFailure extends Error {
  override readonly name = 'MailFailure';
  readonly of: 'mail' | 'final' | 'server';
  /** The reason without a word of the server's: for those who may name any server, and are not to read what is there. */
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
