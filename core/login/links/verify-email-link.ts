import { ActionTokenHandler, type ProviderDefinition, provide } from '@keyhost/spi';
import type { LinkMailType } from '../../action-tokens/link-mails.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { ActionTokenServices } from './built-in-action-tokens.js';
import { markEmailVerified, verifyMailedLink } from './verify-mailed-link.js';

/** The mail with the link. */
export const VERIFY_EMAIL_MAIL: LinkMailType = {
  type: 'verify-email',
  event: 'SEND_VERIFY_EMAIL',
  messagePrefix: 'emailVerification',
};

/**
 * Keycloak's VerifyEmailActionTokenHandler. If the link is opened again, its page shows that the email is already
 * verified.
 */
export function verifyEmailLink({ users, links }: ActionTokenServices): ProviderDefinition {
  return provide(ActionTokenHandler, {
    id: VERIFY_EMAIL_MAIL.type,
    describe: {
      displayName: 'E-mail verification',
      helpText: 'Verifies the email address that received the link.',
    },
    claims: { type: 'object', properties: { eml: { type: 'string' } }, required: ['eml'], additionalProperties: false },
    eventType: 'VERIFY_EMAIL',
    defaultError: 'invalid_token',
    defaultMessage: 'staleEmailVerificationLink',
    open: () => ({
      create: (session: HostSession) => {
        return {
          confirm: async (_, { user, authenticationSession }) =>
            !authenticationSession.joined &&
            !user.emailVerified && {
              title: { key: 'emailVerifyTitle' },
              text: { key: 'confirmEmailAddressVerification', params: [user.email ?? ''] },
            },
          verify: (token, context) =>
            verifyMailedLink({ users, links, session }, token, context, 'staleEmailVerificationLink'),
          async requiredActions(_, { user, authenticationSession }) {
            if (!authenticationSession.joined) return undefined;
            await markEmailVerified(users, session, user.id);
            return { requiredActions: [] };
          },
          async handle(_, { user }) {
            const text = user.emailVerified ? 'emailVerifiedAlreadyMessage' : 'emailVerifiedMessage';
            await markEmailVerified(users, session, user.id);
            return { info: { title: { key: 'emailVerifyTitle' }, text: { key: text } } };
          },
        };
      },
    }),
  });
}
