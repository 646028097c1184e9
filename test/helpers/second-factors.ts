import type { ExecutionRepresentation, RealmRepresentation } from '../../core/model/representation.js';

type Changes = Partial<RealmRepresentation>;

/** Keycloak's browser flow with all of its second factors enabled. */
export function secondFactorFlows(): Changes {
  const step = (authenticator: string, requirement: string, priority: number): ExecutionRepresentation => ({
    authenticator,
    requirement,
    priority,
  });
  const sub = (flowAlias: string, requirement: string, priority: number): ExecutionRepresentation => ({
    authenticatorFlow: true,
    flowAlias,
    requirement,
    priority,
  });
  return {
    authenticationFlows: [
      {
        alias: 'browser',
        authenticationExecutions: [step('auth-cookie', 'ALTERNATIVE', 10), sub('forms', 'ALTERNATIVE', 30)],
      },
      {
        alias: 'forms',
        authenticationExecutions: [
          step('auth-username-password-form', 'REQUIRED', 10),
          sub('Browser - Conditional 2FA', 'CONDITIONAL', 20),
        ],
      },
      {
        alias: 'Browser - Conditional 2FA',
        authenticationExecutions: [
          step('conditional-user-configured', 'REQUIRED', 10),
          {
            ...step('conditional-credential', 'REQUIRED', 20),
            authenticatorConfig: 'browser-conditional-credential',
          },
          step('auth-otp-form', 'ALTERNATIVE', 30),
          step('webauthn-authenticator', 'ALTERNATIVE', 40),
          step('auth-recovery-authn-code-form', 'ALTERNATIVE', 50),
        ],
      },
    ],
  };
}

/** A browser flow that only asks for a passkey. */
export function passwordlessFlow(): Changes {
  const requirement = 'REQUIRED';
  return {
    authenticationFlows: [
      {
        alias: 'browser',
        authenticationExecutions: [{ authenticator: 'webauthn-authenticator-passwordless', requirement }],
      },
    ],
  };
}
