import { type AuthenticationStep, Authenticator, type Message, type ProviderDefinition, provide } from '@keyhost/spi';
import { defined } from '../../../model/defined.js';
import type { Realm } from '../../../model/realm.js';
import type { HostSession } from '../../../registry/sessions/host-session.js';
import type { Users } from '../../../users/users.js';
import { hasFollowedLink } from './followed-link.js';

const TOO_LONG = 255;

/** Keycloak's ResetCredentialChooseUser. Its answer is the same for every username. */
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
          return hasFollowedLink(session, context) ? { outcome: 'success' } : ask(session.compiledRealm);
        },
        async action(context, form): Promise<AuthenticationStep> {
          if (hasFollowedLink(session, context)) return { outcome: 'success' };
          const realm = session.compiledRealm;
          const typed = (form.username ?? '').trim();
          if (typed === '' || typed.length > TOO_LONG) {
            return { ...ask(realm, { key: 'missingUsernameMessage' }), error: 'username_missing' };
          }
          const user = await users.byLogin(realm, typed);
          const userId = user?.enabled && !user.isServiceAccount ? user.id : undefined;
          return { outcome: 'success', typedUsername: typed, ...defined({ userId }) };
        },
      }),
    }),
  });
}

function ask(
  { loginWithEmailAllowed: byEmail }: Realm,
  error?: Message,
): Extract<AuthenticationStep, { outcome: 'challenge' }> {
  return {
    outcome: 'challenge',
    page: {
      page: 'form',
      title: { key: 'emailForgotTitle' },
      text: { key: byEmail ? 'emailInstruction' : 'emailInstructionUsername' },
      fields: [
        {
          name: 'username',
          type: 'text',
          autocomplete: 'username',
          required: true,
          label: { key: byEmail ? 'usernameOrEmail' : 'username' },
          ...defined({ error }),
        },
      ],
      submit: { key: 'doSubmit' },
      cancel: { key: 'backToLogin' },
    },
  };
}
