import { type AuthenticationStep, Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';
import type { HostSession } from '../../../registry/sessions/host-session.js';
import type { Users } from '../../../users/users.js';
import { conditionalOtpForm } from './conditional-otp-form.js';
import type { OtpCredentials } from './otp-credentials.js';
import { otpForm } from './otp-form.js';

/**
 * Keycloak's authenticators for one-time passwords: on a page, and in the parameter `totp` of the password grant.
 * Neither proves the user's identity: six digits can be guessed, so they are only a second factor.
 */
export function otpAuthenticators(services: { otps: OtpCredentials; users: Users }): ProviderDefinition[] {
  const { otps } = services;
  return [
    provide(Authenticator, {
      id: 'auth-otp-form',
      describe: {
        displayName: 'OTP Form',
        helpText: 'Validates a OTP on a separate OTP form.',
        label: { key: 'otp-display-name' },
      },
      open: () => ({
        create: (session: HostSession) => otpForm(services, session),
      }),
    }),
    conditionalOtpForm(services),
    provide(Authenticator, {
      id: 'direct-grant-validate-otp',
      describe: {
        displayName: 'OTP',
        helpText: 'Validates the one time password supplied as otp form parameter.',
      },
      open: () => ({
        create: (session: HostSession) => {
          const realm = session.compiledRealm;
          return {
            configuredFor: ({ id }) => otps.has(realm, id),
            async authenticate({ user, form }): Promise<AuthenticationStep> {
              if (user === undefined) return NO_USER;
              if (form?.totp === undefined) return { ...NO_USER, credentialType: 'otp' };
              const refusal = await otps.checkCode(realm, user.id, form.totp, session.remoteAddress);
              return refusal === undefined
                ? { outcome: 'success', credentialType: 'otp' }
                : { ...NO_USER, error: refusal, credentialType: 'otp' };
            },
          };
        },
      }),
    }),
  ];
}

const NO_USER = {
  outcome: 'failure',
  error: 'invalid_user_credentials',
  message: { key: 'Invalid user credentials' },
} as const;
