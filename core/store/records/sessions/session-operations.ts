import { all, endWithAll, get, lockAll, type Operation, run, runAll } from '../../engine/operation.js';
import type {
  AttachOptions,
  ClientSessionRecord,
  FamilyRecord,
  JoinedSession,
  SessionKey,
  UserSessionRecord,
} from '../../store.js';
import { detachClientSession, familyInsert, lockSession, lockWithClient, sessionLocks } from '../families.js';

/** The latest use of a session that was not written yet. */
export interface Touch extends SessionKey {
  lastRefresh: number;
  expiresAt: number;
  readonly clients: Map<string, number>;
}

interface KeyRow {
  readonly id: string;
  readonly offline: number;
}

const TOUCH_SESSION =
  'UPDATE user_sessions SET ' +
  'last_refresh = CASE WHEN last_refresh < $4 THEN $4 ELSE last_refresh END, ' +
  'expires_at = CASE WHEN expires_at < $5 THEN $5 ELSE expires_at END ' +
  'WHERE realm = $1 AND id = $2 AND offline = $3 AND (last_refresh < $4 OR expires_at < $5)';
const TOUCH_CLIENT_SESSION =
  'UPDATE client_sessions SET last_refresh = $5 ' +
  'WHERE realm = $1 AND session_id = $2 AND offline = $3 AND client_uuid = $4 AND last_refresh < $5';

export const sessionOperations = {
  *'sessions.start'(
    session: UserSessionRecord,
    clientSession?: ClientSessionRecord,
    family?: FamilyRecord,
  ): Operation<void> {
    yield* endWithAll(startStatements(session, clientSession, family));
  },

  *'sessions.attach'(
    clientSession: ClientSessionRecord,
    family?: FamilyRecord,
    options: AttachOptions = {},
  ): Operation<boolean> {
    const { realm, sessionId, clientUuid } = clientSession;
    const offline = clientSession.offline ? 1 : 0;
    const session = { realm, id: sessionId, offline: clientSession.offline };
    const [existingSession, existing] = yield* lockWithClient(session, clientUuid);
    if (existingSession === undefined || (options.onlyExisting && existing?.started_at !== clientSession.startedAt))
      return false;
    const { authTime, notes } = options;
    const where = 'WHERE realm = $1 AND id = $2 AND offline = $3';
    const key = [realm, sessionId, offline] as const;
    yield* endWithAll([
      ...(notes === undefined
        ? []
        : [[`UPDATE user_sessions SET notes = $4 ${where}`, ...key, JSON.stringify(notes)] as const]),
      ...(authTime === undefined
        ? []
        : [[`UPDATE user_sessions SET auth_time = $4 ${where}`, ...key, authTime] as const]),
      ...clientStatements(clientSession, family),
    ]);
    return true;
  },

  *'sessions.touch'(touches: readonly Touch[]): Operation<void> {
    yield* endWithAll([...touches].sort(bySession).flatMap(touchStatements));
  },

  /** See `sessions.join` in `CommitStep`. */
  *'sessions.join'(
    session: UserSessionRecord,
    clientSession: ClientSessionRecord,
    family?: FamilyRecord,
  ): Operation<JoinedSession> {
    const { realm, id, offline, startedAt, lastRefresh, expiresAt } = session;
    const { clientUuid } = clientSession;
    const [existingSession, existingClient] = yield* lockWithClient(session, clientUuid);
    if (existingSession === undefined || existingSession.expires_at <= startedAt) {
      // If there was no session, another one may have been started in the meantime, and must not be ended. The insert
      // then fails, and the next attempt joins that session.
      const endStatementsFirst = existingSession === undefined ? [] : endStatements(session);
      yield* endWithAll([...endStatementsFirst, ...startStatements(session, clientSession, family)]);
      return { session, clientSession };
    }
    const joined = { ...clientSession, startedAt: existingClient?.started_at ?? clientSession.startedAt };
    const clients = new Map([[clientUuid, lastRefresh]]);
    yield* endWithAll([
      ...touchStatements({ realm, id, offline, lastRefresh, expiresAt, clients }),
      ...clientStatements(joined, family),
    ]);
    return { session: { ...session, startedAt: existingSession.started_at }, clientSession: joined };
  },

  *'sessions.detach'(key: SessionKey, clientUuid: string, endIfLast: boolean): Operation<boolean> {
    yield* lockSession(key);
    const detached = yield* detachClientSession(key, clientUuid);
    if (endIfLast) {
      const remaining = yield* get(
        'SELECT 1 FROM client_sessions WHERE realm = $1 AND session_id = $2 AND offline = $3 LIMIT 1',
        key.realm,
        key.id,
        key.offline ? 1 : 0,
      );
      if (remaining === undefined) yield* endWithAll(endStatements(key));
    }
    return detached;
  },

  *'sessions.end'(key: SessionKey): Operation<boolean> {
    yield* lockSession(key);
    return (yield* endWithAll(endStatements(key))).at(-1) === 1;
  },

  *'sessions.endSome'(
    realm: string,
    { userId, except = '' }: { userId?: string; except?: string },
    limit: number,
  ): Operation<number> {
    const userCondition = userId === undefined ? '' : ' AND user_id = $4';
    const sessions = yield* all<KeyRow>(
      `SELECT id, offline FROM user_sessions WHERE realm = $1 AND id <> $2${userCondition} ORDER BY id, offline LIMIT $3`,
      realm,
      except,
      limit,
      ...(userId === undefined ? [] : [userId]),
    );
    yield* endSessions(realm, sessions);
    return sessions.length;
  },
};

