import { type AuthenticationStep, Authenticator, type ProviderDefinition, provide, type StepPage } from '@keyhost/spi';
import type { HostSession } from '../../../registry/sessions/session.js';
import type { OtpCredentials } from './otp-credentials.js';

/**
 * Keycloak's steps that ask for a one-time password: on a page, and in the password grant's parameter `totp`. Neither proves the user:
 * six digits are guessed, so they are a second factor beside a step that does.
 */
export function otpAuthenticators({ otps }: { otps: OtpCredentials }): ProviderDefinition[] {
  return [
    provide(Authenticator, {
      id: 'auth-otp-form',
      describe: {
        displayName: 'OTP Form',
        helpText: 'Validates a OTP on a separate OTP form.',
        label: { key: 'otp-display-name' },
      },
      open: () => ({
        create: (session: HostSession) => {
          const realm = session.compiledRealm;
          return {
            configuredFor: ({ id }) => otps.has(realm, id),
            async authenticate({ user }): Promise<AuthenticationStep> {
              if (user === undefined) return NOBODY;
              if (await otps.has(realm, user.id)) return { outcome: 'challenge', page: PAGE };
              // A flow that requires a second factor requires it of everybody: users without one set it up.
              return { outcome: 'success', requiredActions: ['CONFIGURE_TOTP'] };
            },
            async action({ user }, { otp = '' }): Promise<AuthenticationStep> {
              if (user === undefined) return NOBODY;
              const refused = await otps.refusal(realm, user.id, otp, session.remoteAddress);
              if (refused === undefined) return { outcome: 'success', credentialType: 'otp' };
              const message = { key: 'invalidTotpMessage' };
              return { outcome: 'challenge', page: PAGE, message, error: refused, userId: user.id };
            },
          };
        },
      }),
    }),
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
              if (user === undefined || form?.totp === undefined) return NOBODY;
              const refused = await otps.refusal(realm, user.id, form.totp, session.remoteAddress);
              return refused === undefined
                ? { outcome: 'success', credentialType: 'otp' }
                : { ...NOBODY, error: refused };
            },
          };
        },
      }),
    }),
  ];
}

const NOBODY = {
  outcome: 'failure',
  error: 'invalid_user_credentials',
  message: { key: 'Invalid user credentials' },
} as const;

const PAGE: StepPage = {
  page: 'form',
  title: { key: 'loginOtpTitle' },
  text: { key: 'loginOtpText' },
  fields: [
    {
      name: 'otp',
      type: 'text',
      label: { key: 'loginOtpOneTime' },
      autocomplete: 'one-time-code',
      inputmode: 'numeric',
      required: true,
    },
  ],
  submit: { key: 'doLogIn' },
};
