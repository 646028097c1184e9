import type {
  AuthenticatorConfigRepresentation,
  ExecutionRepresentation,
  FlowRepresentation,
} from '../../model/representation.js';

/** A flow with the flows that it contains. */
type BuiltInFlow = readonly [FlowRepresentation, ...FlowRepresentation[]];

/**
 * Keycloak's flows, which a realm has if its `authenticationFlows` do not contain one of that name. The
 * flows of clients, Docker and SAML ECP do not run here. They are shown and can be bound, as in Keycloak.
 */
const BUILT_IN_FLOWS: readonly BuiltInFlow[] = [
  [
    createFlow('browser', 'Browser based authentication', [
      createStep('auth-cookie', 'ALTERNATIVE', 10),
      createStep('auth-spnego', 'DISABLED', 20),
      createStep('identity-provider-redirector', 'ALTERNATIVE', 25),
      subFlow('forms', 'ALTERNATIVE', 30),
    ]),
    nestedFlow('forms', 'Username, password, otp and other auth forms.', [
      createStep('auth-username-password-form', 'REQUIRED', 10),
      subFlow('Browser - Conditional 2FA', 'CONDITIONAL', 20),
    ]),
    secondFactors('Browser - Conditional 2FA', 'browser-conditional-credential'),
  ],
  [
    createFlow('direct grant', 'OpenID Connect Resource Owner Grant', [
      createStep('direct-grant-validate-username', 'REQUIRED', 10),
      createStep('direct-grant-validate-password', 'REQUIRED', 20),
      subFlow('Direct Grant - Conditional OTP', 'CONDITIONAL', 30),
    ]),
    nestedFlow('Direct Grant - Conditional OTP', 'Flow to determine if the OTP is required for the authentication', [
      createStep('conditional-user-configured', 'REQUIRED', 10),
      createStep('direct-grant-validate-otp', 'REQUIRED', 20),
    ]),
  ],
  [
    createFlow('registration', 'Registration flow', [
      { ...subFlow('registration form', 'REQUIRED', 10), authenticator: 'registration-page-form' },
    ]),
    {
      ...nestedFlow('registration form', 'Registration form', [
        createStep('registration-user-creation', 'REQUIRED', 20),
        createStep('registration-password-action', 'REQUIRED', 50),
        createStep('registration-recaptcha-action', 'DISABLED', 60),
        createStep('registration-terms-and-conditions', 'DISABLED', 70),
      ]),
      providerId: 'form-flow',
    },
  ],
  [
    createFlow('reset credentials', 'Reset credentials for a user if they forgot their password or something', [
      createStep('reset-credentials-choose-user', 'REQUIRED', 10),
      createStep('reset-credential-email', 'REQUIRED', 20),
      createStep('reset-password', 'REQUIRED', 30),
      subFlow('Reset - Conditional OTP', 'CONDITIONAL', 40),
    ]),
    nestedFlow(
      'Reset - Conditional OTP',
      'Flow to determine if the OTP should be reset or not. Set to REQUIRED to force.',
      [createStep('conditional-user-configured', 'REQUIRED', 10), createStep('reset-otp', 'REQUIRED', 20)],
    ),
  ],
  [
    {
      ...createFlow('clients', 'Base authentication for clients', [
        createStep('client-secret', 'ALTERNATIVE', 10),
        createStep('client-jwt', 'ALTERNATIVE', 20),
        createStep('client-secret-jwt', 'ALTERNATIVE', 30),
        createStep('client-x509', 'ALTERNATIVE', 40),
        createStep('federated-jwt', 'ALTERNATIVE', 50),
      ]),
      providerId: 'client-flow',
    },
  ],
  [
    createFlow(
      'first broker login',
      'Actions taken after first broker login with identity provider account, which is not yet linked to any account',
      [
        { ...createStep('idp-review-profile', 'REQUIRED', 10), authenticatorConfig: 'review profile config' },
        subFlow('User creation or linking', 'REQUIRED', 20),
      ],
    ),
    nestedFlow('User creation or linking', 'Flow for the existing/non-existing user alternatives', [
      {
        ...createStep('idp-create-user-if-unique', 'ALTERNATIVE', 10),
        authenticatorConfig: 'create unique user config',
      },
      subFlow('Handle Existing Account', 'ALTERNATIVE', 20),
    ]),
    nestedFlow('Handle Existing Account', 'Handle what to do if there is existing account with same email/username', [
      createStep('idp-confirm-link', 'REQUIRED', 10),
      subFlow('Account verification options', 'REQUIRED', 20),
    ]),
    nestedFlow('Account verification options', 'Method with which to verity the existing account', [
      createStep('idp-email-verification', 'ALTERNATIVE', 10),
      subFlow('Verify Existing Account by Re-authentication', 'ALTERNATIVE', 20),
    ]),
    nestedFlow('Verify Existing Account by Re-authentication', 'Reauthentication of existing account', [
      createStep('idp-username-password-form', 'REQUIRED', 10),
      subFlow('First broker login - Conditional 2FA', 'CONDITIONAL', 20),
    ]),
    // Stricter than Keycloak: once the account is linked, a login with it asks for no second factor.
    secondFactors('First broker login - Conditional 2FA', 'first-broker-login-conditional-credential', 'ALTERNATIVE'),
  ],
  [
    createFlow('docker auth', 'Used by Docker clients to authenticate against the IDP', [
      createStep('docker-http-basic-authenticator', 'REQUIRED', 10),
    ]),
  ],
  [
    createFlow('saml ecp', 'SAML ECP Profile Authentication Flow', [
      createStep('http-basic-authenticator', 'REQUIRED', 10),
    ]),
  ],
];

