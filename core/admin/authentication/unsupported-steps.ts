import type { JsonSchema } from '@keyhost/spi';
import { X509_SETTINGS } from './x509-settings.js';

/** The description of a step of Keycloak that this host does not support. */
export interface UnsupportedStep {
  readonly displayName: string;
  readonly helpText: string;
  readonly requirements: readonly string[];
  readonly settings?: JsonSchema;
}

const EXECUTION_REQUIREMENTS = ['REQUIRED', 'ALTERNATIVE', 'DISABLED'];
const ON_OR_OFF = ['REQUIRED', 'DISABLED'];
const REQUIRED_ONLY = ['REQUIRED'];
const TEXT = { type: 'string' } as const;
const SWITCH = { type: 'boolean' } as const;

/** Keycloak's authenticators that this host does not support. Flows may contain them, but no user can complete one. */
export const UNSUPPORTED_AUTHENTICATORS: Readonly<Record<string, UnsupportedStep>> = withUnsupportedNote({
  'auth-spnego': {
    displayName: 'Kerberos',
    helpText: 'Signs users in with SPNEGO.',
    requirements: EXECUTION_REQUIREMENTS,
  },
  'auth-x509-client-username-form': {
    displayName: 'X509/Validate Username Form',
    helpText: 'Finds the user by the client certificate of the browser.',
    requirements: EXECUTION_REQUIREMENTS,
    settings: X509_SETTINGS,
  },
  'direct-grant-auth-x509-username': {
    displayName: 'X509/Validate Username',
    helpText: 'Finds the user by the client certificate of the token request.',
    requirements: REQUIRED_ONLY,
    settings: X509_SETTINGS,
  },
  'docker-http-basic-authenticator': {
    displayName: 'Docker Authenticator',
    helpText: 'Signs Docker users in with HTTP Basic.',
    requirements: REQUIRED_ONLY,
  },
  'idp-add-organization-member': {
    displayName: 'Organization Member Onboard',
    helpText: 'Makes users of an identity provider members of its organization.',
    requirements: EXECUTION_REQUIREMENTS,
  },
  organization: {
    displayName: 'Organization Identity-First Login',
    helpText: "Asks for the username, and leads to the identity provider of the user's organization.",
    requirements: EXECUTION_REQUIREMENTS,
    settings: settingsSchema({ requiresUserMembership: { ...SWITCH, title: 'Requires user membership' } }),
  },
});

const RECAPTCHA = {
  action: { ...TEXT, title: 'Action Name', default: 'register' },
  useRecaptchaNet: { ...SWITCH, title: 'Use recaptcha.net', default: false },
  'recaptcha.v3': { ...SWITCH, title: 'reCAPTCHA v3', default: false },
};
const SITE_KEY = { 'site.key': { ...TEXT, title: 'reCAPTCHA Site Key' } };

/** Keycloak's form actions that this host does not support. While one is enabled, no user can register. */
export const UNSUPPORTED_FORM_ACTIONS: Readonly<Record<string, UnsupportedStep>> = withUnsupportedNote({
  'registration-recaptcha-action': {
    displayName: 'reCAPTCHA',
    helpText: 'Adds Google reCAPTCHA to the form.',
    requirements: ON_OR_OFF,
    settings: settingsSchema({
      ...SITE_KEY,
      'secret.key': { ...TEXT, format: 'password', title: 'reCAPTCHA Secret' },
      ...RECAPTCHA,
    }),
  },
  'registration-recaptcha-enterprise': {
    displayName: 'reCAPTCHA Enterprise',
    helpText: 'Adds Google reCAPTCHA Enterprise to the form.',
    requirements: ON_OR_OFF,
    settings: settingsSchema({
      'project.id': { ...TEXT, title: 'Project ID' },
      ...SITE_KEY,
      'api.key': { ...TEXT, format: 'password', title: 'Google API Key' },
      'score.threshold': { ...TEXT, title: 'Min. Score Threshold', default: '0.7' },
      ...RECAPTCHA,
    }),
  },
});

/** Keycloak's client authenticators that this host does not support. No client can authenticate with one. */
export const UNSUPPORTED_CLIENT_AUTHENTICATORS: Readonly<Record<string, UnsupportedStep>> = withUnsupportedNote({
  'client-x509': {
    displayName: 'X509 Certificate',
    helpText: 'Verifies clients by a TLS certificate.',
    requirements: EXECUTION_REQUIREMENTS,
  },
  'federated-jwt': {
    displayName: 'Signed JWT - Federated',
    helpText: 'Verifies clients by a JWT that an identity provider signed.',
    requirements: EXECUTION_REQUIREMENTS,
  },
});

/** All steps that this host does not support, by ID. */
export const UNSUPPORTED_STEPS: Readonly<Record<string, UnsupportedStep>> = {
  ...UNSUPPORTED_AUTHENTICATORS,
  ...UNSUPPORTED_FORM_ACTIONS,
  ...UNSUPPORTED_CLIENT_AUTHENTICATORS,
};

/** True for a step of Keycloak that this host does not support. */
export function isUnsupportedStep(id: string): boolean {
  return [UNSUPPORTED_AUTHENTICATORS, UNSUPPORTED_FORM_ACTIONS, UNSUPPORTED_CLIENT_AUTHENTICATORS].some((steps) =>
    Object.hasOwn(steps, id),
  );
}

/** Adds to each help text that the step is not supported, so that admins see it when they choose a step. */
function withUnsupportedNote(
  steps: Readonly<Record<string, UnsupportedStep>>,
): Readonly<Record<string, UnsupportedStep>> {
  return Object.fromEntries(
    Object.entries(steps).map(([id, step]) => [
      id,
      { ...step, helpText: `${step.helpText} Keyhost does not support it: nobody gets past it.` },
    ]),
  );
}

function settingsSchema(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema {
  return { type: 'object', properties, required };
}
