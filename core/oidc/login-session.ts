import { hash, randomUUID } from 'node:crypto';
import type { Session } from '@keyhost/spi';
import type { Client } from '../model/client.js';
import type { Clock } from '../model/clock.js';
import type { Realm } from '../model/realm.js';
import type { User } from '../model/user.js';
import type { HostSession } from '../registry/session.js';
import type { ClientSessionRecord, Store, UserSessionRecord } from '../store/store.js';
import { newSessionId } from './issue-tokens.js';
import { familyLifespan, sessionExpiry } from './lifespans.js';

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
    session: Session;
    /** The id of the new session, where it was chosen before. */
    id?: string;
    scope: string;
    authMethod: string;
    offline?: boolean;
    notes?: Readonly<Record<string, string>>;
    clientNotes?: Readonly<Record<string, string>>;
  },
): Promise<{
  session: UserSessionRecord;
  clientSession: ClientSessionRecord;
  refresh?: { jti: string; family: string };
}> {
  const { realm, client, user } = login;
  const now = clock.now();
  const offline = login.offline ?? false;
  const age = { startedAt: now, lastRefresh: now, offline };
  const session: UserSessionRecord = {
    realm: realm.name,
    id: login.id ?? newSessionId(now),
    userId: user.id,
    ...age,
    expiresAt: sessionExpiry(realm, age),
    ipAddress: (login.session as HostSession).caller.ip,
    rememberMe: false,
    authMethod: login.authMethod,
    authTime: Math.floor(now / 1000),
    notes: login.notes ?? {},
  };
  const clientSession: ClientSessionRecord = {
    realm: realm.name,
    sessionId: session.id,
    clientUuid: client.id,
    startedAt: now,
    lastRefresh: now,
    scope: login.scope,
    notes: login.clientNotes ?? {},
  };
  if (client.attributes['use.refresh.tokens'] === 'false') {
    await store.sessions.start(session, clientSession);
    return { session, clientSession };
  }
  const refresh = { jti: randomUUID(), family: newSessionId(now) };
  await store.sessions.start(session, clientSession, {
    realm: realm.name,
    id: refresh.family,
    sessionId: session.id,
    clientUuid: client.id,
    userId: user.id,
    current: refreshTokenHash(refresh.jti),
    expiresAt: session.startedAt + familyLifespan(realm) * 1000,
  });
  return { session, clientSession, refresh };
}
