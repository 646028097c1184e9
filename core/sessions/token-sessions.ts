import { hash, randomUUID } from 'node:crypto';
import type { Client } from '../model/client.js';
import type { Clock } from '../model/clock.js';
import type { Realm } from '../model/realm.js';
import type { User } from '../model/user.js';
import type { HostSession } from '../registry/sessions/host-session.js';
import type { ClientSessionRecord, FamilyRecord, JoinedSession, Store, UserSessionRecord } from '../store/store.js';
import { clientSessionExpiry, refreshTokenRetention, sessionExpiry } from './lifespans.js';
import { newUserSession } from './new-user-session.js';
import { newSessionId } from './session-id.js';

/** The IDs of a refresh token: its own, and that of its family (all tokens that rotate from the same first one). */
export interface RefreshTokenIds {
  readonly jti: string;
  readonly family: string;
}

/** The hash of a refresh token's `jti`. The store contains only the hash. */
export function refreshTokenHash(jti: string): string {
  return hash('sha256', jti, 'base64url');
}

/** Creates the sessions that tokens belong to, and lets clients join existing ones. */
export class TokenSessions {
  readonly #parts: { store: Store; clock: Clock };

  constructor(parts: { store: Store; clock: Clock }) {
    this.#parts = parts;
  }

  /**
   * Creates a user session with one client session and, if the client gets refresh tokens, the first one. They are
   * durable when the promise resolves.
   */
  async start(login: {
    realm: Realm;
    client: Client;
    user: User;
    session: HostSession;
    scope: string;
    authMethod: string;
    offline?: boolean;
    /** Default: the client's `use.refresh.tokens`. */
    refreshes?: boolean;
    notes?: Readonly<Record<string, string>>;
    clientNotes?: Readonly<Record<string, string>>;
  }): Promise<JoinedSession & { refresh?: RefreshTokenIds }> {
    const { realm, client, user } = login;
    const now = this.#parts.clock.now();
    const { authMethod, offline = false, notes = {} } = login;
    const sessionStart = { userId: user.id, ipAddress: login.session.caller.ip, authMethod, notes, offline };
    const session = newUserSession(realm, sessionStart, now);
    const clientSession = newClientSession(session, client, login.scope, now, login.clientNotes);
    if (!(login.refreshes ?? client.settings.refreshTokens)) {
      await this.#parts.store.sessions.start(session, clientSession);
      return { session, clientSession };
    }
    const { refresh, family } = newFamily(realm, session, client.id, now);
    await this.#parts.store.sessions.start(session, clientSession, family);
    return { session, clientSession, refresh };
  }

  /** An online user session and the client's session in it; undefined if either has ended or expired. */
  async findOnline(realm: Realm, client: Client, id: string): Promise<JoinedSession | undefined> {
    const records = await this.#parts.store.sessions.find({ realm: realm.name, id, offline: false }, client.id);
    if (records?.clientSession === undefined) return undefined;
    const { session, clientSession } = records;
    const isValid = clientSessionExpiry(realm, client, session, clientSession) > this.#parts.clock.now();
    return isValid ? { session, clientSession } : undefined;
  }

