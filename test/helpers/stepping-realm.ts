import { codeAt } from '../../core/login/steps/otp/one-time-password.js';
import type {
  ExecutionRepresentation,
  RealmRepresentation,
  UserRepresentation,
} from '../../core/model/representation.js';

const SECRET = 'rkQ2mYqH1bX0c9ZpLw7T';
const LEVEL = 'conditional-level-of-authentication';

type Step = ExecutionRepresentation;
export const step = (authenticator: string, requirement = 'REQUIRED', authenticatorConfig?: string): Step => ({
  authenticator,
  requirement,
  ...(authenticatorConfig === undefined ? {} : { authenticatorConfig }),
});
export const inner = (flowAlias: string, requirement: string): Step => ({
  flowAlias,
  authenticatorFlow: true,
  requirement,
});
export const flow = (alias: string, ...authenticationExecutions: Step[]) => ({
  alias,
  topLevel: alias === 'stepping',
  providerId: 'basic-flow',
  authenticationExecutions: authenticationExecutions.map((one, priority) => ({ ...one, priority })),
});

/**
 * The flow in Keycloak's documentation: a password is level 1 for ten hours, a one-time password level 2 for five
 * minutes.
 */
export const STEPPING: Partial<RealmRepresentation> = {
  browserFlow: 'stepping',
  attributes: { 'acr.loa.map': '{"silver":1,"gold":2}' },
  authenticationFlows: [
    flow('stepping', step('auth-cookie', 'ALTERNATIVE'), inner('forms', 'ALTERNATIVE')),
    flow('forms', inner('first', 'CONDITIONAL'), inner('second', 'CONDITIONAL')),
    flow('first', step(LEVEL, 'REQUIRED', 'one'), step('auth-username-password-form')),
    flow('second', step(LEVEL, 'REQUIRED', 'two'), step('auth-otp-form')),
  ],
  authenticatorConfig: [
    { id: 'one', alias: 'one', config: { 'loa-condition-level': '1', 'loa-max-age': '36000' } },
    { id: 'two', alias: 'two', config: { 'loa-condition-level': '2', 'loa-max-age': '300' } },
  ],
};

/** The users, in which alice has an authenticator app. */
export function withApp(users: readonly UserRepresentation[] = []): UserRepresentation[] {
  const credentialData = { subType: 'totp', digits: 6, counter: 0, period: 30, algorithm: 'HmacSHA1' };
  const otp = {
    type: 'otp',
    secretData: JSON.stringify({ value: SECRET }),
    credentialData: JSON.stringify(credentialData),
  };
  return users.map((user) =>
    user.username === 'alice' ? { ...user, credentials: [...(user.credentials ?? []), otp] } : user,
  );
}

/** The code in alice's app at that time, in milliseconds. */
export function codeOfApp(now: number): string {
  return codeAt(Buffer.from(SECRET), Math.floor(now / 30_000), { digits: 6, algorithm: 'HmacSHA1' });
}