export function* endSessionsOfUser(realm: string, userId: string): Operation<void> {
  const sessions = yield* all<KeyRow>(
    'SELECT id, offline FROM user_sessions WHERE realm = $1 AND user_id = $2 ORDER BY id, offline',
    realm,
    userId,
  );
  yield* endSessions(realm, sessions);
}

function* endSessions(realm: string, rows: readonly KeyRow[]): Operation<void> {
  const keys = rows.map(({ id, offline }) => ({ realm, id, offline: offline === 1 }));
  yield* lockAll(sessionLocks(keys));
  yield* runAll(keys.flatMap(endStatements));
}

/** Removes all client sessions of a client. The users stay signed in. */
export function* removeSessionsOfClient(realm: string, clientUuid: string): Operation<void> {
  yield* run('DELETE FROM families WHERE realm = $1 AND client_uuid = $2', realm, clientUuid);
  yield* run('DELETE FROM client_sessions WHERE realm = $1 AND client_uuid = $2', realm, clientUuid);
}

/** Returns the statements that end a locked session. The answer to the last one shows whether the session existed. */
function endStatements({ realm, id, offline }: SessionKey) {
  const key = [realm, id, offline ? 1 : 0] as const;
  return [
    ['DELETE FROM families WHERE realm = $1 AND session_id = $2 AND offline = $3', ...key],
    ['DELETE FROM client_sessions WHERE realm = $1 AND session_id = $2 AND offline = $3', ...key],
    ['DELETE FROM user_sessions WHERE realm = $1 AND id = $2 AND offline = $3', ...key],
  ] as const;
}

/** Compares sessions by the order in which all operations lock them. */
function bySession(a: SessionKey, b: SessionKey): number {
  const [first, second] = [a, b].map(({ realm, id, offline }) => `${realm}\n${id}\n${offline ? 1 : 0}`) as [
    string,
    string,
  ];
  return first < second ? -1 : Number(first > second);
}

function touchStatements({ realm, id, offline, lastRefresh, expiresAt, clients }: Touch) {
  const key = [realm, id, offline ? 1 : 0] as const;
  return [
    [TOUCH_SESSION, ...key, lastRefresh, expiresAt] as const,
    ...[...clients]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([clientUuid, at]) => [TOUCH_CLIENT_SESSION, ...key, clientUuid, at] as const),
  ];
}

function clientSessionPut(session: ClientSessionRecord) {
  return [
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
  ] as const;
}

function startStatements(session: UserSessionRecord, clientSession?: ClientSessionRecord, family?: FamilyRecord) {
  return [sessionInsert(session), ...clientStatements(clientSession, family)];
}

/** Returns the statements that add a client to a session. */
function clientStatements(clientSession?: ClientSessionRecord, family?: FamilyRecord) {
  return [
    ...(clientSession === undefined ? [] : [clientSessionPut(clientSession)]),
    ...(family === undefined ? [] : [familyInsert(family)]),
  ];
}

function sessionInsert(session: UserSessionRecord) {
  return [
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
  ] as const;
}
