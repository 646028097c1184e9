import {
  type AuthenticationContext,
  type AuthenticationStep,
  Authenticator,
  type Plugin,
  provide,
  type StepPage,
} from '@keyhost/spi';
import type { Realm } from '../model/realm.js';
import type { PasswordLogins } from '../realms/password-logins.js';
import type { Users } from '../realms/users.js';
import type { HostSession } from '../registry/session.js';
import { accessAuthenticators } from './access-authenticators.js';
import { directGrantAuthenticators } from './direct-grant-authenticators.js';
import { otpAuthenticators } from './otp/otp-authenticators.js';
import type { OtpCredentials } from './otp/otp-credentials.js';
import { type RegistrationServices, registrationPage } from './registration/registration-page.js';

/** The steps of Keycloak's flows, through the same SPI as anyone's. */
export function builtInAuthenticators(
  services: {
    passwordLogins: PasswordLogins;
    users: Users;
    otps: OtpCredentials;
  } & RegistrationServices,
): Plugin {
  return {
    name: 'keyhost-authenticators',
    api: 1,
    providers: [
      provide(Authenticator, {
        id: 'auth-cookie',
        open: () => ({
          create: () => ({
            authenticate: async ({ browserUserId }) =>
              browserUserId === undefined
                ? { outcome: 'attempted' }
                : { outcome: 'success', userId: browserUserId, notes: { [BY_SESSION]: 'true' } },
          }),
        }),
      }),
      provide(Authenticator, {
        id: 'auth-username-password-form',
        open: () => ({
          create: (session) => new UsernamePasswordForm(session as HostSession, services.passwordLogins),
        }),
      }),
      ...directGrantAuthenticators(services),
      ...otpAuthenticators(services),
      registrationPage(services),
      ...accessAuthenticators,
    ],
  };
}

/** Notes that the browser's own login was good enough. Never a note of the session. */
export const BY_SESSION = 'keyhost.by-session';

const TOO_LONG = 4096;

class UsernamePasswordForm {
  readonly #realm: Realm;
  readonly #ip: string;
  readonly #logins: PasswordLogins;

  constructor({ compiledRealm, caller }: HostSession, logins: PasswordLogins) {
    this.#realm = compiledRealm;
    this.#ip = caller.ip;
    this.#logins = logins;
  }

  async authenticate(context: AuthenticationContext): Promise<AuthenticationStep> {
    return { outcome: 'challenge', page: this.#page(context, context.loginHint ?? '', false) };
  }

  async action(context: AuthenticationContext, form: Readonly<Record<string, string>>): Promise<AuthenticationStep> {
    const username = context.user?.username ?? (form.username ?? '').trim();
    const password = form.password ?? '';
    const rememberMe = form.rememberMe === 'on' && this.#remembers;
    const refuse = (error: string, key = 'invalidUserMessage', userId?: string): AuthenticationStep => ({
      outcome: 'challenge',
      page: this.#page(context, username, rememberMe),
      message: { key },
      error,
      ...(userId === undefined ? {} : { userId }),
    });
    if (username === '' || username.length > TOO_LONG) return refuse('user_not_found');
    if (password.length > TOO_LONG) return refuse('invalid_user_credentials');
    const result = await this.#logins.check(this.#realm, username, password, this.#ip);
    if (!('refused' in result)) return { outcome: 'success', userId: result.user.id, rememberMe };
    // Only the owner of the password learns that the account is disabled.
    const key = result.refused === 'user_disabled' ? 'accountDisabledMessage' : 'invalidUserMessage';
    return refuse(result.refused, key, result.user?.id);
  }

  #page({ user }: AuthenticationContext, username: string, rememberMe: boolean): StepPage {
    const { representation } = this.#realm;
    const byEmail = representation.loginWithEmailAllowed ?? true;
    return {
      page: 'login',
      username: user?.username ?? username,
      usernameEditable: user === undefined,
      // Who logs in again keeps the session, and with it what was chosen then.
      rememberMe: this.#remembers && user === undefined ? rememberMe : undefined,
      usernameLabel: {
        key: !byEmail ? 'username' : representation.registrationEmailAsUsername === true ? 'email' : 'usernameOrEmail',
      },
    };
  }

  get #remembers(): boolean {
    return this.#realm.representation.rememberMe === true;
  }
}
