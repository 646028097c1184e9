import { type AuthenticationStep, Authenticator, type Message, type ProviderDefinition, provide } from '@keyhost/spi';
import { defined } from '../../../model/defined.js';
import type { Realm } from '../../../model/realm.js';
import type { HostSession } from '../../../registry/sessions/host-session.js';
import type { Users } from '../../../users/users.js';
import { hasFollowedLink } from './followed-link.js';

const MAX_LENGTH = 255;

/** Keycloak's ResetCredentialChooseUser: asks for the username. The answer is the same for every username. */
export function chooseUser({ users }: { users: Users }): ProviderDefinition {
  return provide(Authenticator, {
    id: 'reset-credentials-choose-user',
    describe: {
      displayName: 'Choose User',
      helpText: 'Choose a user to reset credentials for',
      requirements: ['REQUIRED'],
    },
    open: () => ({
      create: (session: HostSession) => ({
        async authenticate(context): Promise<AuthenticationStep> {
          return hasFollowedLink(session, context) ? { outcome: 'success' } : usernamePage(session.compiledRealm);
        },
        async action(context, form): Promise<AuthenticationStep> {
          if (hasFollowedLink(session, context)) return { outcome: 'success' };
          const realm = session.compiledRealm;
          const input = (form.username ?? '').trim();
          if (input === '' || input.length > MAX_LENGTH) {
            return { ...usernamePage(realm, { key: 'missingUsernameMessage' }), error: 'username_missing' };
          }
          const user = await users.byLogin(realm, input);
          const userId = user?.enabled && !user.isServiceAccount ? user.id : undefined;
          return { outcome: 'success', typedUsername: input, ...defined({ userId }) };
        },
      }),
    }),
  });
}

function usernamePage(
  { loginWithEmailAllowed: allowsEmail }: Realm,
  error?: Message,
): Extract<AuthenticationStep, { outcome: 'challenge' }> {
  return {
    outcome: 'challenge',
    page: {
      page: 'form',
      title: { key: 'emailForgotTitle' },
      text: { key: allowsEmail ? 'emailInstruction' : 'emailInstructionUsername' },
      fields: [
        {
          name: 'username',
          type: 'text',
          autocomplete: 'username',
          required: true,
          label: { key: allowsEmail ? 'usernameOrEmail' : 'username' },
          ...defined({ error }),
        },
      ],
      submit: { key: 'doSubmit' },
      cancel: { key: 'backToLogin' },
    },
  };
}
