import { Authenticator } from '@keyhost/spi';
import { KNOWN_CONDITIONS } from '../../realms/flows/known-conditions.js';
import { REGISTRATION_PAGE, REGISTRATION_STEPS } from '../../realms/flows/registration-steps.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import { stepProperties } from './step-properties.js';

/** How Keycloak shows a step of a flow. */
export interface StepDescription {
  readonly id: string;
  readonly displayName: string;
  readonly description: string;
  readonly requirementChoices: readonly string[];
  /** True where the step takes an `authenticatorConfig`. */
  readonly configurable: boolean;
}

const ANY = ['REQUIRED', 'ALTERNATIVE', 'DISABLED'];
const CONDITION = ['REQUIRED', 'DISABLED'];
const CLIENT = ['ALTERNATIVE', 'DISABLED'];

/** Keycloak's steps, as far as flows of an import name them: name, description, requirements. */
const STEPS: Readonly<Record<string, readonly [string, string, readonly string[]]>> = {
  'auth-cookie': ['Cookie', 'Validates the SSO cookie set by the auth server.', ANY],
  'auth-username-password-form': [
    'Username Password Form',
    'Validates a username and password from login form.',
    ['REQUIRED'],
  ],
  'auth-username-form': ['Username Form', 'Selects a user from his username.', ['REQUIRED']],
  'auth-password-form': ['Password Form', 'Validates a password from login form.', ['REQUIRED']],
  'auth-otp-form': ['OTP Form', 'Validates a OTP on a separate OTP form.', ANY],
  'auth-spnego': ['Kerberos', 'Initiates the SPNEGO protocol.', ANY],
  'identity-provider-redirector': ['Identity Provider Redirector', 'Redirects to default Identity Provider.', ANY],
  'webauthn-authenticator': ['WebAuthn Authenticator', 'Authenticates with a security key as a second factor.', ANY],
  'webauthn-authenticator-passwordless': [
    'WebAuthn Passwordless Authenticator',
    'Authenticates with a passkey instead of user name and password.',
    ANY,
  ],
  'auth-recovery-authn-code-form': [
    'Recovery Authentication Code Form',
    'Validates a Recovery Authentication Code',
    ANY,
  ],
  organization: ['Organization Identity-First Login', 'Shows the username form and looks for an organization.', ANY],
  'conditional-user-configured': [
    'Condition - user configured',
    'Executes the current flow only if authenticators are configured',
    CONDITION,
  ],
  'conditional-level-of-authentication': [
    'Condition - Level of Authentication',
    'Flow is executed only if its level of authentication is asked for and not reached yet.',
    CONDITION,
  ],
  'conditional-user-attribute': [
    'Condition - user attribute',
    'Flow is executed only if the user attribute exists and has the expected value',
    CONDITION,
  ],
  'conditional-client-scope': [
    'Condition - client scope',
    'Flow is executed only if the application gets the given scope.',
    CONDITION,
  ],
  'allow-access-authenticator': ['Allow access', 'Authenticator always allowing access.', CONDITION],
  'deny-access-authenticator': ['Deny access', 'Authenticator always denying access.', CONDITION],
  'conditional-user-role': ['Condition - user role', 'Flow is executed only if user has the given role.', CONDITION],
  'conditional-credential': ['Condition - credential', 'Condition on the credentials used so far.', CONDITION],
  'direct-grant-validate-username': [
    'Username Validation',
    'Validates the username supplied as a username form parameter.',
    ['REQUIRED'],
  ],
  'direct-grant-validate-password': ['Password', 'Validates the password supplied as a password form parameter.', ANY],
  'direct-grant-validate-otp': ['OTP', 'Validates the one time password supplied as otp form parameter.', ANY],
  'reset-credentials-choose-user': ['Choose User', 'Choose a user to reset credentials for', ['REQUIRED']],
  'reset-credential-email': ['Send Reset Email', 'Send email to user and wait for response.', ['REQUIRED']],
  'reset-password': ['Reset Password', 'Sets the Update Password required action if execution is REQUIRED.', ANY],
  'reset-otp': ['Reset OTP', 'Removes existing OTP configurations and asks to set one up.', ANY],
  'registration-page-form': ['Registration Page', 'This is the controller for the registration page', CONDITION],
  'registration-user-creation': ['Registration User Profile Creation', 'Creates the user and its profile.', CONDITION],
  'registration-password-action': [
    'Password Validation',
    'Validates that password matches password confirmation.',
    CONDITION,
  ],
  'registration-recaptcha-action': ['reCAPTCHA', 'Adds Google reCAPTCHA to the form.', CONDITION],
  'registration-terms-and-conditions': [
    'Terms and conditions',
    'Asks the user to accept terms and conditions.',
    CONDITION,
  ],
  'idp-review-profile': [
    'Review Profile',
    'User reviews and updates profile data retrieved from Identity Provider.',
    CONDITION,
  ],
  'idp-create-user-if-unique': ['Create User If Unique', 'Creates a user when none has that email or username.', ANY],
  'idp-confirm-link': ['Confirm link existing account', 'Asks whether to link with an existing account.', CONDITION],
  'idp-email-verification': [
    'Verify existing account by Email',
    'Sends an email to verify the ownership of the account.',
    ANY,
  ],
  'idp-auto-link': ['Automatically set existing user', 'Links an existing user whose trusted email it is.', ANY],
  'idp-detect-existing-broker-user': ['Detect existing broker user', 'Refuses whoever is no user yet.', CONDITION],
  'idp-username-password-form': [
    'Username Password Form for identity provider reauthentication',
    'Validates a password from login form.',
    ['REQUIRED'],
  ],
  'idp-add-organization-member': [
    'Organization Member Onboard',
    'Adds a federated user as a member of an organization',
    CONDITION,
  ],
  'docker-http-basic-authenticator': [
    'Docker Authenticator',
    'Uses HTTP Basic authentication to validate docker users.',
    ['REQUIRED'],
  ],
  'http-basic-authenticator': [
    'HTTP Basic Authentication',
    'Validates username and password from Authorization header',
    CONDITION,
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

/** The client authenticators that this host has. */
export const CLIENT_AUTHENTICATORS = ['client-secret', 'client-jwt', 'client-secret-jwt'];
/** The forms that a flow may consist of. */
export const FORMS = [REGISTRATION_PAGE];
/** The conditions that flows here know. */
const CONDITIONS = KNOWN_CONDITIONS;

/** Steps of this host that take configuration. */
const CONFIGURED = ['identity-provider-redirector', 'idp-review-profile', 'idp-create-user-if-unique'];

/** What is known of a step. One that nobody knows is shown by its id; a plugin's takes configuration. */
export function describeStep(id: string, registry: ProviderRegistry): StepDescription {
  const registered = registry.find(Authenticator, id);
  const known = Object.hasOwn(STEPS, id) ? STEPS[id] : undefined;
  const [displayName, description, requirementChoices] = known ?? [id, registered?.plugin.name ?? '', ANY];
  const configurable = registered?.plugin.builtin === false || CONFIGURED.includes(id) || stepProperties(id).length > 0;
  return { id, displayName, description, requirementChoices, configurable };
}

/** The steps that may be added to a flow: those that this host can run. */
export function stepsToAdd(registry: ProviderRegistry, providerId: string | undefined): string[] {
  if (providerId === 'client-flow') return [...CLIENT_AUTHENTICATORS];
  if (providerId === 'form-flow') return [...REGISTRATION_STEPS];
  const steps = registry.all(Authenticator).map(({ id }) => id);
  return [...steps.filter((id) => !FORMS.includes(id)), ...CONDITIONS];
}
