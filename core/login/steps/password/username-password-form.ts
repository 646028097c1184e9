import {
  type AuthenticationContext,
  type AuthenticationStep,
  Authenticator,
  type ProviderDefinition,
  provide,
} from '@keyhost/spi';
import type { HostSession } from '../../../registry/sessions/host-session.js';
import { mayRevealDisabled } from '../../../users/passwords/password-logins.js';
import { LoginForm, type LoginFormServices } from './login-form.js';

/** Keycloak's UsernamePasswordForm: asks for username and password. */
export function usernamePasswordForm(services: LoginFormServices): ProviderDefinition {
  return provide(Authenticator, {
    id: 'auth-username-password-form',
    describe: {
      displayName: 'Username Password Form',
      helpText: 'Validates a username and password from login form.',
      proves: true,
      requirements: ['REQUIRED'],
      label: { key: 'auth-username-password-form-display-name' },
    },
    open: () => ({
      create: (session: HostSession) => {
        const page = new LoginForm(session, services, 'both');
        return {
          authenticate: async (context) => page.challenge(context, page.initialInput(context)),
          action: async (context, form) => handleForm(services, page, context, form),
        };
      },
    }),
  });
}

async function handleForm(
  { passwordLogins }: LoginFormServices,
  page: LoginForm,
  context: AuthenticationContext,
  form: Readonly<Record<string, string>>,
): Promise<AuthenticationStep> {
  const input = page.readInput(context, form);
  const passkeyStep = await page.checkPasskeyAnswer(context, form, input);
  if (passkeyStep !== undefined) return passkeyStep;
  const { username, rememberMe } = input;
  const password = form.password ?? '';
  const refuse = (error: string, key = 'invalidUserMessage', userId?: string) =>
    page.refuse(context, input, { error, key, userId });
  if (username === '' || page.isTooLong(username)) return refuse('user_not_found');
  if (page.isTooLong(password)) return refuse('invalid_user_credentials');
  const result = await passwordLogins.check(page.realm, username, password, page.ip);
  if (!('refused' in result)) {
    return { outcome: 'success', userId: result.user.id, rememberMe, credentialType: 'password' };
  }
  const key = mayRevealDisabled(result) ? 'accountDisabledMessage' : 'invalidUserMessage';
  return refuse(result.refused, key, result.user?.id);
}
