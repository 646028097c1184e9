import { type AuthenticationStep, Authenticator, type ProviderDefinition, provide, type StepPage } from '@keyhost/spi';
import type { HostSession } from '../../../registry/sessions/host-session.js';
import { CONFIGURE_RECOVERY_CODES, type RecoveryCodes } from './recovery-codes.js';
import { RECOVERY_CODES } from './recovery-data.js';
import { warningThreshold } from './warning-threshold.js';

/** Keycloak's authenticator that asks for the user's next recovery code. */
export function recoveryAuthenticator({ recovery }: { recovery: RecoveryCodes }): ProviderDefinition {
  return provide(Authenticator, {
    id: 'auth-recovery-authn-code-form',
    describe: {
      displayName: 'Recovery Authentication Code Form',
      helpText: 'Validates a Recovery Authentication Code',
      proves: true,
      label: { key: 'auth-recovery-authn-code-form-display-name' },
    },
    open: () => ({
      create: (session: HostSession) => {
        const realm = session.compiledRealm;
        const challenge = async (userId: string, refusal: object = {}): Promise<AuthenticationStep> => {
          const next = await recovery.nextCode(realm, userId);
          if (next === undefined) return NO_USER;
          const { number, left } = next;
          const params = [String(left)];
          const warning = { message: { key: 'auth-recovery-code-few-left', params, severity: 'warning' } } as const;
          return {
            outcome: 'challenge',
            page: pageOf(number),
            ...(left < warningThreshold(realm) ? warning : {}),
            ...refusal,
          };
        };
        return {
          configuredFor: ({ id }) => recovery.has(realm, id),
          async authenticate({ user }): Promise<AuthenticationStep> {
            if (user === undefined) return NO_USER;
            if (await recovery.has(realm, user.id)) return challenge(user.id);
            // A flow that requires a second factor requires it of every user, so a user without one must set it up.
            return { outcome: 'success', proves: false, requiredActions: [CONFIGURE_RECOVERY_CODES] };
          },
          async action({ user }, { recoveryCodeInput = '' }): Promise<AuthenticationStep> {
            if (user === undefined) return NO_USER;
            const refusal = await recovery.redeemCode(realm, user.id, recoveryCodeInput, session.remoteAddress);
            if (refusal === undefined) return { outcome: 'success', credentialType: RECOVERY_CODES };
            const message = { key: 'recovery-codes-error-invalid' };
            return challenge(user.id, { message, error: refusal, credentialType: RECOVERY_CODES, userId: user.id });
          },
        };
      },
    }),
  });
}

const NO_USER = {
  outcome: 'failure',
  error: 'invalid_user_credentials',
  message: { key: 'invalidUserMessage' },
} as const;

function pageOf(number: number): StepPage {
  return {
    page: 'form',
    title: { key: 'auth-recovery-code-header' },
    text: { key: 'auth-recovery-code-info-message' },
    fields: [
      {
        name: 'recoveryCodeInput',
        type: 'text',
        required: true,
        autocomplete: 'off',
        label: { key: 'auth-recovery-code-prompt', params: [String(number)] },
      },
    ],
    submit: { key: 'doLogIn' },
  };
}
