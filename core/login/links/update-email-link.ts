import { type ActionToken, ActionTokenHandler, HostError, type ProviderDefinition, provide } from '@keyhost/spi';
import type { HostSession } from '../../registry/sessions/session.js';
import { listedAction } from '../required-actions/required-action-list.js';
import type { ActionTokenServices } from './built-in-action-tokens.js';
import { changeEmail } from './change-email.js';
import { verifyMailedLink } from './link-verifiers.js';

const ACTION = 'UPDATE_EMAIL';

/**
 * Keycloak's UpdateEmailActionTokenHandler: whoever reads the mails of the new address has it become the user's. It works
 * once: the old address is in the token, and links that were mailed before die with it.
 */
export function updateEmailLink({ users, links, ending }: ActionTokenServices): ProviderDefinition {
  return provide(ActionTokenHandler, {
    id: 'update-email',
    describe: {
      displayName: 'New e-mail address',
      helpText: 'Gives a user the address that the link was mailed to.',
    },
    claims: {
      type: 'object',
      properties: {
        // The old address, as in every mailed link.
        eml: { type: 'string' },
        newEmail: { type: 'string', minLength: 1 },
        logoutSessions: { type: 'boolean' },
      },
      required: ['eml', 'newEmail'],
      additionalProperties: false,
    },
    eventType: ACTION,
    defaultError: 'invalid_token',
    defaultMessage: 'staleEmailVerificationLink',
    open: () => ({
      create: (session: HostSession) => {
        const realm = session.compiledRealm;
        const change = async (token: ActionToken, done?: string) => {
          const options = { verified: true, ...(done === undefined ? {} : { done }) };
          const changed = await changeEmail(users, session, token.subject, newEmail(token), options);
          if (changed === 'changed') return;
          throw new HostError('email_in_use', 'Email already exists.', { status: 409, expose: true });
        };
        return {
          confirm: async (token, { authenticationSession }) =>
            !authenticationSession.joined && {
              title: { key: 'updateEmailTitle' },
              text: { key: 'confirmEmailUpdate', params: [newEmail(token)] },
            },
          async verify(token, context) {
            if (listedAction(realm, ACTION) === undefined) {
              return { error: 'not_allowed', message: 'invalidTokenRequiredActions' };
            }
            const refusal = await verifyMailedLink(
              { users, links, session },
              token,
              context,
              'staleEmailVerificationLink',
            );
            if (refusal !== undefined) return refusal;
            const isTaken = await users.isTaken(realm, token.subject, newEmail(token));
            return isTaken ? { error: 'email_in_use', message: 'emailExistsMessage' } : undefined;
          },
          async requiredActions(token, { authenticationSession }) {
            if (!authenticationSession.joined) return undefined;
            // The action itself goes on with the login, and signs out elsewhere.
            await change(token);
            return { requiredActions: [] };
          },
          async handle(token) {
            await change(token, ACTION);
            if (token.claims.logoutSessions === true) await ending.endAll(realm, { userId: token.subject });
            const text = { key: 'emailUpdated', params: [newEmail(token)] };
            return { info: { title: { key: 'emailUpdatedTitle' }, text } };
          },
        };
      },
    }),
  });
}

function newEmail({ claims }: ActionToken): string {
  return claims.newEmail as string;
}
