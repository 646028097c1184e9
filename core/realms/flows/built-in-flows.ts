import type {
  AuthenticatorConfigRepresentation,
  ExecutionRepresentation,
  FlowRepresentation,
} from '../../model/representation.js';

/** A flow with the flows that it contains. */
type BuiltInFlow = readonly [FlowRepresentation, ...FlowRepresentation[]];

/**
 * Keycloak's flows for those that a realm's `authenticationFlows` lack. The browser flow, the direct grant and the
 * first broker login have the step for users with a second factor; then there is registration. The others do not run
 * here yet; they are shown and can be bound, as in Keycloak.
 */
const BUILT_IN_FLOWS: readonly BuiltInFlow[] = [
  [
    flow('browser', 'Browser based authentication', [
      step('auth-cookie', 'ALTERNATIVE', 10),
      step('auth-spnego', 'DISABLED', 20),
      step('identity-provider-redirector', 'ALTERNATIVE', 25),
      subFlow('forms', 'ALTERNATIVE', 30),
    ]),
    inner('forms', 'Username, password, otp and other auth forms.', [
      step('auth-username-password-form', 'REQUIRED', 10),
      subFlow('Browser - Conditional 2FA', 'CONDITIONAL', 20),
    ]),
    secondFactors('Browser - Conditional 2FA', 'browser-conditional-credential'),
  ],
  [
    flow('direct grant', 'OpenID Connect Resource Owner Grant', [
      step('direct-grant-validate-username', 'REQUIRED', 10),
      step('direct-grant-validate-password', 'REQUIRED', 20),
      subFlow('Direct Grant - Conditional OTP', 'CONDITIONAL', 30),
    ]),
    inner('Direct Grant - Conditional OTP', 'Flow to determine if the OTP is required for the authentication', [
      step('conditional-user-configured', 'REQUIRED', 10),
      step('direct-grant-validate-otp', 'REQUIRED', 20),
    ]),
  ],
  [
    flow('registration', 'Registration flow', [
      { ...subFlow('registration form', 'REQUIRED', 10), authenticator: 'registration-page-form' },
    ]),
    {
      ...inner('registration form', 'Registration form', [
        step('registration-user-creation', 'REQUIRED', 20),
        step('registration-password-action', 'REQUIRED', 50),
        step('registration-recaptcha-action', 'DISABLED', 60),
        step('registration-terms-and-conditions', 'DISABLED', 70),
      ]),
      providerId: 'form-flow',
    },
  ],
  [
    flow('reset credentials', 'Reset credentials for a user if they forgot their password or something', [
      step('reset-credentials-choose-user', 'REQUIRED', 10),
      step('reset-credential-email', 'REQUIRED', 20),
      step('reset-password', 'REQUIRED', 30),
      subFlow('Reset - Conditional OTP', 'CONDITIONAL', 40),
    ]),
    inner('Reset - Conditional OTP', 'Flow to determine if the OTP should be reset or not. Set to REQUIRED to force.', [
      step('conditional-user-configured', 'REQUIRED', 10),
      step('reset-otp', 'REQUIRED', 20),
    ]),
  ],
  [
    {
      ...flow('clients', 'Base authentication for clients', [
        step('client-secret', 'ALTERNATIVE', 10),
        step('client-jwt', 'ALTERNATIVE', 20),
        step('client-secret-jwt', 'ALTERNATIVE', 30),
        step('client-x509', 'ALTERNATIVE', 40),
        step('federated-jwt', 'ALTERNATIVE', 50),
      ]),
      providerId: 'client-flow',
    },
  ],
  [
    flow(
      'first broker login',
      'Actions taken after first broker login with identity provider account, which is not yet linked to any account',
      [
        { ...step('idp-review-profile', 'REQUIRED', 10), authenticatorConfig: 'review profile config' },
        subFlow('User creation or linking', 'REQUIRED', 20),
      ],
    ),
    inner('User creation or linking', 'Flow for the existing/non-existing user alternatives', [
      { ...step('idp-create-user-if-unique', 'ALTERNATIVE', 10), authenticatorConfig: 'create unique user config' },
      subFlow('Handle Existing Account', 'ALTERNATIVE', 20),
    ]),
    inner('Handle Existing Account', 'Handle what to do if there is existing account with same email/username', [
      step('idp-confirm-link', 'REQUIRED', 10),
      subFlow('Account verification options', 'REQUIRED', 20),
    ]),
    inner('Account verification options', 'Method with which to verity the existing account', [
      step('idp-email-verification', 'ALTERNATIVE', 10),
      subFlow('Verify Existing Account by Re-authentication', 'ALTERNATIVE', 20),
    ]),
    inner('Verify Existing Account by Re-authentication', 'Reauthentication of existing account', [
      step('idp-username-password-form', 'REQUIRED', 10),
      subFlow('First broker login - Conditional 2FA', 'CONDITIONAL', 20),
    ]),
    // Stricter than Keycloak: once the account is linked, a login with it asks for no second factor.
    secondFactors('First broker login - Conditional 2FA', 'first-broker-login-conditional-credential', 'ALTERNATIVE'),
  ],
  [
    flow('docker auth', 'Used by Docker clients to authenticate against the IDP', [
      step('docker-http-basic-authenticator', 'REQUIRED', 10),
    ]),
  ],
  [flow('saml ecp', 'SAML ECP Profile Authentication Flow', [step('http-basic-authenticator', 'REQUIRED', 10)])],
];

