import {
  type AuthenticationContext,
  type AuthenticationStep,
  Authenticator,
  type Plugin,
  provide,
  type StepPage,
} from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import { passkeysEnabled } from '../../model/webauthn-policy.js';
import type { HostSession } from '../../registry/sessions/session.js';
import type { PasswordLogins } from '../../users/passwords/password-logins.js';
import type { Users } from '../../users/users.js';
import { type RegistrationServices, registrationPage } from '../registration/registration-page.js';
import { accessAuthenticators } from './access-authenticators.js';
import { directGrantAuthenticators } from './direct-grant-authenticators.js';
import { otpAuthenticators } from './otp/otp-authenticators.js';
import type { OtpCredentials } from './otp/otp-credentials.js';
import { recoveryAuthenticator } from './recovery/recovery-authenticator.js';
import type { RecoveryCodes } from './recovery/recovery-codes.js';
import { checkedPasskey, type Refused, webAuthnAuthenticators } from './webauthn/webauthn-authenticators.js';
import type { WebAuthnCredentials } from './webauthn/webauthn-credentials.js';
import { request } from './webauthn/webauthn-options.js';

/** The steps of Keycloak's flows, through the same SPI as anyone's. */
export function builtInAuthenticators(
  services: {
    passwordLogins: PasswordLogins;
    users: Users;
    otps: OtpCredentials;
    passkeys: WebAuthnCredentials;
    recovery: RecoveryCodes;
  } & RegistrationServices,
): Plugin {
  return {
    name: 'keyhost-authenticators',
    api: 1,
    providers: [
      provide(Authenticator, {
        id: 'auth-cookie',
        describe: {
          displayName: 'Cookie',
          helpText: 'Validates the SSO cookie set by the auth server.',
          proves: true,
        },
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
        describe: {
          displayName: 'Username Password Form',
          helpText: 'Validates a username and password from login form.',
          proves: true,
          requirements: ['REQUIRED'],
          label: { key: 'auth-username-password-form-display-name' },
        },
        open: () => ({
          create: (session: HostSession) => new UsernamePasswordForm(session, services),
        }),
      }),
      ...directGrantAuthenticators(services),
      ...otpAuthenticators(services),
      ...webAuthnAuthenticators(services),
      recoveryAuthenticator(services),
      registrationPage(services),
      ...accessAuthenticators,
    ],
  };
}

/**
 * The note of a step's answer that the browser's own user session was good enough. It never becomes a note of a session.
 */
export const BY_SESSION = 'keyhost.by-session';

const TOO_LONG = 4096;
const PASSWORDLESS = 'webauthn-passwordless';

class UsernamePasswordForm {
  readonly #realm: Realm;
  readonly #ip: string;
  readonly #passwordLogins: PasswordLogins;
  readonly #passkeys: WebAuthnCredentials;

  constructor(
    { compiledRealm, caller }: HostSession,
    { passwordLogins, passkeys }: { passwordLogins: PasswordLogins; passkeys: WebAuthnCredentials },
  ) {
    this.#realm = compiledRealm;
    this.#ip = caller.ip;
    this.#passwordLogins = passwordLogins;
    this.#passkeys = passkeys;
  }

  async authenticate(context: AuthenticationContext): Promise<AuthenticationStep> {
    return this.#ask(context, context.typedUsername ?? context.loginHint ?? '', false);
  }

  async action(context: AuthenticationContext, form: Readonly<Record<string, string>>): Promise<AuthenticationStep> {
    const { user, typedUsername } = context;
    const username = user?.username ?? typedUsername ?? (form.username ?? '').trim();
    const password = form.password ?? '';
    const rememberMe = form.rememberMe === 'on' && this.#remembers;
    if (passkeysEnabled(this.#realm) && (form.credential || form.error)) {
      return checkedPasskey(this.#passkeys, {
        realm: this.#realm,
        ip: this.#ip,
        type: PASSWORDLESS,
        state: context.state,
        form,
        userId: user?.id,
        again: (refused) => this.#ask(context, username, rememberMe, refused),
      });
    }
    const refuse = (error: string, key = 'invalidUserMessage', userId?: string): Promise<AuthenticationStep> =>
      this.#ask(context, username, rememberMe, {
        message: { key },
        error,
        ...defined({ userId }),
      });
    if (username === '' || username.length > TOO_LONG) return refuse('user_not_found');
    if (password.length > TOO_LONG) return refuse('invalid_user_credentials');
    const result = await this.#passwordLogins.check(this.#realm, username, password, this.#ip);
    if (!('refused' in result)) {
      return { outcome: 'success', userId: result.user.id, rememberMe, credentialType: 'password' };
    }
    // Only the owner of the password learns that the account is disabled.
    const key = result.refused === 'user_disabled' ? 'accountDisabledMessage' : 'invalidUserMessage';
    return refuse(result.refused, key, result.user?.id);
  }

  async #ask(
    context: AuthenticationContext,
    username: string,
    rememberMe: boolean,
    refused: Refused = {},
  ): Promise<AuthenticationStep> {
    const asked = { outcome: 'challenge', page: this.#page(context, username, rememberMe), ...refused } as const;
    if (!passkeysEnabled(this.#realm)) return asked;
    const { user, typedUsername } = context;
    // With a typed name, what a user has set up would tell that there is one.
    const known =
      user === undefined || typedUsername !== undefined
        ? []
        : await this.#passkeys.list(this.#realm, user.id, PASSWORDLESS);
    // A user who must log in again and has no passkey is not asked for one.
    if (user !== undefined && typedUsername === undefined && known.length === 0) return asked;
    const { webauthn, challenge } = request(this.#realm, PASSWORDLESS, known);
    return { ...asked, page: { ...asked.page, webauthn }, state: challenge };
  }

  #page({ user, typedUsername }: AuthenticationContext, username: string, rememberMe: boolean): StepPage {
    const isFixed = user !== undefined || typedUsername !== undefined;
    const { settings, loginWithEmailAllowed: byEmail } = this.#realm;
    return {
      page: 'login',
      // Of a user who typed an email address, the username would tell that there is one.
      username: typedUsername ?? user?.username ?? username,
      usernameEditable: !isFixed,
      // A user who logs in again keeps the user session, and with it whether it is remembered.
      rememberMe: this.#remembers && (user === undefined || typedUsername !== undefined) ? rememberMe : undefined,
      usernameLabel: {
        key: !byEmail ? 'username' : settings.registrationEmailAsUsername ? 'email' : 'usernameOrEmail',
      },
    };
  }

  get #remembers(): boolean {
    return this.#realm.settings.rememberMe;
  }
}
