import test from 'ava';
import { adminCaller, administered } from '../helpers/admin.js';
import { codeRealm } from '../helpers/code-realm.js';
import { inRealm } from '../helpers/host.js';
import { shareHost } from '../helpers/shared-host.js';

const shared = shareHost(test, administered({ realms: [] }));

const ANY = ['REQUIRED', 'ALTERNATIVE', 'DISABLED'];
const ON_OR_OFF = ['REQUIRED', 'DISABLED'];
const ALWAYS = ['REQUIRED'];

interface Row {
  readonly name: string;
  readonly help: string;
  readonly choices: readonly string[];
  /** Name, label, type, default and options of each property. */
  readonly properties?: readonly (readonly [
    name: string,
    label: string,
    type: string,
    given?: string,
    options?: string,
  ])[];
}

/** Recorded from Keycloak 26.7.3. */
const ROWS: Readonly<Record<string, Row>> = {
  'auth-username-form': { name: 'Username Form', help: 'Selects a user from his username.', choices: ALWAYS },
  'auth-password-form': { name: 'Password Form', help: 'Validates a password from login form.', choices: ANY },
  'auth-conditional-otp-form': {
    name: 'Conditional OTP Form',
    help: 'Validates a OTP on a separate OTP form. Only shown if required based on the configured conditions.',
    choices: ANY,
    properties: [
      ['otpControlAttribute', 'OTP control User Attribute', 'String'],
      ['skipOtpRole', 'Skip OTP for Role', 'Role'],
      ['forceOtpRole', 'Force OTP for Role', 'Role'],
      ['noOtpRequiredForHeaderPattern', 'Skip OTP for Header', 'String', ''],
      ['forceOtpForHeaderPattern', 'Force OTP for Header', 'String', ''],
      ['defaultOtpOutcome', 'Fallback OTP handling', 'List', undefined, 'skip,force'],
    ],
  },
  'conditional-sub-flow-executed': {
    name: 'Condition - sub-flow executed',
    help: 'Condition to evaluate if a sub-flow was executed successfully during the authentication process',
    choices: ON_OR_OFF,
    properties: [
      ['flow_to_check', 'Flow name', 'String'],
      ['check_result', 'Check result', 'List', 'executed', 'executed,not-executed'],
    ],
  },
  'user-session-limits': {
    name: 'User session count limiter',
    help: 'Configures how many concurrent sessions a single user is allowed to create for this realm and/or client',
    choices: ON_OR_OFF,
    properties: [
      ['userRealmLimit', 'Maximum concurrent sessions for each user within this realm.', 'String', '3'],
      ['userClientLimit', 'Maximum concurrent sessions for each user per keycloak client.', 'String', '0'],
      [
        ...(['behavior', 'Behavior when user session limit is exceeded', 'List'] as const),
        ...(['Deny new session', 'Deny new session,Terminate oldest session'] as const),
      ],
      ['errorMessage', 'Optional custom error message', 'String'],
    ],
  },
  'http-basic-authenticator': {
    name: 'HTTP Basic Authentication',
    help: 'Validates username and password from Authorization HTTP header',
    choices: ['REQUIRED', 'ALTERNATIVE', 'CONDITIONAL', 'DISABLED'],
  },
  'idp-confirm-override-link': {
    name: 'Confirm override existing link',
    help: 'Confirm override the link if there is an existing broker user linked to the account.',
    choices: ON_OR_OFF,
  },
  'reset-credentials-choose-user': {
    name: 'Choose User',
    help: 'Choose a user to reset credentials for',
    choices: ALWAYS,
  },
  'reset-credential-email': {
    name: 'Send Reset Email',
    help: 'Send email to user and wait for response.',
    choices: ALWAYS,
    properties: [['force-login', 'Force login after reset', 'List', 'only-federated', 'true,false,only-federated']],
  },
  'reset-password': {
    name: 'Reset Password',
    help: 'Sets the Update Password required action if execution is REQUIRED.  Will also set it if execution is OPTIONAL and the password is currently configured for it.',
    choices: ANY,
  },
  'reset-otp': {
    name: 'Reset OTP',
    help: "Removes existing OTP configurations (if chosen) and sets the 'Configure OTP' required action.",
    choices: ANY,
    properties: [
      [
        ...(['action_on_otp_reset_flag', 'Action on OTP reset.', 'List'] as const),
        ...(['Remove none', 'Remove none,Remove one,Remove all'] as const),
      ],
    ],
  },
};

interface Property {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly defaultValue?: string;
  readonly options?: readonly string[];
}

test('step catalogue: steps and their settings are listed and described as in Keycloak', async (t) => {
  const host = await inRealm(shared(), (name) => codeRealm(name, { providers: {} }));
  const call = await adminCaller(host);
  const base = `/realms/${host.defaultRealm}/authentication`;
  await call('POST', `${base}/flows`, { alias: 'all', providerId: 'basic-flow', topLevel: true });
  const listed = (await call('GET', `${base}/authenticator-providers`)).json as unknown as Record<string, string>[];
  const { providers } = (await call('GET', '/serverinfo')).json as unknown as {
    providers: Record<string, { providers: Record<string, { operationalInfo?: object }> }>;
  };
  for (const [id, { name, help, properties = [] }] of Object.entries(ROWS)) {
    t.like(
      listed.find((one) => one.id === id),
      { displayName: name, description: help },
      id,
    );
    t.truthy(providers.authenticator?.providers[id], id);
    t.is(providers.authenticator?.providers[id]?.operationalInfo, undefined, id);
    const added = await call('POST', `${base}/flows/all/executions/execution`, { provider: id });
    t.deepEqual([added.status, added.headers.get('keyhost-ignored')], [201, null], id);
    const { json } = await call('GET', `${base}/config-description/${id}`);
    const described = json as unknown as { name: string; helpText: string; properties: Property[] };
    t.deepEqual([described.name, described.helpText], [name, help]);
    t.deepEqual(
      described.properties.map((one) => [one.name, one.label, one.type, one.defaultValue, one.options?.join()]),
      properties.map(([key, label, type, given, options]) => [key, label, type, given, options]),
      id,
    );
  }
  const executions = (await call('GET', `${base}/flows/all/executions`)).json as unknown as Record<string, unknown>[];
  for (const { providerId, requirementChoices, configurable } of executions) {
    const { choices = [], properties } = ROWS[String(providerId)] ?? {};
    // A new step is DISABLED here even if its choices lack that value, and so the list contains DISABLED.
    const shown = choices.includes('DISABLED') ? choices : [...choices, 'DISABLED'];
    t.deepEqual([requirementChoices, configurable], [shown, properties !== undefined], String(providerId));
  }
});
