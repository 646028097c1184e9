import { type AuthenticationStep, Authenticator, type ProviderDefinition, provide } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { notBeforeOf } from '../../model/not-before.js';
import type { Events } from '../../registry/events/events.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import { sessionExpiry } from '../../sessions/lifespans.js';
import type { Store, UserSessionRecord } from '../../store/store.js';
import type { Users } from '../../users/users.js';
import type { SessionEnding } from '../logout/session-ending.js';

export interface SessionLimitServices {
  readonly users: Users;
  readonly store: Store;
  readonly clock: Clock;
  readonly ending: SessionEnding;
  readonly events: Events;
  readonly sessions: SessionFactory;
}

const TERMINATE = 'Terminate oldest session';
const DENY = 'Deny new session';
/** An integer as Keycloak's admin console sends it; empty: no limit. */
const LIMIT = { type: 'string', pattern: '^(-?[0-9]{1,9})?$' } as const;
/** Maximum number of sessions read; no user has as many. */
const MOST = 10_000;

/**
 * Keycloak's UserSessionLimitsAuthenticator. The browser's own session is not counted, because the login continues it.
 * Two concurrent logins may both find the last slot free, as in Keycloak.
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
          const over = await tooMany(services, session, user.id, client.clientId, config);
          if (over.length === 0) return { outcome: 'success' };
          if (config.behavior !== TERMINATE) {
            const message = { key: config.errorMessage || 'sessionLimitExceeded' };
            return { outcome: 'failure', error: 'generic_authentication_error', message };
          }
          for (const one of over) await end(services, session, client.clientId, one);
          return { outcome: 'success' };
        },
      }),
    }),
  });
}

/**
 * The sessions that must end to admit one more, as in Keycloak: first those beyond the client's limit, then those
 * beyond the realm's.
 */
async function tooMany(
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
  const ofClient = exceeding(atClient, userClientLimit);
  const others = inRealm.filter(({ id }) => !ofClient.some((one) => one.id === id));
  return [...ofClient, ...exceeding(others, userRealmLimit)];
}

function limitOf(setting: string | undefined): number {
  return Number(setting || 0);
}

/** The sessions that must end to admit one more, least recently used first. */
function exceeding(sessions: readonly UserSessionRecord[], setting: string | undefined): readonly UserSessionRecord[] {
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
  const filter = { userId, offline: false, aliveAt: now, max: MOST, ...(clientUuid !== undefined && { clientUuid }) };
  const [user, listed] = await Promise.all([users.byId(realm, userId), store.sessions.list(realm.name, filter)]);
  const notBefore = user === undefined ? 0 : notBeforeOf(realm, user);
  return listed.filter(
    (one) =>
      one.id !== caller.login?.userSessionId &&
      sessionExpiry(realm, one) > now &&
      Math.floor(one.startedAt / 1000) >= notBefore,
  );
}

async function end(
  { ending, events, sessions }: SessionLimitServices,
  { compiledRealm: realm, caller, remoteAddress }: HostSession,
  clientId: string,
  one: UserSessionRecord,
): Promise<void> {
  await ending.end(realm, one);
  const event = { type: 'LOGOUT', clientId, userId: one.userId, sessionId: one.id, ipAddress: remoteAddress };
  events.emit(realm, event, () => sessions.create(realm, caller, 'keyhost'));
}