/** Configurations of their steps. A user who signed in with a passwordless passkey is not asked for a second factor. */
const BUILT_IN_CONFIGS: readonly AuthenticatorConfigRepresentation[] = [
  { alias: 'browser-conditional-credential', config: { credentials: 'webauthn-passwordless' } },
  { alias: 'first-broker-login-conditional-credential', config: { credentials: 'webauthn-passwordless' } },
  { alias: 'review profile config', config: { 'update.profile.on.first.login': 'missing' } },
  { alias: 'create unique user config', config: { 'require.password.update.after.registration': 'false' } },
];

/** The configurations of a realm's steps: its own, and the built-in ones whose name it has not taken. */
export function configsWithBuiltIns(
  own: readonly AuthenticatorConfigRepresentation[] = [],
): readonly AuthenticatorConfigRepresentation[] {
  return [...own, ...BUILT_IN_CONFIGS.filter(({ alias }) => !own.some((one) => one.alias === alias))];
}

/** The built-in flow of that name, first, and the flows in it; undefined when there is none. */
export function builtInFlow(alias: string): readonly FlowRepresentation[] | undefined {
  return BUILT_IN_FLOWS.find(([top]) => top.alias === alias);
}

/** Each built-in flow, first, with the flows in it. */
export function builtInFlows(): readonly (readonly FlowRepresentation[])[] {
  return BUILT_IN_FLOWS;
}

/** The flows of a realm: its own, and the built-in ones whose name it has not taken. */
export function flowsWithBuiltIns(own: readonly FlowRepresentation[] = []): readonly FlowRepresentation[] {
  const taken = new Set(own.map(({ alias }) => alias));
  return [
    ...own,
    ...BUILT_IN_FLOWS.filter(([{ alias }]) => !taken.has(alias)).flatMap((flows) => renamed(flows, taken)),
  ];
}

/** A realm may call a flow of its own as one inside a built-in flow is called: the built-in one gets a longer name. */
function renamed(flows: BuiltInFlow, taken: ReadonlySet<string>): FlowRepresentation[] {
  const top = flows[0].alias;
  const name = (alias: string) => (alias !== top && taken.has(alias) ? `${top} ${alias}` : alias);
  return flows.map(({ authenticationExecutions = [], ...rest }) => ({
    ...rest,
    alias: name(rest.alias),
    authenticationExecutions: authenticationExecutions.map((execution) =>
      execution.flowAlias === undefined ? execution : { ...execution, flowAlias: name(execution.flowAlias) },
    ),
  }));
}

function flow(alias: string, description: string, executions: ExecutionRepresentation[]): FlowRepresentation {
  return {
    alias,
    description,
    providerId: 'basic-flow',
    topLevel: true,
    builtIn: true,
    authenticationExecutions: executions,
  };
}

/** Keycloak’s second factors. Only the one-time password is enabled unless `others` changes that. */
function secondFactors(alias: string, authenticatorConfig: string, others = 'DISABLED'): FlowRepresentation {
  return inner(alias, 'Flow to determine if any 2FA is required for the authentication', [
    step('conditional-user-configured', 'REQUIRED', 10),
    { ...step('conditional-credential', 'REQUIRED', 20), authenticatorConfig },
    step('auth-otp-form', 'ALTERNATIVE', 30),
    step('webauthn-authenticator', others, 40),
    step('auth-recovery-authn-code-form', others, 50),
  ]);
}

function inner(alias: string, description: string, executions: ExecutionRepresentation[]): FlowRepresentation {
  return { ...flow(alias, description, executions), topLevel: false };
}

function step(authenticator: string, requirement: string, priority: number): ExecutionRepresentation {
  return { authenticator, authenticatorFlow: false, requirement, priority, userSetupAllowed: false };
}

function subFlow(flowAlias: string, requirement: string, priority: number): ExecutionRepresentation {
  return { authenticatorFlow: true, flowAlias, requirement, priority, userSetupAllowed: false };
}
