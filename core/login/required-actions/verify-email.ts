import {
  type Message,
  type ProviderDefinition,
  provide,
  RequiredAction,
  type RequiredActionContext,
  type RequiredActionStep,
} from '@keyhost/spi';
import { type LinkMails, unsentMessage } from '../../action-tokens/link-mails.js';
import { defined } from '../../model/defined.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { Users } from '../../users/users.js';
import { VERIFY_EMAIL_MAIL } from '../links/verify-email-link.js';

/** Note: the email that this login has mailed a link to. */
const MAILED = 'VERIFY_EMAIL_KEY';

/** Keycloak's VERIFY_EMAIL: mails a link, and completes once it is followed. Required by the realm's `verifyEmail`. */
export function verifyEmail({ users, mails }: { users: Users; mails: LinkMails }): ProviderDefinition {
  return provide(RequiredAction, {
    id: 'VERIFY_EMAIL',
    displayText: 'Verify Email',
    eventType: 'VERIFY_EMAIL',
    initiable: true,
    open: () => ({
      create: (session: HostSession) => {
        const mail = async (context: RequiredActionContext): Promise<RequiredActionStep> => {
          const { client, login, locale } = context;
          const user = await users.byId(session.compiledRealm, context.user.id);
          if (user === undefined) return { outcome: 'ignored' };
          try {
            await mails.send(session, user, {
              kind: VERIFY_EMAIL_MAIL,
              requestSource: 'user',
              clientId: client.clientId,
              login,
              locale,
            });
          } catch (error) {
            return ask(context, unsentMessage(error));
          }
          return { ...ask(context), notes: { [MAILED]: context.user.email ?? '' } };
        };
        return {
          triggered: async ({ email, emailVerified }) =>
            session.compiledRealm.settings.verifyEmail && email !== undefined && !emailVerified,
          async challenge(context) {
            const { email, emailVerified } = context.user;
            if (emailVerified) return { outcome: 'success' };
            if (email === undefined || email === '') return { outcome: 'ignored' };
            return context.notes[MAILED] === email ? ask(context) : mail(context);
          },
          action: async (context) => (context.user.emailVerified ? { outcome: 'success' } : mail(context)),
        };
      },
    }),
  });
}

function ask(
  { user, initiated }: RequiredActionContext,
  message?: Message,
): Extract<RequiredActionStep, { outcome: 'challenge' }> {
  return {
    outcome: 'challenge',
    page: {
      page: 'form',
      title: { key: 'emailVerifyTitle' },
      text: { key: 'emailVerifyInstruction', params: [user.email ?? ''] },
      fields: [],
      submit: { key: 'emailVerifyResend' },
      ...(initiated ? { cancel: { key: 'doCancel' } } : {}),
    },
    ...defined({ message }),
  };
}
