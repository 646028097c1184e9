import { type AuthenticationStep, Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { mayRevealDisabled, type PasswordLogin, type PasswordLogins } from '../../users/passwords/password-logins.js';
import type { Users } from '../../users/users.js';

/**
 * The steps of Keycloak's direct grant flow. For an unknown user they take the same time and give the same answer as
 * for a wrong password. In a browser flow they find no user, because no parameters are sent.
 */
export function directGrantAuthenticators({
  passwordLogins,
  users,
}: {
  passwordLogins: PasswordLogins;
  users: Users;
}): ProviderDefinition[] {
  return [
    provide(Authenticator, {
      id: 'direct-grant-validate-username',
      describe: {
        displayName: 'Username Validation',
        helpText: 'Validates the username supplied as a username form parameter.',
        requirements: ['REQUIRED'],
      },
      open: () => ({
        create: (session: HostSession) => ({
          authenticate: async ({ form: { username, password = '' } = {} }) =>
            username === undefined
              ? NOBODY
              : stepOf(await passwordLogins.find(session.compiledRealm, username, password)),
        }),
      }),
    }),
    provide(Authenticator, {
      id: 'direct-grant-validate-password',
      describe: {
        displayName: 'Password',
        helpText: 'Validates the password supplied as a password form parameter.',
        proves: true,
      },
      open: () => ({
        create: (session: HostSession) => ({
          authenticate: async ({ user: known, form }) => {
            const { compiledRealm: realm, caller } = session;
            const user = known === undefined ? undefined : await users.byId(realm, known.id);
            if (user === undefined) return NOBODY;
            const step = stepOf(await passwordLogins.verify(realm, user, form?.password ?? '', caller.ip));
            return step.outcome === 'success' ? { ...step, credentialType: 'password' } : step;
          },
        }),
      }),
    }),
  ];
}

function stepOf(login: PasswordLogin): AuthenticationStep {
  if (!('refused' in login)) return { outcome: 'success', userId: login.user.id };
  const key = mayRevealDisabled(login) ? 'Account disabled' : 'Invalid user credentials';
  return { outcome: 'failure', error: login.refused, message: { key } };
}

const NOBODY = stepOf({ refused: 'user_not_found' });
