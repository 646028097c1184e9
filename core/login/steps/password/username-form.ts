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
 * Keycloak's UsernameForm: asks for the username; the following steps must prove it. As in Keycloak, it reveals that a
 * username does not exist. It does not reveal that an account is disabled or locked: only the right password does.
 */
export function usernameForm(services: LoginFormServices): ProviderDefinition {
  return provide(Authenticator, {
    id: 'auth-username-form',
    describe: {
      displayName: 'Username Form',
      helpText: 'Selects a user from his username.',
      // Only by a passkey, which it accepts in place of a username.
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
            // A user who signs in again is known, so show the page only if a passkey can prove it.
            if (user !== undefined && !(await hasPasskey(page, user.id))) return named(user.id);
            return page.ask(context, page.first(context));
          },
          action: async (context, form) => found(services, page, context, form),
        };
      },
    }),
  });
}

async function found(
  { users }: LoginFormServices,
  page: LoginForm,
  context: AuthenticationContext,
  form: Readonly<Record<string, string>>,
): Promise<AuthenticationStep> {
  const typed = page.typed(context, form);
  const byPasskey = await page.passkey(context, form, typed);
  if (byPasskey !== undefined) return byPasskey;
  if (context.user !== undefined) return named(context.user.id);
  const { username, rememberMe } = typed;
  const user = username === '' || page.isTooLong(username) ? undefined : await users.byLogin(page.realm, username);
  if (user === undefined || user.isServiceAccount) {
    const error = user === undefined ? 'user_not_found' : 'invalid_user';
    return page.refuse(context, typed, { error, key: page.unknownName, userId: user?.id });
  }
  return { ...named(user.id), typedUsername: username, rememberMe };
}

/** A username proves no identity. */
const named = (userId: string) => ({ outcome: 'success', userId, proves: false }) as const;

async function hasPasskey(page: LoginForm, userId: string): Promise<boolean> {
  return passkeysEnabled(page.realm) && (await page.passkeysOf(userId)).length > 0;
}
