import type { AuthenticationContext, AuthenticationStep, StepPage } from '@keyhost/spi';
import { defined } from '../../../model/defined.js';
import type { Realm } from '../../../model/realm.js';
import { passkeysEnabled } from '../../../model/webauthn-policy.js';
import type { HostSession } from '../../../registry/sessions/host-session.js';
import type { PasswordLogins } from '../../../users/passwords/password-logins.js';
import type { Users } from '../../../users/users.js';
import { checkPasskey, type PasskeyRefusal } from '../webauthn/webauthn-authenticators.js';
import type { WebAuthnCredentials } from '../webauthn/webauthn-credentials.js';
import { request } from '../webauthn/webauthn-options.js';

export interface LoginFormServices {
  readonly passwordLogins: PasswordLogins;
  readonly users: Users;
  readonly passkeys: WebAuthnCredentials;
}

/** The fields of the page, in addition to a passkey. */
export type LoginFields = 'username' | 'password' | 'both';

/** The user's input, to be shown again. */
export interface LoginInput {
  readonly username: string;
  readonly rememberMe: boolean;
}

type Form = Readonly<Record<string, string>>;

/** The type of passkeys that replace username and password. */
export const PASSWORDLESS = 'webauthn-passwordless';
/** Maximum length of a field in characters. */
const TOO_LONG = 4096;

/** The page for a username, a password or both, or a passkey in their place. */
export class LoginForm {
  readonly realm: Realm;
  readonly ip: string;
  readonly #passkeys: WebAuthnCredentials;
  readonly #asks: LoginFields;

  constructor(
    { compiledRealm, caller }: HostSession,
    { passkeys }: Pick<LoginFormServices, 'passkeys'>,
    asks: LoginFields,
  ) {
    this.realm = compiledRealm;
    this.ip = caller.ip;
    this.#passkeys = passkeys;
    this.#asks = asks;
  }

  /** The initial values of the page. */
  first({ typedUsername, loginHint }: AuthenticationContext): LoginInput {
    return { username: typedUsername ?? loginHint ?? '', rememberMe: false };
  }

  /** The user's input. A username that the login has already takes precedence. */
  typed({ user, typedUsername }: AuthenticationContext, form: Form): LoginInput {
    const username = user?.username ?? typedUsername ?? (form.username ?? '').trim();
    return { username, rememberMe: form.rememberMe === 'on' && this.#remembers };
  }

  isTooLong(text: string): boolean {
    return text.length > TOO_LONG;
  }

  /** Key of the message for an unknown username, depending on the label of the field. */
  get unknownName(): string {
    return this.realm.loginWithEmailAllowed ? 'invalidUsernameOrEmailMessage' : 'invalidUsernameMessage';
  }

  /** The answer of a passkey; undefined if the form was sent without one. */
  async passkey(
    context: AuthenticationContext,
    form: Form,
    typed: LoginInput,
  ): Promise<AuthenticationStep | undefined> {
    if (!passkeysEnabled(this.realm) || !(form.credential || form.error)) return undefined;
    return checkPasskey(this.#passkeys, {
      realm: this.realm,
      ip: this.ip,
      type: PASSWORDLESS,
      state: context.state,
      form,
      userId: context.user?.id,
      again: (refused) => this.ask(context, typed, refused),
    });
  }

  refuse(
    context: AuthenticationContext,
    typed: LoginInput,
    { error, key, userId }: { readonly error: string; readonly key: string; readonly userId?: string | undefined },
  ): Promise<AuthenticationStep> {
    return this.ask(context, typed, { message: { key }, error, ...defined({ userId }) });
  }

  async ask(
    context: AuthenticationContext,
    typed: LoginInput,
    refused: PasskeyRefusal = {},
  ): Promise<AuthenticationStep> {
    const asked = { outcome: 'challenge', page: this.#page(context, typed), ...refused } as const;
    if (!passkeysEnabled(this.realm)) return asked;
    const { user, typedUsername } = context;
    // With a typed username, offering the user's passkeys would reveal that the user exists.
    const known = user === undefined || typedUsername !== undefined ? [] : await this.passkeysOf(user.id);
    // A known user without a passkey is not offered one when signing in again.
    if (user !== undefined && typedUsername === undefined && known.length === 0) return asked;
    const { webauthn, challenge } = request(this.realm, PASSWORDLESS, known);
    return { ...asked, page: { ...asked.page, webauthn }, state: challenge };
  }

  passkeysOf(userId: string) {
    return this.#passkeys.list(this.realm, userId, PASSWORDLESS);
  }

  #page({ user, typedUsername }: AuthenticationContext, { username, rememberMe }: LoginInput): StepPage {
    const isFixed = user !== undefined || typedUsername !== undefined;
    const { settings, loginWithEmailAllowed: byEmail } = this.realm;
    return {
      page: 'login',
      // If the user typed an email, showing the username would reveal that the user exists.
      username: typedUsername ?? user?.username ?? username,
      usernameEditable: !isFixed,
      ...(this.#asks === 'username' && { password: false as const }),
      rememberMe: this.#offersToRemember(user?.id, typedUsername) ? rememberMe : undefined,
      usernameLabel: {
        key: !byEmail ? 'username' : settings.registrationEmailAsUsername ? 'email' : 'usernameOrEmail',
      },
    };
  }

  #offersToRemember(userId: string | undefined, typedUsername: string | undefined): boolean {
    // Signing in again continues the user session, including its “remember me”.
    return this.#remembers && this.#asks !== 'password' && (userId === undefined || typedUsername !== undefined);
  }

  get #remembers(): boolean {
    return this.realm.settings.rememberMe;
  }
}
