import { type AuthenticationStep, Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { notBeforeOf } from '../../model/not-before.js';
import type { Events } from '../../registry/events/events.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import { sessionExpiry } from '../../sessions/lifespans.js';
import type { Store, UserSessionRecord } from '../../store/store.js';
import type { Users } from '../../users/users.js';
import type { SessionEnder } from '../logout/session-ender.js';

export interface SessionLimitServices {
  readonly users: Users;
  readonly store: Store;
  readonly clock: Clock;
  readonly sessionEnder: SessionEnder;
  readonly events: Events;
  readonly sessions: SessionFactory;
}

const TERMINATE = 'Terminate oldest session';
const DENY = 'Deny new session';
/** An integer, as Keycloak's admin console sends it; empty: no limit. */
const LIMIT = { type: 'string', pattern: '^(-?[0-9]{1,9})?$' } as const;
/** Maximum number of sessions that are read; no user has this many. */
const MAX_SESSIONS = 10_000;

/**
 * Keycloak's UserSessionLimitsAuthenticator. The browser's own session is not counted, because the login continues it.
 * As in Keycloak, two concurrent logins may both be admitted for the last free session.
 */
export function sessionLimits(services: SessionLimitServices): ProviderDefinition {
  return provide(Authenticator, {
    id: 'user-session-limits',
    describe: {
      displayName: 'User session count limiter',
      helpText:
        'Configures how many concurrent sessions a single user is allowed to create for this realm and/or client',
      requirements: ['REQUIRED', 'DISABLED'],
    },
    settings: {
      type: 'object',
      properties: {
        userRealmLimit: {
          ...LIMIT,
          title: 'Maximum concurrent sessions for each user within this realm.',
          default: '3',
          description: 'No limit if it is 0, negative or empty.',
        },
        userClientLimit: {
          ...LIMIT,
          title: 'Maximum concurrent sessions for each user per keycloak client.',
          default: '0',
          description: 'No limit if it is 0, negative or empty. Choose less than the limit of the realm.',
        },
        behavior: {
          type: 'string',
          title: 'Behavior when user session limit is exceeded',
          enum: [DENY, TERMINATE],
          default: DENY,
        },
        errorMessage: {
          type: 'string',
          title: 'Optional custom error message',
          description: 'A text, or the key of one, for users who are denied.',
        },
      },
    },
    open: () => ({
      create: (session: HostSession) => ({
        async authenticate({ user, client, config }): Promise<AuthenticationStep> {
          if (user === undefined) return { outcome: 'success' };
          const excess = await excessSessions(services, session, user.id, client.clientId, config);
          if (excess.length === 0) return { outcome: 'success' };
          if (config.behavior !== TERMINATE) {
            const message = { key: config.errorMessage || 'sessionLimitExceeded' };
            return { outcome: 'failure', error: 'generic_authentication_error', message };
          }
          for (const excessSession of excess) await endSession(services, session, client.clientId, excessSession);
          return { outcome: 'success' };
        },
      }),
    }),
  });
}

/**
 * The sessions that must end so that one more is within the limits, as in Keycloak. Those beyond the client's limit
 * come first, then those beyond the realm's.
 */
async function excessSessions(
  services: SessionLimitServices,
  session: HostSession,
  userId: string,
  clientId: string,
  { userRealmLimit, userClientLimit }: Readonly<Record<string, string | undefined>>,
): Promise<UserSessionRecord[]> {
  const isLimited = limitOf(userClientLimit) > 0;
  const clientUuid = session.compiledRealm.clients.get(clientId)?.id ?? '';
  const [inRealm, atClient] = await Promise.all([
    limitOf(userRealmLimit) > 0 ? liveSessions(services, session, userId) : [],
    isLimited ? liveSessions(services, session, userId, clientUuid) : [],
  ]);
  const excessAtClient = leastRecentlyUsed(atClient, userClientLimit);
  const remainingSessions = inRealm.filter(({ id }) => !excessAtClient.some((candidate) => candidate.id === id));
  return [...excessAtClient, ...leastRecentlyUsed(remainingSessions, userRealmLimit)];
}

function limitOf(setting: string | undefined): number {
  return Number(setting || 0);
}

/** The least recently used sessions, which must end so that one more is within the limit. */
function leastRecentlyUsed(
  sessions: readonly UserSessionRecord[],
  setting: string | undefined,
): readonly UserSessionRecord[] {
  const limit = limitOf(setting);
  if (limit <= 0 || sessions.length < limit) return [];
  const byUse = [...sessions].sort((a, b) => a.lastRefresh - b.lastRefresh);
  return byUse.slice(0, sessions.length - limit + 1);
}

async function liveSessions(
  { users, store, clock }: SessionLimitServices,
  { compiledRealm: realm, caller }: HostSession,
  userId: string,
  clientUuid?: string,
): Promise<UserSessionRecord[]> {
  const now = clock.now();
  const filter = {
    userId,
    offline: false,
    aliveAt: now,
    max: MAX_SESSIONS,
    ...(clientUuid !== undefined && { clientUuid }),
  };
  const [user, records] = await Promise.all([users.byId(realm, userId), store.sessions.list(realm.name, filter)]);
  const notBefore = user === undefined ? 0 : notBeforeOf(realm, user);
  return records.filter(
    (record) =>
      record.id !== caller.login?.userSessionId &&
      sessionExpiry(realm, record) > now &&
      Math.floor(record.startedAt / 1000) >= notBefore,
  );
}

async function endSession(
  { sessionEnder, events, sessions }: SessionLimitServices,
  { compiledRealm: realm, caller, remoteAddress }: HostSession,
  clientId: string,
  userSession: UserSessionRecord,
): Promise<void> {
  await sessionEnder.end(realm, userSession);
  const event = {
    type: 'LOGOUT',
    clientId,
    userId: userSession.userId,
    sessionId: userSession.id,
    ipAddress: remoteAddress,
  };
  events.emit(realm, event, () => sessions.create(realm, caller, 'keyhost'));
}
