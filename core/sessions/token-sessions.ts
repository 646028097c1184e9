import { hash, randomUUID } from 'node:crypto';
import type { Client } from '../model/client.js';
import type { Clock } from '../model/clock.js';
import type { Realm } from '../model/realm.js';
import type { User } from '../model/user.js';
import type { HostSession } from '../registry/sessions/host-session.js';
import type { ClientSessionRecord, FamilyRecord, JoinedSession, Store, UserSessionRecord } from '../store/store.js';
import { clientSessionExpiry, refreshTokenMemory, sessionExpiry } from './lifespans.js';
import { newUserSession } from './new-user-session.js';
import { newSessionId } from './session-id.js';

/** The IDs of a refresh token. */
export interface RefreshTokenIds {
  readonly jti: string;
  readonly family: string;
}

/** The stored form of a refresh token's `jti`. */
export function refreshTokenHash(jti: string): string {
  return hash('sha256', jti, 'base64url');
}

/** Creates the sessions of tokens, and lets clients join existing ones. */
export class TokenSessions {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(parts: { store: Store; clock: Clock }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
  }

  /** Creates a user session with one client session and its first refresh token. Durable when this resolves. */
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
    const now = this.#clock.now();
    const { authMethod, offline = false, notes = {} } = login;
    const beginning = { userId: user.id, ipAddress: login.session.caller.ip, authMethod, notes, offline };
    const session = newUserSession(realm, beginning, now);
    const clientSession = newClientSession(session, client, login.scope, now, login.clientNotes);
    if (!(login.refreshes ?? client.settings.refreshTokens)) {
      await this.#store.sessions.start(session, clientSession);
      return { session, clientSession };
    }
    const { refresh, family } = newFamily(realm, session, client.id, now);
    await this.#store.sessions.start(session, clientSession, family);
    return { session, clientSession, refresh };
  }

  /** A user session and the client's part in it; undefined if either has ended or expired. */
  async ofBrowser(realm: Realm, client: Client, id: string): Promise<JoinedSession | undefined> {
    const found = await this.#store.sessions.find({ realm: realm.name, id, offline: false }, client.id);
    if (found?.clientSession === undefined) return undefined;
    const { session, clientSession } = found;
    const lasts = clientSessionExpiry(realm, client, session, clientSession) > this.#clock.now();
    return lasts ? { session, clientSession } : undefined;
  }

  /**
   * Starts a client's refresh tokens in a login that it takes part in.
   * @param clientSession the new client session
   * @returns undefined if the client session has ended meanwhile, for example by a second use of a code: it must not be
   * restored
   */
  async beginRefreshTokens(
    realm: Realm,
    { session, clientSession }: JoinedSession,
  ): Promise<RefreshTokenIds | undefined> {
    const { refresh, family } = newFamily(realm, session, clientSession.clientUuid, this.#clock.now());
    const attached = await this.#store.sessions.attach(clientSession, family, { onlyExisting: true });
    return attached ? refresh : undefined;
  }

  /**
   * Gives the client of a login an offline session: the existing one of the login, or a new one with the login's ID
   * (Keycloak's `createOrUpdateOfflineSession`).
   * @param online the client's new online session
   * @returns undefined if that session has ended meanwhile
   */
  async joinOffline(
    realm: Realm,
    { session: login, clientSession: online }: JoinedSession,
  ): Promise<(JoinedSession & { refresh: RefreshTokenIds }) | undefined> {
    const now = this.#clock.now();
    const key = { realm: login.realm, id: login.id, offline: true };
    const before = await this.#store.sessions.get(key);
    const lasts = before !== undefined && sessionExpiry(realm, before) > now;
    if (before !== undefined && !lasts) await this.#store.sessions.end(key);
    const begun = { ...online, startedAt: now };
    const { session, part } = offlineOf(realm, login, begun, now, lasts ? before.startedAt : now);
    const { refresh, family } = newFamily(realm, session, online.clientUuid, now);
    // In one transaction: a second use of the code must not end the login but miss the offline session.
    const result = await this.#store.commit([
      { op: 'sessions.attach', args: [online, undefined, { onlyExisting: true }], require: true },
      { op: 'sessions.join', args: [session, part, family] },
    ]);
    return result.committed ? { ...(result.outcomes[1] as JoinedSession), refresh } : undefined;
  }

  /**
   * Returns sessions and a refresh token for the first use of a code if a second use has ended the client session
   * meanwhile. Nothing is stored, so these tokens are void from the start. The first use must still be answered, and
   * the second one ends its result.
   * @returns undefined if the login itself has ended
   */
  async voidSession(
    realm: Realm,
    { session: login, clientSession: online }: JoinedSession,
    offline: boolean,
  ): Promise<(JoinedSession & { refresh: RefreshTokenIds }) | undefined> {
    const now = this.#clock.now();
    if ((await this.#store.sessions.get(login)) === undefined) return undefined;
    // Stored client sessions never start at a fraction of a millisecond. So the tokens belong to none, even if the
    // client starts another.
    const ended = { ...online, startedAt: online.startedAt + 0.5 };
    const { session, part } = offline ? offlineOf(realm, login, ended, now, now) : { session: login, part: ended };
    return { session, clientSession: part, refresh: newFamily(realm, session, part.clientUuid, now).refresh };
  }

  /**
   * Lets another client join a session or continue in it, with its own refresh tokens if it gets any.
   * @returns undefined if the session has ended meanwhile
   */
  async join(
    realm: Realm,
    session: UserSessionRecord,
    client: Client,
    { scope, refreshes }: { readonly scope: string; readonly refreshes: boolean },
  ): Promise<{ clientSession: ClientSessionRecord; refresh?: RefreshTokenIds } | undefined> {
    const now = this.#clock.now();
    const existing = (await this.#store.sessions.find(session, client.id))?.clientSession;
    const clientSession = existing ?? newClientSession(session, client, scope, now);
    const first = refreshes ? newFamily(realm, session, client.id, now) : undefined;
    const isNew = existing === undefined || first !== undefined;
    if (isNew && !(await this.#store.sessions.attach(clientSession, first?.family))) return undefined;
    return { clientSession: { ...clientSession, scope }, ...(first && { refresh: first.refresh }) };
  }

  /** Records that a grant has signed the user in. */
  signedIn(realm: Realm, userId: string): void {
    this.#store.users.signedIn(realm.name, userId, this.#clock.now());
  }

  /** Ends a session whose tokens could not be issued. */
  async end(realm: Realm, id: string): Promise<void> {
    await this.#store.sessions.end({ realm: realm.name, id, offline: false });
  }
}

/** The offline session of a login, and the client's part in it. @param startedAt when the offline session started */
function offlineOf(
  realm: Realm,
  login: UserSessionRecord,
  online: ClientSessionRecord,
  now: number,
  startedAt: number,
): { session: UserSessionRecord; part: ClientSessionRecord } {
  const age = { startedAt, lastRefresh: now, offline: true };
  const session = { ...login, ...age, expiresAt: sessionExpiry(realm, age) };
  return { session, part: { ...online, offline: true, lastRefresh: now } };
}

function newClientSession(
  { realm, id, offline }: UserSessionRecord,
  client: Client,
  scope: string,
  now: number,
  notes: Readonly<Record<string, string>> = {},
): ClientSessionRecord {
  const of = { realm, sessionId: id, offline, clientUuid: client.id };
  return { ...of, startedAt: now, lastRefresh: now, scope, notes };
}

/** A client's first refresh token in a session, and its record for the store. */
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
    expiresAt: Math.max(now, session.startedAt) + refreshTokenMemory(realm) * 1000,
  };
  return { refresh, family };
}
