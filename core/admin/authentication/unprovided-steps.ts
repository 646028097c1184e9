const ANY = ['REQUIRED', 'ALTERNATIVE', 'DISABLED'];
const ON_OR_OFF = ['REQUIRED', 'DISABLED'];
const CLIENT = ['ALTERNATIVE', 'DISABLED'];

/**
 * What no provider of this host describes: Keycloak's steps that flows of an import name, the parts of the registration form,
 * and the ways in which clients prove who they are. Name, description, requirements.
 */
export const UNPROVIDED_STEPS: Readonly<Record<string, readonly [string, string, readonly string[]]>> = {
  'auth-username-form': ['Username Form', 'Selects a user from his username.', ['REQUIRED']],
  'auth-password-form': ['Password Form', 'Validates a password from login form.', ['REQUIRED']],
  'auth-spnego': ['Kerberos', 'Initiates the SPNEGO protocol.', ANY],
  organization: ['Organization Identity-First Login', 'Shows the username form and looks for an organization.', ANY],
  'reset-credentials-choose-user': ['Choose User', 'Choose a user to reset credentials for', ['REQUIRED']],
  'reset-credential-email': ['Send Reset Email', 'Send email to user and wait for response.', ['REQUIRED']],
  'reset-password': ['Reset Password', 'Sets the Update Password required action if execution is REQUIRED.', ANY],
  'reset-otp': ['Reset OTP', 'Removes existing OTP configurations and asks to set one up.', ANY],
  'registration-user-creation': ['Registration User Profile Creation', 'Creates the user and its profile.', ON_OR_OFF],
  'registration-password-action': [
    'Password Validation',
    'Validates that password matches password confirmation.',
    ON_OR_OFF,
  ],
  'registration-recaptcha-action': ['reCAPTCHA', 'Adds Google reCAPTCHA to the form.', ON_OR_OFF],
  'registration-terms-and-conditions': [
    'Terms and conditions',
    'Asks the user to accept terms and conditions.',
    ON_OR_OFF,
  ],
  'idp-add-organization-member': [
    'Organization Member Onboard',
    'Adds a federated user as a member of an organization',
    ON_OR_OFF,
  ],
  'docker-http-basic-authenticator': [
    'Docker Authenticator',
    'Uses HTTP Basic authentication to validate docker users.',
    ['REQUIRED'],
  ],
  'http-basic-authenticator': [
    'HTTP Basic Authentication',
    'Validates username and password from Authorization header',
    ON_OR_OFF,
  ],
  'client-secret': ['Client Id and Secret', "Validates client based on 'client_id' and 'client_secret'", CLIENT],
  'client-jwt': [
    'Signed JWT',
    'Validates client based on signed JWT issued by client and signed with the Client private key',
    CLIENT,
  ],
  'client-secret-jwt': [
    'Signed JWT with Client Secret',
    'Validates client based on signed JWT issued by client and signed with the Client Secret',
    CLIENT,
  ],
  'federated-jwt': ['Signed JWT - Federated', 'Validates a client by a JWT that an identity provider signed.', CLIENT],
  'client-x509': ['X509 Certificate', 'Validates client based on a X509 Certificate', CLIENT],
};
