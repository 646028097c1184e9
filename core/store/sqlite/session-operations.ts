import type { AttachOptions, ClientSessionRecord, FamilyRecord, UserSessionRecord } from '../store.js';
import type { Connection } from './connection.js';
import { detachClientSession, startFamily } from './families.js';

/** The newest use of a session that is not yet written. */
export interface Touch {
  readonly realm: string;
  readonly id: string;
  lastRefresh: number;
  expiresAt: number;
  readonly clients: Map<string, number>;
}

export const sessionOperations = {
  'sessions.start'(
    db: Connection,
    session: UserSessionRecord,
    clientSession?: ClientSessionRecord,
    family?: FamilyRecord,
  ): void {
    db.run(
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
    if (clientSession !== undefined) putClientSession(db, clientSession);
    if (family !== undefined) startFamily(db, family);
  },

  'sessions.attach'(
    db: Connection,
    clientSession: ClientSessionRecord,
    family?: FamilyRecord,
    options: AttachOptions = {},
  ): boolean {
    const { realm, sessionId, clientUuid } = clientSession;
    const found = options.onlyExisting
      ? db.get(
          'SELECT 1 FROM client_sessions WHERE realm = $1 AND session_id = $2 AND client_uuid = $3',
          realm,
          sessionId,
          clientUuid,
        )
      : db.get('SELECT 1 FROM user_sessions WHERE realm = $1 AND id = $2', realm, sessionId);
    if (found === undefined) return false;
    const { authTime, notes } = options;
    if (notes !== undefined) {
      const sql = 'UPDATE user_sessions SET notes = $3 WHERE realm = $1 AND id = $2';
      db.run(sql, realm, sessionId, JSON.stringify(notes));
    }
    if (authTime !== undefined) {
      db.run('UPDATE user_sessions SET auth_time = $3 WHERE realm = $1 AND id = $2', realm, sessionId, authTime);
    }
    putClientSession(db, clientSession);
    if (family !== undefined) startFamily(db, family);
    return true;
  },

  'sessions.touch'(db: Connection, touches: readonly Touch[]): void {
    for (const { realm, id, lastRefresh, expiresAt, clients } of touches) {
      db.run(
        'UPDATE user_sessions SET ' +
          'last_refresh = CASE WHEN last_refresh < $3 THEN $3 ELSE last_refresh END, ' +
          'expires_at = CASE WHEN expires_at < $4 THEN $4 ELSE expires_at END ' +
          'WHERE realm = $1 AND id = $2 AND (last_refresh < $3 OR expires_at < $4)',
        realm,
        id,
        lastRefresh,
        expiresAt,
      );
      for (const [clientUuid, at] of clients) {
        db.run(
          'UPDATE client_sessions SET last_refresh = $4 ' +
            'WHERE realm = $1 AND session_id = $2 AND client_uuid = $3 AND last_refresh < $4',
          realm,
          id,
          clientUuid,
          at,
        );
      }
    }
  },

  'sessions.detach'(db: Connection, realm: string, id: string, clientUuid: string, endIfLast: boolean): boolean {
    const detached = detachClientSession(db, realm, id, clientUuid);
    if (endIfLast) {
      const left = db.get('SELECT 1 FROM client_sessions WHERE realm = $1 AND session_id = $2 LIMIT 1', realm, id);
      if (left === undefined) endSession(db, realm, id);
    }
    return detached;
  },

  'sessions.end'(db: Connection, realm: string, id: string): boolean {
    return endSession(db, realm, id);
  },

  'sessions.endSome'(
    db: Connection,
    realm: string,
    { userId, except = '' }: { userId?: string; except?: string },
    limit: number,
  ): number {
    const ofUser = userId === undefined ? '' : ' AND user_id = $4';
    const sessions = db.all<{ id: string }>(
      `SELECT id FROM user_sessions WHERE realm = $1 AND id <> $2${ofUser} LIMIT $3`,
      realm,
      except,
      limit,
      ...(userId === undefined ? [] : [userId]),
    );
    for (const { id } of sessions) endSession(db, realm, id);
    return sessions.length;
  },
};

export function endSessionsOfUser(db: Connection, realm: string, userId: string): void {
  const sessions = db.all<{ id: string }>(
    'SELECT id FROM user_sessions WHERE realm = $1 AND user_id = $2',
    realm,
    userId,
  );
  for (const { id } of sessions) endSession(db, realm, id);
}

/** The client's part in sessions; the users stay logged in. */
export function removeSessionsOfClient(db: Connection, realm: string, clientUuid: string): void {
  db.run('DELETE FROM families WHERE realm = $1 AND client_uuid = $2', realm, clientUuid);
  db.run('DELETE FROM client_sessions WHERE realm = $1 AND client_uuid = $2', realm, clientUuid);
}

function endSession(db: Connection, realm: string, id: string): boolean {
  db.run('DELETE FROM families WHERE realm = $1 AND session_id = $2', realm, id);
  db.run('DELETE FROM client_sessions WHERE realm = $1 AND session_id = $2', realm, id);
  return db.run('DELETE FROM user_sessions WHERE realm = $1 AND id = $2', realm, id) === 1;
}

function putClientSession(db: Connection, session: ClientSessionRecord): void {
  db.run(
    'INSERT INTO client_sessions (realm, session_id, client_uuid, started_at, last_refresh, scope, notes) ' +
      'VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (realm, session_id, client_uuid) DO UPDATE SET ' +
      'started_at = excluded.started_at, last_refresh = excluded.last_refresh, ' +
      'scope = excluded.scope, notes = excluded.notes',
    session.realm,
    session.sessionId,
    session.clientUuid,
    session.startedAt,
    session.lastRefresh,
    session.scope,
    JSON.stringify(session.notes),
  );
}
