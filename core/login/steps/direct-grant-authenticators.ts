import { type AuthenticationStep, Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';
import type { HostSession } from '../../registry/sessions/host-session.js';
import {
  mayRevealDisabled,
  type PasswordLoginResult,
  type PasswordLogins,
} from '../../users/passwords/password-logins.js';
import type { Users } from '../../users/users.js';

/**
 * The authenticators of Keycloak's direct grant flow. An unknown user takes the same time and gets the same answer as a
 * wrong password. In a browser flow they fail, because there are no request parameters.
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
              ? NO_USER
              : toStep(await passwordLogins.find(session.compiledRealm, username, password)),
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
          authenticate: async ({ user: currentUser, form }) => {
            const { compiledRealm: realm, caller } = session;
            const user = currentUser === undefined ? undefined : await users.byId(realm, currentUser.id);
            if (user === undefined) return NO_USER;
            const step = toStep(await passwordLogins.verify(realm, user, form?.password ?? '', caller.ip));
            return step.outcome === 'success' ? { ...step, credentialType: 'password' } : step;
          },
        }),
      }),
    }),
  ];
}

function toStep(login: PasswordLoginResult): AuthenticationStep {
  if (!('refused' in login)) return { outcome: 'success', userId: login.user.id };
  const key = mayRevealDisabled(login) ? 'Account disabled' : 'Invalid user credentials';
  return { outcome: 'failure', error: login.refused, message: { key } };
}

const NO_USER = toStep({ refused: 'user_not_found' });
