import {
  type AuthenticationContext,
  type AuthenticationStep,
  Authenticator,
  type ProviderDefinition,
  provide,
} from '@keyhost/spi';
import type { HostSession } from '../../../registry/sessions/host-session.js';
import { mayRevealDisabled, type PasswordLogin } from '../../../users/passwords/password-logins.js';
import { LoginForm, type LoginFormServices, PASSWORDLESS } from './login-form.js';

/**
 * Keycloak's PasswordForm: asks for the password of the user that an earlier step has found. Together they count as the
 * login form.
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
            if (context.user === undefined && context.typedUsername === undefined) return NOBODY;
            // A passkey that replaced the username also replaces the password.
            if (context.credentialTypes.includes(PASSWORDLESS)) return { outcome: 'success', proves: false };
            return page.ask(context, page.first(context));
          },
          action: async (context, form) => checked(services, page, context, form),
        };
      },
    }),
  });
}

async function checked(
  services: LoginFormServices,
  page: LoginForm,
  context: AuthenticationContext,
  form: Readonly<Record<string, string>>,
): Promise<AuthenticationStep> {
  if (context.user === undefined && context.typedUsername === undefined) return NOBODY;
  const typed = page.typed(context, form);
  const byPasskey = await page.passkey(context, form, typed);
  if (byPasskey !== undefined) return byPasskey;
  const { password = '' } = form;
  if (page.isTooLong(password)) {
    return page.refuse(context, typed, { ...WRONG, userId: context.user?.id });
  }
  const result = await login(services, page, context.user?.id, typed.username, password);
  if (!('refused' in result)) return { outcome: 'success', userId: result.user.id, credentialType: 'password' };
  const key = mayRevealDisabled(result) ? 'accountDisabledMessage' : WRONG.key;
  return page.refuse(context, typed, { error: result.refused, key, userId: result.user?.id });
}

/**
 * If an earlier step did not reveal whether the username exists, take as long for an unknown one (no timing oracle).
 */
async function login(
  { passwordLogins, users }: LoginFormServices,
  { realm, ip }: LoginForm,
  userId: string | undefined,
  username: string,
  password: string,
): Promise<PasswordLogin> {
  const user = userId === undefined ? undefined : await users.byId(realm, userId);
  return user === undefined
    ? passwordLogins.check(realm, username, password, ip)
    : passwordLogins.verify(realm, user, password, ip);
}

const WRONG = { error: 'invalid_user_credentials', key: 'invalidPasswordMessage' };

const NOBODY = {
  outcome: 'failure',
  error: 'invalid_user_credentials',
  message: { key: 'invalidUserMessage' },
} as const;
