import type { Reader, Writer } from '../../engine/engine.js';
import type {
  AttachOptions,
  ClientSessionRecord,
  FamilyRecord,
  SessionKey,
  SessionStore,
  UserSessionRecord,
} from '../../store.js';
import { countByClient, findSessions } from './session-search.js';
import type { Touches } from './touches.js';

interface SessionRow {
  realm: string;
  id: string;
  user_id: string;
  started_at: number;
  last_refresh: number;
  expires_at: number;
  ip_address: string | null;
  remember_me: number;
  offline: number;
  auth_method: string;
  auth_time: number | null;
  notes: string;
}

interface ClientSessionRow {
  realm: string;
  session_id: string;
  offline: number;
  client_uuid: string;
  started_at: number;
  last_refresh: number;
  scope: string;
  notes: string;
}

interface FoundRow extends SessionRow {
  c_client_uuid: string | null;
  c_started_at: number;
  c_last_refresh: number;
  c_scope: string;
  c_notes: string;
}

const COLUMNS =
  's.realm, s.id, s.user_id, s.started_at, s.last_refresh, s.expires_at, s.ip_address, s.remember_me, ' +
  's.offline, s.auth_method, s.auth_time, s.notes';
/** Number of sessions that are ended in one transaction, so that other writes do not wait long. */
const SESSIONS_PER_END = 200;

export class SessionRecords implements SessionStore {
  readonly #reader: Reader;
  readonly #writer: Writer;
  readonly #touches: Touches;

  constructor(reader: Reader, writer: Writer, touches: Touches) {
    this.#reader = reader;
    this.#writer = writer;
    this.#touches = touches;
  }

  start(session: UserSessionRecord, clientSession?: ClientSessionRecord, family?: FamilyRecord): Promise<void> {
    return this.#writer.call('sessions.start', session, clientSession, family);
  }

  attach(clientSession: ClientSessionRecord, family?: FamilyRecord, options?: AttachOptions): Promise<boolean> {
    return this.#writer.call('sessions.attach', clientSession, family, options);
  }

  async get({ realm, id, offline }: SessionKey): Promise<UserSessionRecord | undefined> {
    const sql = `SELECT ${COLUMNS} FROM user_sessions s WHERE s.realm = $1 AND s.id = $2 AND s.offline = $3`;
    const row = await this.#reader.get<SessionRow>(sql, realm, id, offline ? 1 : 0);
    return row && this.#session(row);
  }

  async find({ realm, id, offline }: SessionKey, clientUuid: string): ReturnType<SessionStore['find']> {
    const row = await this.#reader.get<FoundRow>(
      `SELECT ${COLUMNS}, c.client_uuid AS c_client_uuid, c.started_at AS c_started_at, ` +
        'c.last_refresh AS c_last_refresh, c.scope AS c_scope, c.notes AS c_notes FROM user_sessions s ' +
        'LEFT JOIN client_sessions c ON c.realm = s.realm AND c.session_id = s.id AND c.offline = s.offline ' +
        'AND c.client_uuid = $4 WHERE s.realm = $1 AND s.id = $2 AND s.offline = $3',
      realm,
      id,
      offline ? 1 : 0,
      clientUuid,
    );
    if (row === undefined) return undefined;
    const session = this.#session(row);
    if (row.c_client_uuid === null) return { session, clientSession: undefined };
    const clientSession = this.#clientSession({
      realm,
      session_id: id,
      offline: row.offline,
      client_uuid: row.c_client_uuid,
      started_at: row.c_started_at,
      last_refresh: row.c_last_refresh,
      scope: row.c_scope,
      notes: row.c_notes,
    });
    return { session, clientSession };
  }

  async clientSessions({ realm, id, offline }: SessionKey): Promise<readonly ClientSessionRecord[]> {
    const rows = await this.#reader.all<ClientSessionRow>(
      'SELECT realm, session_id, offline, client_uuid, started_at, last_refresh, scope, notes FROM client_sessions ' +
        'WHERE realm = $1 AND session_id = $2 AND offline = $3 ORDER BY started_at, client_uuid',
      realm,
      id,
      offline ? 1 : 0,
    );
    return rows.map((row) => this.#clientSession(row));
  }

  touch(key: SessionKey, clientUuid: string, at: number, expiresAt: number): void {
    this.#touches.add(keyOf(key), clientUuid, at, expiresAt);
  }

  detach(key: SessionKey, clientUuid: string, options: { endIfLast?: boolean } = {}): Promise<boolean> {
    return this.#writer.call('sessions.detach', keyOf(key), clientUuid, options.endIfLast ?? false);
  }

  end(key: SessionKey): Promise<boolean> {
    return this.#writer.call('sessions.end', keyOf(key));
  }

  async endAll(realm: string, options: Parameters<SessionStore['endAll']>[1]): Promise<number> {
    for (let total = 0; ; ) {
      const ended = await this.#writer.call('sessions.endSome', realm, options, SESSIONS_PER_END);
      total += ended;
      if (ended < SESSIONS_PER_END) return total;
    }
  }

  async list(realm: string, filter: Parameters<SessionStore['list']>[1]): Promise<readonly UserSessionRecord[]> {
    const rows = await findSessions<SessionRow>(this.#reader, realm, filter, COLUMNS);
    return rows.map((row) => this.#session(row));
  }

  countByClient(realm: string, filter: Parameters<SessionStore['countByClient']>[1]) {
    return countByClient(this.#reader, realm, filter);
  }

  #session(row: SessionRow): UserSessionRecord {
    return this.#touches.withTouches({
      realm: row.realm,
      id: row.id,
      userId: row.user_id,
      startedAt: row.started_at,
      lastRefresh: row.last_refresh,
      expiresAt: row.expires_at,
      ...(row.ip_address === null ? {} : { ipAddress: row.ip_address }),
      rememberMe: row.remember_me === 1,
      offline: row.offline === 1,
      authMethod: row.auth_method,
      ...(row.auth_time === null ? {} : { authTime: row.auth_time }),
      notes: JSON.parse(row.notes),
    });
  }

  #clientSession(row: ClientSessionRow): ClientSessionRecord {
    return this.#touches.clientWithTouches({
      realm: row.realm,
      sessionId: row.session_id,
      offline: row.offline === 1,
      clientUuid: row.client_uuid,
      startedAt: row.started_at,
      lastRefresh: row.last_refresh,
      scope: row.scope,
      notes: JSON.parse(row.notes),
    });
  }
}

/** Returns only the key, without the other members of a record, because it is copied to the writer's thread. */
function keyOf({ realm, id, offline }: SessionKey): SessionKey {
  return { realm, id, offline };
}
