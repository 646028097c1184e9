import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { codeOf, memberOf, messageOf } from '../../model/thrown.js';
import type { User } from '../../model/user.js';
import type { Caller } from '../../registry/sessions/session.js';
import { AdminError } from '../admin.js';
import type { AdminOperation } from '../operation.js';
import { withKeptSecrets } from './change-settings.js';

export interface MailServerParts {
  readonly testMails: {
    /**
     * Sends the admin a mail as the realm would with this server, in bounded time.
     * @throws HostError `email_send_failed`, its `cause` says why, and its `brief` without a word of the server's
     */
    send(realm: Realm, tried: RealmRepresentation, user: User, caller: Caller): Promise<void>;
  };
}

/** `/testSMTPConnection`: whether mails can be sent by a mail server, before it is kept. */
export function mailServerOperation({ testMails }: MailServerParts): AdminOperation {
  return {
    method: 'POST',
    path: '/testSMTPConnection',
    tag: 'Realms Admin',
    summary: "Send the caller a test email; a masked password is the realm's own, for the same server",
    roles: ['manage-realm'],
    forPeople: true,
    body: { type: 'object', additionalProperties: { type: 'string', maxLength: 4000 } },
    answers: { status: 204 },
    async handle({ admin, realm, body, caller }) {
      // It connects to where it is told, with the realm's password: for who may set the mail server.
      admin.requireEverything(realm.name);
      const before = realm.representation.smtpServer as Readonly<Record<string, unknown>> | undefined;
      const smtpServer = withKeptSecrets(body as object, before);
      if (!admin.person.user.view.email) throw notSent('your user has no email address');
      try {
        await testMails.send(realm, { ...realm.representation, smtpServer }, admin.person.user, caller);
      } catch (error) {
        if (codeOf(error) !== 'email_send_failed') throw error;
        // The words of a server that a realm's admin names could be those of one that only this host reaches.
        const cause = memberOf(error, 'cause');
        const told = admin.isSuperAdmin ? messageOf(cause) : memberOf(cause, 'brief');
        throw notSent(told as string | undefined);
      }
      return undefined;
    },
  };
}

function notSent(why: string | undefined): AdminError {
  return new AdminError(500, { errorMessage: 'Failed to send email', ...defined({ error_description: why }) });
}
