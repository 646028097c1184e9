import type { AuthenticationContext, AuthenticationStep, StepPage } from '@keyhost/spi';
import { defined } from '../../../model/defined.js';
import type { Realm } from '../../../model/realm.js';
import { passkeysEnabled } from '../../../model/webauthn-policy.js';
import type { HostSession } from '../../../registry/sessions/host-session.js';
import type { PasswordLogins } from '../../../users/passwords/password-logins.js';
import type { Users } from '../../../users/users.js';
import { checkPasskey, type PasskeyRefusal } from '../webauthn/webauthn-authenticators.js';
import type { WebAuthnCredentials } from '../webauthn/webauthn-credentials.js';
import { requestOptions } from '../webauthn/webauthn-options.js';

export interface LoginFormServices {
  readonly passwordLogins: PasswordLogins;
  readonly users: Users;
  readonly passkeys: WebAuthnCredentials;
}

/** The fields of the page. A passkey may replace them. */
export type LoginFields = 'username' | 'password' | 'both';

/** The user's input, which the page shows again. */
export interface LoginInput {
  readonly username: string;
  readonly rememberMe: boolean;
}

type Form = Readonly<Record<string, string>>;

/** The type of passkeys that replace username and password. */
export const PASSWORDLESS = 'webauthn-passwordless';
/** Maximum length of a field in characters. */
const MAX_FIELD_LENGTH = 4096;

/** The page that asks for a username, a password or both, or for a passkey instead. */
export class LoginForm {
  readonly realm: Realm;
  readonly ip: string;
  readonly #passkeys: WebAuthnCredentials;
  readonly #fields: LoginFields;

  constructor(
    { compiledRealm, caller }: HostSession,
    { passkeys }: Pick<LoginFormServices, 'passkeys'>,
    fields: LoginFields,
  ) {
    this.realm = compiledRealm;
    this.ip = caller.ip;
    this.#passkeys = passkeys;
    this.#fields = fields;
  }

  /** The initial values of the page. */
  initialInput({ typedUsername, loginHint }: AuthenticationContext): LoginInput {
    return { username: typedUsername ?? loginHint ?? '', rememberMe: false };
  }

  /** Reads the user's input. If the login already has a username, that takes precedence. */
  readInput({ user, typedUsername }: AuthenticationContext, form: Form): LoginInput {
    const username = user?.username ?? typedUsername ?? (form.username ?? '').trim();
    return { username, rememberMe: form.rememberMe === 'on' && this.#allowsRememberMe };
  }

  isTooLong(text: string): boolean {
    return text.length > MAX_FIELD_LENGTH;
  }

  /** The message key for an unknown username, which depends on the label of the field. */
  get unknownNameKey(): string {
    return this.realm.loginWithEmailAllowed ? 'invalidUsernameOrEmailMessage' : 'invalidUsernameMessage';
  }

  /** Checks the answer of a passkey; undefined if the form was sent without one. */
  async checkPasskeyAnswer(
    context: AuthenticationContext,
    form: Form,
    input: LoginInput,
  ): Promise<AuthenticationStep | undefined> {
    if (!passkeysEnabled(this.realm) || !(form.credential || form.error)) return undefined;
    return checkPasskey(this.#passkeys, {
      realm: this.realm,
      ip: this.ip,
      type: PASSWORDLESS,
      state: context.state,
      form,
      userId: context.user?.id,
      showAgain: (refusal) => this.challenge(context, input, refusal),
    });
  }

  refuse(
    context: AuthenticationContext,
    input: LoginInput,
    { error, key, userId }: { readonly error: string; readonly key: string; readonly userId?: string | undefined },
  ): Promise<AuthenticationStep> {
    return this.challenge(context, input, { message: { key }, error, ...defined({ userId }) });
  }

  async challenge(
    context: AuthenticationContext,
    input: LoginInput,
    refusal: PasskeyRefusal = {},
  ): Promise<AuthenticationStep> {
    const step = { outcome: 'challenge', page: this.#page(context, input), ...refusal } as const;
    if (!passkeysEnabled(this.realm)) return step;
    const { user, typedUsername } = context;
    // If the username was typed, offering the user's passkeys would reveal that the user exists.
    const passkeys = user === undefined || typedUsername !== undefined ? [] : await this.passkeysOf(user.id);
    // A user who signs in again and has no passkey is not asked for one.
    if (user !== undefined && typedUsername === undefined && passkeys.length === 0) return step;
    const { webauthn, challenge } = requestOptions(this.realm, PASSWORDLESS, passkeys);
    return { ...step, page: { ...step.page, webauthn }, state: challenge };
  }

  passkeysOf(userId: string) {
    return this.#passkeys.list(this.realm, userId, PASSWORDLESS);
  }

  #page({ user, typedUsername }: AuthenticationContext, { username, rememberMe }: LoginInput): StepPage {
    const isFixed = user !== undefined || typedUsername !== undefined;
    const { settings, loginWithEmailAllowed: allowsEmail } = this.realm;
    return {
      page: 'login',
      // If the user typed an email, showing the username would reveal that the user exists.
      username: typedUsername ?? user?.username ?? username,
      usernameEditable: !isFixed,
      ...(this.#fields === 'username' && { password: false as const }),
      rememberMe: this.#offersToRemember(user?.id, typedUsername) ? rememberMe : undefined,
      usernameLabel: {
        key: !allowsEmail ? 'username' : settings.registrationEmailAsUsername ? 'email' : 'usernameOrEmail',
      },
    };
  }

  #offersToRemember(userId: string | undefined, typedUsername: string | undefined): boolean {
    // When a user signs in again, the user session continues with its “remember me”.
    return (
      this.#allowsRememberMe && this.#fields !== 'password' && (userId === undefined || typedUsername !== undefined)
    );
  }

  get #allowsRememberMe(): boolean {
    return this.realm.settings.rememberMe;
  }
}
