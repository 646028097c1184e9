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
/** Undefined: undecided, the next rule decides. */
type Vote = 'skip' | 'force' | undefined;

const TEXT = { type: 'string' } as const;

/**
 * Keycloak's ConditionalOtpFormAuthenticator: requires a one-time password depending on a user attribute, a role or a
 * header, in this order. The first one that decides wins. If none does, the password is required unless the settings
 * skip it.
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
          ...TEXT,
          title: 'OTP control User Attribute',
          description: 'Name of an attribute of the user: its value "force" asks for the code, "skip" does not.',
        },
        skipOtpRole: {
          ...TEXT,
          format: 'role',
          title: 'Skip OTP for Role',
          description: 'Users with this role are not asked.',
        },
        forceOtpRole: {
          ...TEXT,
          format: 'role',
          title: 'Force OTP for Role',
          description: 'Users with this role are asked.',
        },
        noOtpRequiredForHeaderPattern: {
          ...TEXT,
          title: 'Skip OTP for Header',
          default: '',
          description:
            'A regular expression for "name: value" of a header. Callers write their headers: name one that your proxy sets.',
        },
        forceOtpForHeaderPattern: {
          ...TEXT,
          title: 'Force OTP for Header',
          default: '',
          description: 'A regular expression for "name: value" of a header by which users are asked.',
        },
        defaultOtpOutcome: {
          ...TEXT,
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
            const vote = await voteOn(services, session, context);
            return vote === 'skip' ? { outcome: 'success' } : form.authenticate(context);
          },
        };
      },
    }),
  });
}

async function voteOn(
  { users }: { users: Users },
  { compiledRealm: realm, caller }: HostSession,
  { user: known, config }: AuthenticationContext,
): Promise<Vote> {
  const user = known && (await users.byId(realm, known.id));
  if (user === undefined) return 'force';
  return (
    asVote(attributeValues(user.view)(config.otpControlAttribute || '')[0]) ??
    decided((name) => name !== '' && hasRole(realm, user, name), config.skipOtpRole, config.forceOtpRole) ??
    voteOfHeaders(realm, caller.headers?.() ?? {}, config) ??
    asVote(config.defaultOtpOutcome)
  );
}

function asVote(value: string | undefined): Vote {
  return value === 'skip' || value === 'force' ? value : undefined;
}

function decided(holds: (setting: string) => boolean, skip = '', force = ''): Vote {
  if (holds(skip)) return 'skip';
  return holds(force) ? 'force' : undefined;
}

function voteOfHeaders({ name }: Realm, headers: Headers, config: Config): Vote {
  const { noOtpRequiredForHeaderPattern: skip, forceOtpForHeaderPattern: force } = config;
  if (!skip && !force) return undefined;
  const patterns = new Patterns(name);
  const lines = Object.entries(headers).flatMap(([header, values = []]) =>
    values.map((value) => `${header}: ${value}`),
  );
  // An invalid pattern requires the password. In Keycloak, it fails every login.
  if ([skip, force].some((one) => one && patterns.mistake(headerPattern(one)) !== undefined)) return 'force';
  const fits = (pattern: string) =>
    pattern !== '' && lines.some((line) => patterns.matches(headerPattern(pattern), line) === true);
  return decided(fits, skip, force);
}
