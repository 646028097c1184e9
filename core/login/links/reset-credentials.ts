import { ActionTokenHandler, type ProviderDefinition, provide } from '@keyhost/spi';
import type { LinkMailType } from '../../action-tokens/link-mails.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { RESET_CREDENTIALS } from './browser-link-logins.js';
import type { ActionTokenServices } from './built-in-action-tokens.js';
import { markEmailVerified, verifyMailedLink } from './verify-mailed-link.js';

/** The mail with the link. */
export const RESET_CREDENTIALS_MAIL: LinkMailType = {
  type: RESET_CREDENTIALS,
  event: 'SEND_RESET_PASSWORD',
  messagePrefix: 'passwordReset',
};

/**
 * Keycloak's ResetCredentialsActionTokenHandler: the user proves access to the mailbox, resets credentials, and then
 * continues the login in which the link was requested.
 */
export function resetCredentials({ users, links }: ActionTokenServices): ProviderDefinition {
  return provide(ActionTokenHandler, {
    id: RESET_CREDENTIALS_MAIL.type,
    describe: {
      displayName: 'Forgotten password',
      helpText: 'Lets a user who forgot the password set a new one.',
    },
    claims: { type: 'object', properties: { eml: { type: 'string' } }, required: ['eml'], additionalProperties: false },
    eventType: 'RESET_PASSWORD',
    defaultError: 'not_allowed',
    defaultMessage: 'resetCredentialNotAllowedMessage',
    open: () => ({
      create: (session: HostSession) => {
        return {
          reusable: async () => false,
          confirm: async (_, { user, authenticationSession }) =>
            !authenticationSession.joined && {
              title: { key: 'updatePasswordTitle' },
              text: { key: 'confirmResetText', params: [user.email ?? ''] },
            },
          async verify(token, context) {
            if (!session.compiledRealm.settings.resetPasswordAllowed) {
              return { error: 'not_allowed', message: 'resetCredentialNotAllowedMessage' };
            }
            return verifyMailedLink({ users, links, session }, token, context, 'invalidEmailMessage');
          },
          async requiredActions(_, { user }) {
            await markEmailVerified(users, session, user.id);
            // The realm's flow decides which credentials are reset.
            return { requiredActions: [], provesUser: true };
          },
        };
      },
    }),
  });
}
