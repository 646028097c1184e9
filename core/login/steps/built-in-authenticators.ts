import type { Plugin } from '@keyhost/spi';
import type { PasswordLogins } from '../../users/passwords/password-logins.js';
import type { Users } from '../../users/users.js';
import { type RegistrationServices, registrationPage } from '../registration/registration-page.js';
import { accessAuthenticators } from './access-authenticators.js';
import { cookie } from './cookie.js';
import { directGrantAuthenticators } from './direct-grant-authenticators.js';
import { httpBasic } from './http-basic.js';
import { otpAuthenticators } from './otp/otp-authenticators.js';
import type { OtpCredentials } from './otp/otp-credentials.js';
import { passwordForm } from './password/password-form.js';
import { usernameForm } from './password/username-form.js';
import { usernamePasswordForm } from './password/username-password-form.js';
import { recoveryAuthenticator } from './recovery/recovery-authenticator.js';
import type { RecoveryCodes } from './recovery/recovery-codes.js';
import { chooseUser } from './reset/choose-user.js';
import { type ResetEmailServices, resetEmail } from './reset/reset-email.js';
import { type ResetOtpServices, resetOtp } from './reset/reset-otp.js';
import { resetPassword } from './reset/reset-password.js';
import { type SessionLimitServices, sessionLimits } from './session-limits.js';
import { webAuthnAuthenticators } from './webauthn/webauthn-authenticators.js';
import type { WebAuthnCredentials } from './webauthn/webauthn-credentials.js';

/** Keycloak's authenticators, registered through the same SPI as those of plugins. */
export function builtInAuthenticators(
  services: {
    passwordLogins: PasswordLogins;
    users: Users;
    otps: OtpCredentials;
    passkeys: WebAuthnCredentials;
    recovery: RecoveryCodes;
  } & RegistrationServices &
    SessionLimitServices &
    ResetEmailServices &
    ResetOtpServices,
): Plugin {
  return {
    name: 'keyhost-authenticators',
    api: 1,
    providers: [
      cookie,
      usernamePasswordForm(services),
      usernameForm(services),
      passwordForm(services),
      ...directGrantAuthenticators(services),
      ...otpAuthenticators(services),
      ...webAuthnAuthenticators(services),
      httpBasic(services),
      recoveryAuthenticator(services),
      registrationPage(services),
      ...accessAuthenticators,
      sessionLimits(services),
      chooseUser(services),
      resetEmail(services),
      resetPassword,
      resetOtp(services),
    ],
  };
}
