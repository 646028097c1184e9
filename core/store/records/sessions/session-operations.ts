import { all, get, type Operation, run } from '../../engine/operation.js';
import type {
  AttachOptions,
  ClientSessionRecord,
  FamilyRecord,
  JoinedSession,
  SessionKey,
  UserSessionRecord,
} from '../../store.js';
import { detachClientSession, startFamily } from '../families.js';

/** The newest use of a session that is not yet written. */
export interface Touch extends SessionKey {
  lastRefresh: number;
  expiresAt: number;
  readonly clients: Map<string, number>;
}

interface KeyRow {
  readonly id: string;
  readonly offline: number;
}

export const sessionOperations = {
  *'sessions.start'(
    session: UserSessionRecord,
    clientSession?: ClientSessionRecord,
    family?: FamilyRecord,
  ): Operation<void> {
    yield* run(
      'INSERT INTO user_sessions (realm, id, user_id, started_at, last_refresh, expires_at, ip_address, remember_me, ' +
        'offline, auth_method, auth_time, notes) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)',
      session.realm,
      session.id,
      session.userId,
      session.startedAt,
      session.lastRefresh,
      session.expiresAt,
      session.ipAddress,
      session.rememberMe ? 1 : 0,
      session.offline ? 1 : 0,
      session.authMethod,
      session.authTime,
      JSON.stringify(session.notes),
    );
    if (clientSession !== undefined) yield* putClientSession(clientSession);
    if (family !== undefined) yield* startFamily(family);
  },

  *'sessions.attach'(
    clientSession: ClientSessionRecord,
    family?: FamilyRecord,
    options: AttachOptions = {},
  ): Operation<boolean> {
    const { realm, sessionId, clientUuid } = clientSession;
    const offline = clientSession.offline ? 1 : 0;
    const found = options.onlyExisting
      ? yield* get(
          'SELECT 1 FROM client_sessions WHERE realm = $1 AND session_id = $2 AND offline = $3 AND client_uuid = $4',
          realm,
          sessionId,
          offline,
          clientUuid,
        )
      : yield* get(
          'SELECT 1 FROM user_sessions WHERE realm = $1 AND id = $2 AND offline = $3',
          realm,
          sessionId,
          offline,
        );
    if (found === undefined) return false;
    const { authTime, notes } = options;
    const where = 'WHERE realm = $1 AND id = $2 AND offline = $3';
    if (notes !== undefined) {
      yield* run(`UPDATE user_sessions SET notes = $4 ${where}`, realm, sessionId, offline, JSON.stringify(notes));
    }
    if (authTime !== undefined) {
      yield* run(`UPDATE user_sessions SET auth_time = $4 ${where}`, realm, sessionId, offline, authTime);
    }
    yield* putClientSession(clientSession);
    if (family !== undefined) yield* startFamily(family);
    return true;
  },

  *'sessions.touch'(touches: readonly Touch[]): Operation<void> {
    for (const { realm, id, offline, lastRefresh, expiresAt, clients } of touches) {
      const key = [realm, id, offline ? 1 : 0] as const;
      yield* run(
        'UPDATE user_sessions SET ' +
          'last_refresh = CASE WHEN last_refresh < $4 THEN $4 ELSE last_refresh END, ' +
          'expires_at = CASE WHEN expires_at < $5 THEN $5 ELSE expires_at END ' +
          'WHERE realm = $1 AND id = $2 AND offline = $3 AND (last_refresh < $4 OR expires_at < $5)',
        ...key,
        lastRefresh,
        expiresAt,
      );
      for (const [clientUuid, at] of clients) {
        yield* run(
          'UPDATE client_sessions SET last_refresh = $5 ' +
            'WHERE realm = $1 AND session_id = $2 AND offline = $3 AND client_uuid = $4 AND last_refresh < $5',
          ...key,
          clientUuid,
          at,
        );
      }
    }
  },

  /** See `sessions.join` among the steps of a commit. */
  *'sessions.join'(
    session: UserSessionRecord,
    clientSession: ClientSessionRecord,
    family?: FamilyRecord,
  ): Operation<JoinedSession> {
    const { realm, id, startedAt, lastRefresh, expiresAt } = session;
    const key = [realm, id, session.offline ? 1 : 0] as const;
    const lasting = yield* get<{ started_at: number }>(
      'SELECT started_at FROM user_sessions WHERE realm = $1 AND id = $2 AND offline = $3 AND expires_at > $4',
      ...key,
      startedAt,
    );
    if (lasting === undefined) {
      yield* endSession(session);
      yield* sessionOperations['sessions.start'](session, clientSession, family);
      return { session, clientSession };
    }
    const { clientUuid } = clientSession;
    const clients = new Map([[clientUuid, lastRefresh]]);
    yield* sessionOperations['sessions.touch']([
      { realm, id, offline: session.offline, lastRefresh, expiresAt, clients },
    ]);
    const known = yield* get<{ started_at: number }>(
      'SELECT started_at FROM client_sessions WHERE realm = $1 AND session_id = $2 AND offline = $3 AND client_uuid = $4',
      ...key,
      clientUuid,
    );
    const joined = { ...clientSession, startedAt: known?.started_at ?? clientSession.startedAt };
    yield* putClientSession(joined);
    if (family !== undefined) yield* startFamily(family);
    return { session: { ...session, startedAt: lasting.started_at }, clientSession: joined };
  },

  *'sessions.detach'(key: SessionKey, clientUuid: string, endIfLast: boolean): Operation<boolean> {
    const detached = yield* detachClientSession(key, clientUuid);
    if (endIfLast) {
      const left = yield* get(
        'SELECT 1 FROM client_sessions WHERE realm = $1 AND session_id = $2 AND offline = $3 LIMIT 1',
        key.realm,
        key.id,
        key.offline ? 1 : 0,
      );
      if (left === undefined) yield* endSession(key);
    }
    return detached;
  },

  *'sessions.end'(key: SessionKey): Operation<boolean> {
    return yield* endSession(key);
  },

  *'sessions.endSome'(
    realm: string,
    { userId, except = '' }: { userId?: string; except?: string },
    limit: number,
  ): Operation<number> {
    const ofUser = userId === undefined ? '' : ' AND user_id = $4';
    const sessions = yield* all<KeyRow>(
      `SELECT id, offline FROM user_sessions WHERE realm = $1 AND id <> $2${ofUser} LIMIT $3`,
      realm,
      except,
      limit,
      ...(userId === undefined ? [] : [userId]),
    );
    for (const { id, offline } of sessions) yield* endSession({ realm, id, offline: offline === 1 });
    return sessions.length;
  },
};

