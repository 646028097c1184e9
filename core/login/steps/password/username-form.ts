import {
  type AuthenticationContext,
  type AuthenticationStep,
  Authenticator,
  type ProviderDefinition,
  provide,
} from '@keyhost/spi';
import { passkeysEnabled } from '../../../model/webauthn-policy.js';
import type { HostSession } from '../../../registry/sessions/host-session.js';
import { LoginForm, type LoginFormServices } from './login-form.js';

/**
 * Keycloak's UsernameForm: asks for the username, whose owner the following steps must prove. As in Keycloak, it
 * reveals that a username does not exist. It does not reveal that an account is disabled or locked: that requires the
 * correct password.
 */
export function usernameForm(services: LoginFormServices): ProviderDefinition {
  return provide(Authenticator, {
    id: 'auth-username-form',
    describe: {
      displayName: 'Username Form',
      helpText: 'Selects a user from his username.',
      // It proves the user only if a passkey is used instead of a username.
      proves: true,
      requirements: ['REQUIRED'],
      label: { key: 'auth-username-form-display-name' },
    },
    open: () => ({
      create: (session: HostSession) => {
        const page = new LoginForm(session, services, 'username');
        return {
          async authenticate(context): Promise<AuthenticationStep> {
            const { user } = context;
            // For a user who signs in again, the page is only needed to ask for a passkey.
            if (user !== undefined && !(await hasPasskey(page, user.id))) return selectUser(user.id);
            return page.challenge(context, page.initialInput(context));
          },
          action: async (context, form) => handleForm(services, page, context, form),
        };
      },
    }),
  });
}

async function handleForm(
  { users }: LoginFormServices,
  page: LoginForm,
  context: AuthenticationContext,
  form: Readonly<Record<string, string>>,
): Promise<AuthenticationStep> {
  const input = page.readInput(context, form);
  const passkeyStep = await page.checkPasskeyAnswer(context, form, input);
  if (passkeyStep !== undefined) return passkeyStep;
  if (context.user !== undefined) return selectUser(context.user.id);
  const { username, rememberMe } = input;
  const user = username === '' || page.isTooLong(username) ? undefined : await users.byLogin(page.realm, username);
  if (user === undefined || user.isServiceAccount) {
    const error = user === undefined ? 'user_not_found' : 'invalid_user';
    return page.refuse(context, input, { error, key: page.unknownNameKey, userId: user?.id });
  }
  return { ...selectUser(user.id), typedUsername: username, rememberMe };
}

/** The result for a username, which proves no identity. */
const selectUser = (userId: string) => ({ outcome: 'success', userId, proves: false }) as const;

async function hasPasskey(page: LoginForm, userId: string): Promise<boolean> {
  return passkeysEnabled(page.realm) && (await page.passkeysOf(userId)).length > 0;
}
