import {
  type Message,
  type ProviderDefinition,
  provide,
  RequiredAction,
  type RequiredActionContext,
  type RequiredActionStep,
} from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import type { WebAuthnType } from '../../model/webauthn-policy.js';
import { Texts } from '../../pages/messages/texts.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { Users } from '../../users/users.js';
import type { WebAuthnCredentials } from '../steps/webauthn/webauthn-credentials.js';
import { browserError } from '../steps/webauthn/webauthn-messages.js';
import { creationOptions } from '../steps/webauthn/webauthn-options.js';

const MAX_LABEL_LENGTH = 100;

interface Services {
  readonly users: Users;
  readonly passkeys: WebAuthnCredentials;
}

/** The rejected input of the page, with the reason. */
interface RejectedInput {
  readonly label: string;
  readonly signsOut: boolean;
  readonly error: string;
  readonly message: Message;
}

/** Keycloak's webauthn-register: registers a passkey as the user's second factor. */
export function webAuthnRegister(services: Services): ProviderDefinition {
  return defineAction(services, 'webauthn-register', 'Webauthn Register', 'webauthn');
}

/** Keycloak's webauthn-register-passwordless: registers a passkey for signing in without a password. */
export function webAuthnRegisterPasswordless(services: Services): ProviderDefinition {
  return defineAction(
    services,
    'webauthn-register-passwordless',
    'Webauthn Register Passwordless',
    'webauthn-passwordless',
  );
}

function defineAction(
  { users, passkeys }: Services,
  alias: string,
  displayText: string,
  type: WebAuthnType,
): ProviderDefinition {
  return provide(RequiredAction, {
    id: alias,
    displayText,
    eventType: 'UPDATE_CREDENTIAL',
    oneTime: true,
    initiable: true,
    open: () => ({
      create: (session: HostSession) => {
        const realm = session.compiledRealm;
        const createChallenge = (context: RequiredActionContext, previous?: RejectedInput) =>
          createPage(passkeys, realm, type, context, previous);
        return {
          challenge: (context) => createChallenge(context),
          async action(context, form): Promise<RequiredActionStep> {
            const signsOut = form['logout-sessions'] === 'on';
            const label = (form.authenticatorLabel ?? '').trim().slice(0, MAX_LABEL_LENGTH);
            const retry = (error: string, message: Message) =>
              createChallenge(context, { label, signsOut, error, message });
            if (!form.credential) {
              const message = browserError(realm, type, form.error ?? '', 'webauthn-error-register-verification');
              return retry('invalid_user_credentials', message);
            }
            const user = await users.byId(realm, context.user.id);
            const added =
              user &&
              (await passkeys.add(realm, user, type, {
                credential: form.credential,
                challenge: context.state,
                completedAction: alias,
                label: label || new Texts(context.locale).of('webauthn-registration-init-label'),
              }));
            if (added === undefined) return retry('invalid_registration', { key: 'webauthn-error-registration' });
            const details = {
              credential_type: type,
              public_key_credential_id: added.credentialId,
              public_key_credential_aaguid: added.aaguid,
            };
            return { outcome: 'success', signOutOthers: signsOut, details };
          },
        };
      },
    }),
  });
}

async function createPage(
  passkeys: WebAuthnCredentials,
  realm: Realm,
  type: WebAuthnType,
  { user, initiated }: RequiredActionContext,
  previous?: RejectedInput,
): Promise<RequiredActionStep> {
  const { webauthn, challenge } = creationOptions(realm, type, user, await passkeys.list(realm, user.id, type));
  return {
    outcome: 'challenge',
    state: challenge,
    ...defined({ error: previous?.error, message: previous?.message }),
    page: {
      page: 'form',
      title: { key: 'webauthn-registration-title' },
      text: { key: type === 'webauthn' ? 'webauthn-registration-text' : 'webauthn-passwordless-registration-text' },
      fields: [
        {
          name: 'authenticatorLabel',
          type: 'text',
          label: { key: 'webauthn-registration-init-label-prompt' },
          value: previous?.label ?? '',
          autocomplete: 'off',
        },
        {
          name: 'logout-sessions',
          type: 'checkbox',
          label: { key: 'logoutOtherSessions' },
          value: (previous?.signsOut ?? true) ? 'on' : '',
        },
      ],
      webauthn,
      submit: { key: 'doRegisterSecurityKey' },
      ...(initiated ? { cancel: { key: 'doCancel' } } : {}),
    },
  };
}