export function* endSessionsOfUser(realm: string, userId: string): Operation<void> {
  const sessions = yield* all<KeyRow>(
    'SELECT id, offline FROM user_sessions WHERE realm = $1 AND user_id = $2',
    realm,
    userId,
  );
  for (const { id, offline } of sessions) yield* endSession({ realm, id, offline: offline === 1 });
}

/** The client's part in sessions; the users stay logged in. */
export function* removeSessionsOfClient(realm: string, clientUuid: string): Operation<void> {
  yield* run('DELETE FROM families WHERE realm = $1 AND client_uuid = $2', realm, clientUuid);
  yield* run('DELETE FROM client_sessions WHERE realm = $1 AND client_uuid = $2', realm, clientUuid);
}

function* endSession({ realm, id, offline }: SessionKey): Operation<boolean> {
  const key = [realm, id, offline ? 1 : 0] as const;
  yield* run('DELETE FROM families WHERE realm = $1 AND session_id = $2 AND offline = $3', ...key);
  yield* run('DELETE FROM client_sessions WHERE realm = $1 AND session_id = $2 AND offline = $3', ...key);
  return (yield* run('DELETE FROM user_sessions WHERE realm = $1 AND id = $2 AND offline = $3', ...key)) === 1;
}

function* putClientSession(session: ClientSessionRecord): Operation<void> {
  yield* run(
    'INSERT INTO client_sessions (realm, session_id, offline, client_uuid, started_at, last_refresh, scope, notes) ' +
      'VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (realm, session_id, offline, client_uuid) DO UPDATE SET ' +
      'started_at = excluded.started_at, last_refresh = excluded.last_refresh, ' +
      'scope = excluded.scope, notes = excluded.notes',
    session.realm,
    session.sessionId,
    session.offline ? 1 : 0,
    session.clientUuid,
    session.startedAt,
    session.lastRefresh,
    session.scope,
    JSON.stringify(session.notes),
  );
}
