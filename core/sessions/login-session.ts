import { hash, randomUUID } from 'node:crypto';
import type { Client } from '../model/client.js';
import type { Clock } from '../model/clock.js';
import type { Realm } from '../model/realm.js';
import type { User } from '../model/user.js';
import type { HostSession } from '../registry/sessions/session.js';
import type { ClientSessionRecord, FamilyRecord, JoinedSession, Store, UserSessionRecord } from '../store/store.js';
import { familyLifespan, sessionExpiry } from './lifespans.js';
import { newUserSession } from './new-user-session.js';
import { newSessionId } from './session-id.js';

export interface LoginServices {
  readonly store: Store;
  readonly clock: Clock;
}

/** How a refresh token's `jti` is kept in the store. */
export function refreshTokenHash(jti: string): string {
  return hash('sha256', jti, 'base64url');
}

/** Creates a user session with one client session and its first refresh token, durable when this resolves. */
export async function startLogin(
  { store, clock }: LoginServices,
  login: {
    realm: Realm;
    client: Client;
    user: User;
    session: HostSession;
    scope: string;
    authMethod: string;
    offline?: boolean;
    notes?: Readonly<Record<string, string>>;
    clientNotes?: Readonly<Record<string, string>>;
  },
): Promise<{
  session: UserSessionRecord;
  clientSession: ClientSessionRecord;
  refresh?: RefreshTokenIds;
}> {
  const { realm, client, user } = login;
  const now = clock.now();
  const { authMethod, offline = false, notes = {} } = login;
  const beginning = { userId: user.id, ipAddress: login.session.caller.ip, authMethod, notes, offline };
  const session = newUserSession(realm, beginning, now);
  const clientSession: ClientSessionRecord = {
    realm: realm.name,
    sessionId: session.id,
    offline,
    clientUuid: client.id,
    startedAt: now,
    lastRefresh: now,
    scope: login.scope,
    notes: login.clientNotes ?? {},
  };
  if (!client.settings.refreshTokens) {
    await store.sessions.start(session, clientSession);
    return { session, clientSession };
  }
  const { refresh, family } = newFamily(realm, session, client.id, now);
  await store.sessions.start(session, clientSession, family);
  return { session, clientSession, refresh };
}

/**
 * Gives a client of a login its offline session, in the one that the login has already or in a new one with the login's
 * id (Keycloak's `createOrUpdateOfflineSession`).
 * @param online the client's part in the login, as it is to be
 * @returns undefined when that part has ended meanwhile
 */
export async function joinOfflineSession(
  { store, clock }: LoginServices,
  realm: Realm,
  login: UserSessionRecord,
  online: ClientSessionRecord,
): Promise<(JoinedSession & { refresh: RefreshTokenIds }) | undefined> {
  const now = clock.now();
  const key = { realm: login.realm, id: login.id, offline: true };
  const before = await store.sessions.get(key);
  const lasts = before !== undefined && sessionExpiry(realm, before) > now;
  if (before !== undefined && !lasts) await store.sessions.end(key);
  const age = { startedAt: lasts ? before.startedAt : now, lastRefresh: now, offline: true };
  const session = { ...login, ...age, expiresAt: sessionExpiry(realm, age) };
  const { refresh, family } = newFamily(realm, session, online.clientUuid, now);
  const part = { ...online, offline: true, startedAt: now, lastRefresh: now };
  // In one step: a second use of the code must not end the login and miss the offline session that it is about to get.
  const result = await store.commit([
    { op: 'sessions.attach', args: [online, undefined, { onlyExisting: true }], require: true },
    { op: 'sessions.join', args: [session, part, family] },
  ]);
  return result.committed ? { ...(result.outcomes[1] as JoinedSession), refresh } : undefined;
}

/** What a refresh token is known by. */
export interface RefreshTokenIds {
  readonly jti: string;
  readonly family: string;
}

/** The first refresh token of a client in a session, and what the store keeps of it. */
export function newFamily(
  realm: Realm,
  session: UserSessionRecord,
  clientUuid: string,
  now: number,
): { refresh: RefreshTokenIds; family: FamilyRecord } {
  const refresh = { jti: randomUUID(), family: newSessionId(now) };
  const family = {
    realm: realm.name,
    id: refresh.family,
    sessionId: session.id,
    offline: session.offline,
    clientUuid,
    userId: session.userId,
    current: refreshTokenHash(refresh.jti),
    expiresAt: Math.max(now, session.startedAt) + familyLifespan(realm) * 1000,
  };
  return { refresh, family };
}
