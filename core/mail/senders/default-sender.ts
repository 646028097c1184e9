import { EmailSender, type OutgoingMail, type ProviderDefinition, provide } from '@keyhost/spi';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { Mailer } from '../mailer.js';

/** The built-in sender, which uses the realm's `smtpServer`. Its errors are `email_send_failed` already. */
export function defaultSender(mailer: Pick<Mailer, 'send'>): ProviderDefinition {
  return provide(EmailSender, {
    id: 'default',
    open: () => ({
      create: (session) => ({
        async send(mail: OutgoingMail) {
          await mailer.send((session as HostSession).compiledRealm, mail);
          return { outcome: 'sent' };
        },
      }),
    }),
  });
}
