import type { AuthenticationStep, AuthenticatorProvider, StepPage } from '@keyhost/spi';
import type { HostSession } from '../../../registry/sessions/host-session.js';
import type { OtpCredentials } from './otp-credentials.js';

/** Asks for a one-time password on a separate page. */
export function otpForm(
  { otps }: { otps: OtpCredentials },
  session: HostSession,
): AuthenticatorProvider & Required<Pick<AuthenticatorProvider, 'action' | 'configuredFor'>> {
  const realm = session.compiledRealm;
  return {
    configuredFor: ({ id }) => otps.has(realm, id),
    async authenticate({ user }): Promise<AuthenticationStep> {
      if (user === undefined) return NO_USER;
      if (await otps.has(realm, user.id)) return { outcome: 'challenge', page: PAGE };
      // A flow that requires a second factor requires it of every user, so a user without one must set it up.
      return { outcome: 'success', requiredActions: ['CONFIGURE_TOTP'] };
    },
    async action({ user }, { otp = '' }): Promise<AuthenticationStep> {
      if (user === undefined) return NO_USER;
      const refusal = await otps.checkCode(realm, user.id, otp, session.remoteAddress);
      if (refusal === undefined) return { outcome: 'success', credentialType: 'otp' };
      const message = { key: 'invalidTotpMessage' };
      return { outcome: 'challenge', page: PAGE, message, error: refusal, credentialType: 'otp', userId: user.id };
    },
  };
}

const NO_USER = {
  outcome: 'failure',
  error: 'invalid_user_credentials',
  message: { key: 'invalidUserMessage' },
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
