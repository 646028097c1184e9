import { defined } from '../../model/defined.js';
import { isEmailAddress } from '../../model/email-address.js';
import type { Realm } from '../../model/realm.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { codeOf } from '../../model/thrown.js';
import type { Caller } from '../../registry/sessions/caller.js';
import { AdminError, badRequest } from '../admin.js';
import { mailFailureReason } from '../mail-failure.js';
import type { AdminOperation } from '../operation.js';
import { restoreSmtpPassword } from './change-settings.js';

export interface MailServerParts {
  readonly testMails: {
    /**
     * Sends a test email as the realm would with this server. The duration is limited.
     * @throws HostError `email_send_failed`. Its `cause` has the reason, and `brief` of the cause contains no text of
     * the server
     */
    send(
      realm: Realm,
      realmWithServer: RealmRepresentation,
      to: { readonly name: string; readonly address: string },
      caller: Caller,
    ): Promise<void>;
  };
}

/** The operation `/testSMTPConnection`, which tests a mail server before it is saved. */
export function mailServerOperation({ testMails }: MailServerParts): AdminOperation {
  return {
    method: 'POST',
    path: '/testSMTPConnection',
    tag: 'Realms Admin',
    summary: "Send a test email; a masked password is the realm's own, for the same server",
    roles: ['manage-realm'],
    notForPlugins: true,
    query: {
      to: { type: 'string', description: 'The address to send to. Default, as in Keycloak: that of the caller.' },
    },
    body: { type: 'object', additionalProperties: { type: 'string', maxLength: 4000 } },
    answers: { status: 204 },
    async handle({ admin, realm, body, query, caller }) {
      // It connects to any address with the realm's password, so it requires the right to change the mail server.
      admin.requireRealmAdmin(realm.name);
      const before = realm.representation.smtpServer as Readonly<Record<string, unknown>> | undefined;
      const smtpServer = restoreSmtpPassword(body as object, before);
      const { username, view } = admin.tokenAdmin.user;
      const otherAddress = query.string('to');
      if (otherAddress !== undefined && !isEmailAddress(otherAddress)) throw badRequest('to is not an email address');
      const address = otherAddress ?? view.email;
      if (!address) throw mailNotSentError('your user has no email address');
      const to = { name: otherAddress === undefined ? username : '', address };
      try {
        await testMails.send(realm, { ...realm.representation, smtpServer }, to, caller);
      } catch (error) {
        if (codeOf(error) !== 'email_send_failed') throw error;
        throw mailNotSentError(mailFailureReason(admin, error));
      }
      return undefined;
    },
  };
}

function mailNotSentError(reason: string | undefined): AdminError {
  return new AdminError(500, { errorMessage: 'Failed to send email', ...defined({ error_description: reason }) });
}
