import {
  type AuthenticationContext,
  type AuthenticationStep,
  Authenticator,
  type ProviderDefinition,
  provide,
} from '@keyhost/spi';
import type { HostSession } from '../../../registry/sessions/host-session.js';
import { mayRevealDisabled, type PasswordLoginResult } from '../../../users/passwords/password-logins.js';
import { LoginForm, type LoginFormServices, PASSWORDLESS } from './login-form.js';

/**
 * Keycloak's PasswordForm: asks for the password of the user whom an earlier step has identified. The two steps
 * together are equivalent to the login form.
 */
export function passwordForm(services: LoginFormServices): ProviderDefinition {
  return provide(Authenticator, {
    id: 'auth-password-form',
    describe: {
      displayName: 'Password Form',
      helpText: 'Validates a password from login form.',
      proves: true,
      label: { key: 'password-display-name' },
    },
    open: () => ({
      create: (session: HostSession) => {
        const page = new LoginForm(session, services, 'password');
        return {
          async configuredFor({ id }) {
            const user = await services.users.byId(page.realm, id);
            return user?.credentials.some(({ type }) => type === 'password') === true;
          },
          async authenticate(context): Promise<AuthenticationStep> {
            if (context.user === undefined && context.typedUsername === undefined) return NO_USER;
            // A passkey that replaced the username also replaces the password.
            if (context.credentialTypes.includes(PASSWORDLESS)) return { outcome: 'success', proves: false };
            return page.challenge(context, page.initialInput(context));
          },
          action: async (context, form) => handleForm(services, page, context, form),
        };
      },
    }),
  });
}

async function handleForm(
  services: LoginFormServices,
  page: LoginForm,
  context: AuthenticationContext,
  form: Readonly<Record<string, string>>,
): Promise<AuthenticationStep> {
  if (context.user === undefined && context.typedUsername === undefined) return NO_USER;
  const input = page.readInput(context, form);
  const passkeyStep = await page.checkPasskeyAnswer(context, form, input);
  if (passkeyStep !== undefined) return passkeyStep;
  const { password = '' } = form;
  if (page.isTooLong(password)) {
    return page.refuse(context, input, { ...WRONG_PASSWORD, userId: context.user?.id });
  }
  const result = await verifyPassword(services, page, context.user?.id, input.username, password);
  if (!('refused' in result)) return { outcome: 'success', userId: result.user.id, credentialType: 'password' };
  const key = mayRevealDisabled(result) ? 'accountDisabledMessage' : WRONG_PASSWORD.key;
  return page.refuse(context, input, { error: result.refused, key, userId: result.user?.id });
}

/**
 * Verifies the password. If an earlier step did not reveal whether the username exists, an unknown one takes as long as
 * a known one (no timing oracle).
 */
async function verifyPassword(
  { passwordLogins, users }: LoginFormServices,
  { realm, ip }: LoginForm,
  userId: string | undefined,
  username: string,
  password: string,
): Promise<PasswordLoginResult> {
  const user = userId === undefined ? undefined : await users.byId(realm, userId);
  return user === undefined
    ? passwordLogins.check(realm, username, password, ip)
    : passwordLogins.verify(realm, user, password, ip);
}

const WRONG_PASSWORD = { error: 'invalid_user_credentials', key: 'invalidPasswordMessage' };

const NO_USER = {
  outcome: 'failure',
  error: 'invalid_user_credentials',
  message: { key: 'invalidUserMessage' },
} as const;