  /**
   * Starts a new family of refresh tokens for a client session.
   * @returns undefined if the client session has ended in the meantime, for example by a second use of a code; it is
   * not restored
   */
  async beginRefreshTokens(
    realm: Realm,
    { session, clientSession }: JoinedSession,
  ): Promise<RefreshTokenIds | undefined> {
    const { refresh, family } = newFamily(realm, session, clientSession.clientUuid, this.#parts.clock.now());
    const isAttached = await this.#parts.store.sessions.attach(clientSession, family, { onlyExisting: true });
    return isAttached ? refresh : undefined;
  }

  /**
   * Gives a client an offline session: the existing one of the login, or a new one with the login's ID (Keycloak's
   * `createOrUpdateOfflineSession`).
   * @returns undefined if the client's online session has ended in the meantime
   */
  async joinOffline(
    realm: Realm,
    { session: login, clientSession: online }: JoinedSession,
  ): Promise<(JoinedSession & { refresh: RefreshTokenIds }) | undefined> {
    const now = this.#parts.clock.now();
    const key = { realm: login.realm, id: login.id, offline: true };
    const existing = await this.#parts.store.sessions.get(key);
    const isValid = existing !== undefined && sessionExpiry(realm, existing) > now;
    if (existing !== undefined && !isValid) await this.#parts.store.sessions.end(key);
    const newOnline = { ...online, startedAt: now };
    const { session, clientSession } = offlineRecordsOf(
      realm,
      login,
      newOnline,
      now,
      isValid ? existing.startedAt : now,
    );
    const { refresh, family } = newFamily(realm, session, online.clientUuid, now);
    // In one transaction: a second use of the code must not end the login and miss the offline session.
    const result = await this.#parts.store.commit([
      { op: 'sessions.attach', args: [online, undefined, { onlyExisting: true }], require: true },
      { op: 'sessions.join', args: [session, clientSession, family] },
    ]);
    return result.committed ? { ...(result.outcomes[1] as JoinedSession), refresh } : undefined;
  }

  /**
   * Returns sessions and a refresh token for the first use of a code. The caller has found that a second use of the
   * code has ended the client session in the meantime. The first use must still be answered, but its tokens must not
   * work. So nothing is stored.
   * @returns undefined if the login itself has ended
   */
  async createUnstoredSession(
    realm: Realm,
    { session: login, clientSession: online }: JoinedSession,
    offline: boolean,
  ): Promise<(JoinedSession & { refresh: RefreshTokenIds }) | undefined> {
    const now = this.#parts.clock.now();
    if ((await this.#parts.store.sessions.get(login)) === undefined) return undefined;
    // Stored client sessions never start at a fraction of a millisecond. So the tokens never belong to one, even if the
    // client starts another session.
    const ended = { ...online, startedAt: online.startedAt + 0.5 };
    const { session, clientSession } = offline
      ? offlineRecordsOf(realm, login, ended, now, now)
      : { session: login, clientSession: ended };
    return { session, clientSession, refresh: newFamily(realm, session, clientSession.clientUuid, now).refresh };
  }

  /**
   * Lets a client join a session or continue in it, with its own refresh tokens if requested.
   * @returns undefined if the session has ended in the meantime
   */
  async join(
    realm: Realm,
    session: UserSessionRecord,
    client: Client,
    { scope, refreshes }: { readonly scope: string; readonly refreshes: boolean },
  ): Promise<{ clientSession: ClientSessionRecord; refresh?: RefreshTokenIds } | undefined> {
    const now = this.#parts.clock.now();
    const existing = (await this.#parts.store.sessions.find(session, client.id))?.clientSession;
    const clientSession = existing ?? newClientSession(session, client, scope, now);
    const newRefresh = refreshes ? newFamily(realm, session, client.id, now) : undefined;
    const isNew = existing === undefined || newRefresh !== undefined;
    if (isNew && !(await this.#parts.store.sessions.attach(clientSession, newRefresh?.family))) return undefined;
    return { clientSession: { ...clientSession, scope }, ...(newRefresh && { refresh: newRefresh.refresh }) };
  }

  /** Records that a grant has signed the user in. */
  recordSignIn(realm: Realm, userId: string): void {
    this.#parts.store.users.signedIn(realm.name, userId, this.#parts.clock.now());
  }

  /** Ends a session whose tokens could not be issued. */
  async end(realm: Realm, id: string): Promise<void> {
    await this.#parts.store.sessions.end({ realm: realm.name, id, offline: false });
  }
}

/**
 * The records of a login's offline session and of the client in it.
 * @param startedAt when the offline session started
 */
function offlineRecordsOf(
  realm: Realm,
  login: UserSessionRecord,
  online: ClientSessionRecord,
  now: number,
  startedAt: number,
): { session: UserSessionRecord; clientSession: ClientSessionRecord } {
  const age = { startedAt, lastRefresh: now, offline: true };
  const session = { ...login, ...age, expiresAt: sessionExpiry(realm, age) };
  return { session, clientSession: { ...online, offline: true, lastRefresh: now } };
}

function newClientSession(
  { realm, id, offline }: UserSessionRecord,
  client: Client,
  scope: string,
  now: number,
  notes: Readonly<Record<string, string>> = {},
): ClientSessionRecord {
  const keys = { realm, sessionId: id, offline, clientUuid: client.id };
  return { ...keys, startedAt: now, lastRefresh: now, scope, notes };
}

/** Creates a token family with its first refresh token, and the record of the family. */
function newFamily(
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
    expiresAt: Math.max(now, session.startedAt) + refreshTokenRetention(realm, session.offline) * 1000,
  };
  return { refresh, family };
}
