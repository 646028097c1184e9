import { type AuthenticationContext, Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';
import { Patterns } from '../../../model/patterns.js';
import type { Realm } from '../../../model/realm.js';
import { CONDITIONAL_OTP, headerPattern } from '../../../realms/flows/header-patterns.js';
import type { HostSession } from '../../../registry/sessions/host-session.js';
import { attributeValues } from '../../../users/profile/attribute-values.js';
import type { Users } from '../../../users/users.js';
import { hasRole } from '../../conditions/has-role.js';
import type { OtpCredentials } from './otp-credentials.js';
import { otpForm } from './otp-form.js';

type Config = AuthenticationContext['config'];
type Headers = ReturnType<NonNullable<HostSession['caller']['headers']>>;
/** The decision of a rule; undefined if it leaves the decision to the next rule. */
type OtpDecision = 'skip' | 'force' | undefined;

const STRING = { type: 'string' } as const;

/**
 * Keycloak's ConditionalOtpFormAuthenticator: requires a one-time password depending on a user attribute, a role or a
 * header. The first of these rules that decides is followed. If none does, the password is required unless
 * `defaultOtpOutcome` is `skip`.
 */
export function conditionalOtpForm(services: { otps: OtpCredentials; users: Users }): ProviderDefinition {
  return provide(Authenticator, {
    id: CONDITIONAL_OTP,
    describe: {
      displayName: 'Conditional OTP Form',
      helpText: 'Validates a OTP on a separate OTP form. Only shown if required based on the configured conditions.',
      label: { key: 'otp-display-name' },
    },
    settings: {
      type: 'object',
      properties: {
        otpControlAttribute: {
          ...STRING,
          title: 'OTP control User Attribute',
          description: 'Name of an attribute of the user: its value "force" asks for the code, "skip" does not.',
        },
        skipOtpRole: {
          ...STRING,
          format: 'role',
          title: 'Skip OTP for Role',
          description: 'Users with this role are not asked.',
        },
        forceOtpRole: {
          ...STRING,
          format: 'role',
          title: 'Force OTP for Role',
          description: 'Users with this role are asked.',
        },
        noOtpRequiredForHeaderPattern: {
          ...STRING,
          title: 'Skip OTP for Header',
          default: '',
          description:
            'A regular expression for "name: value" of a header. Callers write their headers: name one that your proxy sets.',
        },
        forceOtpForHeaderPattern: {
          ...STRING,
          title: 'Force OTP for Header',
          default: '',
          description: 'A regular expression for "name: value" of a header by which users are asked.',
        },
        defaultOtpOutcome: {
          ...STRING,
          title: 'Fallback OTP handling',
          enum: ['skip', 'force'],
          description: 'What to do if nothing else decides. Without it, users are asked.',
        },
      },
    },
    open: () => ({
      create: (session: HostSession) => {
        const form = otpForm(services, session);
        return {
          ...form,
          async authenticate(context) {
            const decision = await decide(services, session, context);
            return decision === 'skip' ? { outcome: 'success' } : form.authenticate(context);
          },
        };
      },
    }),
  });
}

async function decide(
  { users }: { users: Users },
  { compiledRealm: realm, caller }: HostSession,
  { user: currentUser, config }: AuthenticationContext,
): Promise<OtpDecision> {
  const user = currentUser && (await users.byId(realm, currentUser.id));
  if (user === undefined) return 'force';
  return (
    parseDecision(attributeValues(user.view)(config.otpControlAttribute || '')[0]) ??
    firstMatch((name) => name !== '' && hasRole(realm, user, name), config.skipOtpRole, config.forceOtpRole) ??
    decideByHeaders(realm, caller.headers?.() ?? {}, config) ??
    parseDecision(config.defaultOtpOutcome)
  );
}

function parseDecision(value: string | undefined): OtpDecision {
  return value === 'skip' || value === 'force' ? value : undefined;
}

function firstMatch(matches: (setting: string) => boolean, skip = '', force = ''): OtpDecision {
  if (matches(skip)) return 'skip';
  return matches(force) ? 'force' : undefined;
}

function decideByHeaders({ name }: Realm, headers: Headers, config: Config): OtpDecision {
  const { noOtpRequiredForHeaderPattern: skip, forceOtpForHeaderPattern: force } = config;
  if (!skip && !force) return undefined;
  const patterns = new Patterns(name);
  const lines = Object.entries(headers).flatMap(([header, values = []]) =>
    values.map((value) => `${header}: ${value}`),
  );
  // An invalid pattern makes the password required. In Keycloak, it fails every login.
  if ([skip, force].some((pattern) => pattern && patterns.problemWith(headerPattern(pattern)) !== undefined))
    return 'force';
  const matchesHeader = (pattern: string) =>
    pattern !== '' && lines.some((line) => patterns.matches(headerPattern(pattern), line) === true);
  return firstMatch(matchesHeader, skip, force);
}
