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

/** Keycloak's UsernamePasswordForm. */
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
          authenticate: async (context) => page.ask(context, page.first(context)),
          action: async (context, form) => checked(services, page, context, form),
        };
      },
    }),
  });
}

async function checked(
  { passwordLogins }: LoginFormServices,
  page: LoginForm,
  context: AuthenticationContext,
  form: Readonly<Record<string, string>>,
): Promise<AuthenticationStep> {
  const typed = page.typed(context, form);
  const byPasskey = await page.passkey(context, form, typed);
  if (byPasskey !== undefined) return byPasskey;
  const { username, rememberMe } = typed;
  const password = form.password ?? '';
  const refuse = (error: string, key = 'invalidUserMessage', userId?: string) =>
    page.refuse(context, typed, { error, key, userId });
  if (username === '' || page.isTooLong(username)) return refuse('user_not_found');
  if (page.isTooLong(password)) return refuse('invalid_user_credentials');
  const result = await passwordLogins.check(page.realm, username, password, page.ip);
  if (!('refused' in result)) {
    return { outcome: 'success', userId: result.user.id, rememberMe, credentialType: 'password' };
  }
  const key = mayRevealDisabled(result) ? 'accountDisabledMessage' : 'invalidUserMessage';
  return refuse(result.refused, key, result.user?.id);
}
