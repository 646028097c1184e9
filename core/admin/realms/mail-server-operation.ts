import type { RealmRepresentation } from '../../model/representation.js';
import { codeOf } from '../../model/thrown.js';
import type { User } from '../../model/user.js';
import { AdminError } from '../admin.js';
import type { AdminOperation } from '../operation.js';
import { withKeptSecrets } from './change-settings.js';

export interface MailServerParts {
  readonly testMails: {
    /**
     * Sends the admin a mail by this server, in bounded time.
     * @throws HostError `email_send_failed`
     */
    send(realm: RealmRepresentation, user: User): Promise<void>;
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
    async handle({ admin, realm, body }) {
      // It connects to where it is told, with the realm's password: for who may set the mail server.
      admin.requireEverything(realm.name);
      const before = realm.representation.smtpServer as Readonly<Record<string, unknown>> | undefined;
      const smtpServer = withKeptSecrets(body as object, before);
      try {
        await testMails.send({ ...realm.representation, smtpServer }, admin.person.user);
      } catch (error) {
        if (codeOf(error) !== 'email_send_failed') throw error;
        throw new AdminError(500, { errorMessage: 'Failed to send email' });
      }
      return undefined;
    },
  };
}