/**
 * The configurations of steps in built-in flows. A user who signed in with a passwordless passkey is not asked for a
 * second factor.
 */
const BUILT_IN_CONFIGS: readonly AuthenticatorConfigRepresentation[] = [
  { alias: 'browser-conditional-credential', config: { credentials: 'webauthn-passwordless' } },
  { alias: 'first-broker-login-conditional-credential', config: { credentials: 'webauthn-passwordless' } },
  { alias: 'review profile config', config: { 'update.profile.on.first.login': 'missing' } },
  { alias: 'create unique user config', config: { 'require.password.update.after.registration': 'false' } },
];

/** Returns the configurations of a realm's steps: its own, and built-in ones with other names. */
export function configsWithBuiltIns(
  own: readonly AuthenticatorConfigRepresentation[] = [],
): readonly AuthenticatorConfigRepresentation[] {
  return [...own, ...BUILT_IN_CONFIGS.filter(({ alias }) => !own.some((one) => one.alias === alias))];
}

/** Returns the built-in flow of that name, followed by the flows in it; undefined if there is none. */
export function builtInFlow(alias: string): readonly FlowRepresentation[] | undefined {
  return BUILT_IN_FLOWS.find(([top]) => top.alias === alias);
}

/** Returns each built-in flow, followed by the flows in it. */
export function builtInFlows(): readonly (readonly FlowRepresentation[])[] {
  return BUILT_IN_FLOWS;
}

/** Returns the flows of a realm: its own, and built-in ones with other names. */
export function flowsWithBuiltIns(ownFlows: readonly FlowRepresentation[] = []): readonly FlowRepresentation[] {
  const ownAliases = new Set(ownFlows.map(({ alias }) => alias));
  return [
    ...ownFlows,
    ...BUILT_IN_FLOWS.filter(([{ alias }]) => !ownAliases.has(alias)).flatMap((flows) =>
      withFreeAliases(flows, ownAliases),
    ),
  ];
}

/** Renames flows inside a built-in flow if the realm has a flow of its own with that name. */
function withFreeAliases(flows: BuiltInFlow, ownAliases: ReadonlySet<string>): FlowRepresentation[] {
  const top = flows[0].alias;
  const freeAlias = (alias: string) => (alias !== top && ownAliases.has(alias) ? `${top} ${alias}` : alias);
  return flows.map(({ authenticationExecutions = [], ...rest }) => ({
    ...rest,
    alias: freeAlias(rest.alias),
    authenticationExecutions: authenticationExecutions.map((execution) =>
      execution.flowAlias === undefined ? execution : { ...execution, flowAlias: freeAlias(execution.flowAlias) },
    ),
  }));
}

function createFlow(alias: string, description: string, executions: ExecutionRepresentation[]): FlowRepresentation {
  return {
    alias,
    description,
    providerId: 'basic-flow',
    topLevel: true,
    builtIn: true,
    authenticationExecutions: executions,
  };
}

/** Keycloak’s second factors. Only the one-time password is enabled, unless `otherRequirement` enables the others. */
function secondFactors(alias: string, authenticatorConfig: string, otherRequirement = 'DISABLED'): FlowRepresentation {
  return nestedFlow(alias, 'Flow to determine if any 2FA is required for the authentication', [
    createStep('conditional-user-configured', 'REQUIRED', 10),
    { ...createStep('conditional-credential', 'REQUIRED', 20), authenticatorConfig },
    createStep('auth-otp-form', 'ALTERNATIVE', 30),
    createStep('webauthn-authenticator', otherRequirement, 40),
    createStep('auth-recovery-authn-code-form', otherRequirement, 50),
  ]);
}

function nestedFlow(alias: string, description: string, executions: ExecutionRepresentation[]): FlowRepresentation {
  return { ...createFlow(alias, description, executions), topLevel: false };
}

function createStep(authenticator: string, requirement: string, priority: number): ExecutionRepresentation {
  return { authenticator, authenticatorFlow: false, requirement, priority, userSetupAllowed: false };
}

function subFlow(flowAlias: string, requirement: string, priority: number): ExecutionRepresentation {
  return { authenticatorFlow: true, flowAlias, requirement, priority, userSetupAllowed: false };
}
