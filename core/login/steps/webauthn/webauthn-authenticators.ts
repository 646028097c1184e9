import {
  type AuthenticationContext,
  type AuthenticationStep,
  Authenticator,
  type AuthenticatorDescription,
  type ProviderDefinition,
  provide,
  type StepPage,
  type WebAuthnCall,
} from '@keyhost/spi';
import { defined } from '../../../model/defined.js';
import type { Realm } from '../../../model/realm.js';
import type { WebAuthnType } from '../../../model/webauthn-policy.js';
import type { HostSession } from '../../../registry/sessions/host-session.js';
import { mayRevealDisabled } from '../../../users/passwords/password-logins.js';
import type { WebAuthnCredentials } from './webauthn-credentials.js';
import { browserError } from './webauthn-messages.js';
import { requestOptions } from './webauthn-options.js';

type Form = Readonly<Record<string, string>>;

/** Keycloak's authenticators for passkeys: as a second factor, and instead of username and password. */
export function webAuthnAuthenticators(services: { passkeys: WebAuthnCredentials }): ProviderDefinition[] {
  return [
    defineAuthenticator(services, 'webauthn-authenticator', 'webauthn', {
      displayName: 'WebAuthn Authenticator',
      helpText: 'Authenticates with a security key as a second factor.',
      proves: true,
      label: { key: 'webauthn-display-name' },
    }),
    defineAuthenticator(services, 'webauthn-authenticator-passwordless', 'webauthn-passwordless', {
      displayName: 'WebAuthn Passwordless Authenticator',
      helpText: 'Authenticates with a passkey instead of user name and password.',
      proves: true,
      label: { key: 'webauthn-passwordless-display-name' },
    }),
  ];
}

function defineAuthenticator(
  { passkeys }: { passkeys: WebAuthnCredentials },
  id: string,
  type: WebAuthnType,
  describe: AuthenticatorDescription,
): ProviderDefinition {
  return provide(Authenticator, {
    id,
    describe,
    open: () => ({ create: (session: HostSession) => new WebAuthnStep(session, passkeys, type) }),
  });
}

class WebAuthnStep {
  readonly #realm: Realm;
  readonly #ip: string;
  readonly #passkeys: WebAuthnCredentials;
  readonly #type: WebAuthnType;

  constructor({ compiledRealm, caller }: HostSession, passkeys: WebAuthnCredentials, type: WebAuthnType) {
    this.#realm = compiledRealm;
    this.#ip = caller.ip;
    this.#passkeys = passkeys;
    this.#type = type;
  }

  configuredFor({ id }: { readonly id: string }): Promise<boolean> {
    return this.#passkeys.has(this.#realm, id, this.#type);
  }

  async authenticate({ user }: AuthenticationContext): Promise<AuthenticationStep> {
    const isSecondFactor = this.#type === 'webauthn';
    if (user === undefined && isSecondFactor) return NO_USER;
    if (user !== undefined && !(await this.configuredFor(user))) {
      // A flow that requires a second factor requires it of every user, so a user without one must set it up. A passkey
      // that replaces the password cannot be set up here, because the user has proven nothing yet.
      return isSecondFactor ? { outcome: 'success', proves: false, requiredActions: ['webauthn-register'] } : NO_USER;
    }
    return this.#challenge(user);
  }

  async action({ user, state }: AuthenticationContext, form: Form): Promise<AuthenticationStep> {
    if (user === undefined && this.#type === 'webauthn') return NO_USER;
    return checkPasskey(this.#passkeys, {
      realm: this.#realm,
      ip: this.#ip,
      type: this.#type,
      state,
      form,
      userId: user?.id,
      showAgain: (refusal) => this.#challenge(user, refusal),
    });
  }

  async #challenge(user: AuthenticationContext['user'], refusal: PasskeyRefusal = {}): Promise<AuthenticationStep> {
    const passkeys = user === undefined ? [] : await this.#passkeys.list(this.#realm, user.id, this.#type);
    const { webauthn, challenge } = requestOptions(this.#realm, this.#type, passkeys);
    return { outcome: 'challenge', page: pageOf(webauthn), state: challenge, ...refusal };
  }
}

/** The members of the step if the page is shown again after a refusal. */
export type PasskeyRefusal = Partial<
  Pick<Extract<AuthenticationStep, { outcome: 'challenge' }>, 'message' | 'error' | 'credentialType' | 'userId'>
>;

/**
 * Checks the browser's answer to a page with a passkey.
 * @param context.showAgain shows the page again with the refusal
 */
export async function checkPasskey(
  passkeys: WebAuthnCredentials,
  context: {
    readonly realm: Realm;
    readonly ip: string;
    readonly type: WebAuthnType;
    readonly state: string | undefined;
    readonly form: Form;
    readonly userId: string | undefined;
    readonly showAgain: (refused: PasskeyRefusal) => Promise<AuthenticationStep>;
  },
): Promise<AuthenticationStep> {
  const { realm, type, form, userId } = context;
  if (!form.credential) {
    const message = browserError(realm, type, form.error ?? '', 'webauthn-error-api-get');
    return context.showAgain({ error: 'not_allowed', credentialType: type, message, ...defined({ userId }) });
  }
  const answer = { credential: form.credential, challenge: context.state };
  const result = await passkeys.check(realm, type, answer, userId, context.ip);
  if (!('refused' in result)) return { outcome: 'success', userId: result.user.id, credentialType: type };
  const key = mayRevealDisabled(result) ? 'accountDisabledMessage' : 'webauthn-error-auth-verification';
  return context.showAgain({
    error: result.refused,
    credentialType: type,
    message: { key },
    ...defined({ userId: result.user?.id ?? userId }),
  });
}

const NO_USER = {
  outcome: 'failure',
  error: 'invalid_user_credentials',
  message: { key: 'invalidUserMessage' },
} as const;

function pageOf(webauthn: WebAuthnCall): StepPage {
  return {
    page: 'form',
    title: { key: 'webauthn-login-title' },
    text: { key: 'webauthn-login-text' },
    fields: [],
    webauthn,
    submit: { key: 'webauthn-doAuthenticate' },
  };
}
