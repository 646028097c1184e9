import { defined } from '../../model/defined.js';
import { isEmailAddress } from '../../model/email-address.js';
import type { Realm } from '../../model/realm.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { codeOf, memberOf, messageOf } from '../../model/thrown.js';
import type { Caller } from '../../registry/sessions/caller.js';
import { AdminError, badRequest } from '../admin.js';
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
      const address = query.string('to') ?? view.email;
      if (!address) throw mailNotSentError('your user has no email address');
      if (!isEmailAddress(address)) throw badRequest('to is not an email address');
      try {
        await testMails.send(realm, { ...realm.representation, smtpServer }, { name: username, address }, caller);
      } catch (error) {
        if (codeOf(error) !== 'email_send_failed') throw error;
        // The admin chooses the address. So the server's text could reveal a server that only this host can reach.
        const cause = memberOf(error, 'cause');
        const reason = admin.isSuperAdmin ? messageOf(cause) : memberOf(cause, 'brief');
        throw mailNotSentError(reason as string | undefined);
      }
      return undefined;
    },
  };
}

function mailNotSentError(reason: string | undefined): AdminError {
  return new AdminError(500, { errorMessage: 'Failed to send email', ...defined({ error_description: reason }) });
}
