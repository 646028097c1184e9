import type { JsonSchema } from '@keyhost/spi';
import { X509_SETTINGS } from './x509-settings.js';

/** The description of a step for which this host has no provider. */
export interface UnprovidedStep {
  readonly displayName: string;
  readonly helpText: string;
  readonly requirements: readonly string[];
  readonly settings?: JsonSchema;
}

const ANY = ['REQUIRED', 'ALTERNATIVE', 'DISABLED'];
const ON_OR_OFF = ['REQUIRED', 'DISABLED'];
const ALWAYS = ['REQUIRED'];
const TEXT = { type: 'string' } as const;
const SWITCH = { type: 'boolean' } as const;

/** Keycloak's authenticators that this host lacks. Flows may contain them, but no user can complete one. */
export const MISSING_AUTHENTICATORS: Readonly<Record<string, UnprovidedStep>> = withUnsupportedNote({
  'auth-spnego': { displayName: 'Kerberos', helpText: 'Signs users in with SPNEGO.', requirements: ANY },
  'auth-x509-client-username-form': {
    displayName: 'X509/Validate Username Form',
    helpText: 'Finds the user by the client certificate of the browser.',
    requirements: ANY,
    settings: X509_SETTINGS,
  },
  'direct-grant-auth-x509-username': {
    displayName: 'X509/Validate Username',
    helpText: 'Finds the user by the client certificate of the token request.',
    requirements: ALWAYS,
    settings: X509_SETTINGS,
  },
  'docker-http-basic-authenticator': {
    displayName: 'Docker Authenticator',
    helpText: 'Signs Docker users in with HTTP Basic.',
    requirements: ALWAYS,
  },
  'idp-add-organization-member': {
    displayName: 'Organization Member Onboard',
    helpText: 'Makes users of an identity provider members of its organization.',
    requirements: ANY,
  },
  organization: {
    displayName: 'Organization Identity-First Login',
    helpText: "Asks for the username, and leads to the identity provider of the user's organization.",
    requirements: ANY,
    settings: settings({ requiresUserMembership: { ...SWITCH, title: 'Requires user membership' } }),
  },
});

const RECAPTCHA = {
  action: { ...TEXT, title: 'Action Name', default: 'register' },
  useRecaptchaNet: { ...SWITCH, title: 'Use recaptcha.net', default: false },
  'recaptcha.v3': { ...SWITCH, title: 'reCAPTCHA v3', default: false },
};
const SITE_KEY = { 'site.key': { ...TEXT, title: 'reCAPTCHA Site Key' } };

/** Keycloak's form actions that this host lacks. While one is enabled, no user can register. */
export const MISSING_FORM_ACTIONS: Readonly<Record<string, UnprovidedStep>> = withUnsupportedNote({
  'registration-recaptcha-action': {
    displayName: 'reCAPTCHA',
    helpText: 'Adds Google reCAPTCHA to the form.',
    requirements: ON_OR_OFF,
    settings: settings({
      ...SITE_KEY,
      'secret.key': { ...TEXT, format: 'password', title: 'reCAPTCHA Secret' },
      ...RECAPTCHA,
    }),
  },
  'registration-recaptcha-enterprise': {
    displayName: 'reCAPTCHA Enterprise',
    helpText: 'Adds Google reCAPTCHA Enterprise to the form.',
    requirements: ON_OR_OFF,
    settings: settings({
      'project.id': { ...TEXT, title: 'Project ID' },
      ...SITE_KEY,
      'api.key': { ...TEXT, format: 'password', title: 'Google API Key' },
      'score.threshold': { ...TEXT, title: 'Min. Score Threshold', default: '0.7' },
      ...RECAPTCHA,
    }),
  },
});

/** Keycloak's client authenticators that this host lacks. No client can authenticate with one. */
export const MISSING_CLIENT_AUTHENTICATORS: Readonly<Record<string, UnprovidedStep>> = withUnsupportedNote({
  'client-x509': {
    displayName: 'X509 Certificate',
    helpText: 'Verifies clients by a TLS certificate.',
    requirements: ANY,
  },
  'federated-jwt': {
    displayName: 'Signed JWT - Federated',
    helpText: 'Verifies clients by a JWT that an identity provider signed.',
    requirements: ANY,
  },
});

/** All steps that this host lacks, by ID. */
export const UNPROVIDED_STEPS: Readonly<Record<string, UnprovidedStep>> = {
  ...MISSING_AUTHENTICATORS,
  ...MISSING_FORM_ACTIONS,
  ...MISSING_CLIENT_AUTHENTICATORS,
};

/** True for a step that Keycloak has and this host lacks. */
export function isMissing(id: string): boolean {
  return [MISSING_AUTHENTICATORS, MISSING_FORM_ACTIONS, MISSING_CLIENT_AUTHENTICATORS].some((some) =>
    Object.hasOwn(some, id),
  );
}

/** Adds to each help text that the step does not work here, for admins who choose a step. */
function withUnsupportedNote(
  steps: Readonly<Record<string, UnprovidedStep>>,
): Readonly<Record<string, UnprovidedStep>> {
  return Object.fromEntries(
    Object.entries(steps).map(([id, step]) => [
      id,
      { ...step, helpText: `${step.helpText} Keyhost does not support it: nobody gets past it.` },
    ]),
  );
}

function settings(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[] = []): JsonSchema {
  return { type: 'object', properties, required };
}
