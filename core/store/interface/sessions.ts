import type { FamilyRecord } from './families.js';

/**
 * The key of a user session. The session of a login and its offline session have the same ID, and differ in `offline`.
 */
export interface SessionKey {
  readonly realm: string;
  readonly id: string;
  readonly offline: boolean;
}

export interface UserSessionRecord extends SessionKey {
  readonly userId: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly lastRefresh: number;
  /** The row may be swept after this time. */
  readonly expiresAt: number;
  readonly ipAddress?: string;
  readonly rememberMe: boolean;
  readonly authMethod: string;
  /** Seconds since the epoch. */
  readonly authTime?: number;
  readonly notes: Readonly<Record<string, string>>;
}

export interface ClientSessionRecord {
  readonly realm: string;
  readonly sessionId: string;
  readonly offline: boolean;
  /** The internal ID of the client. */
  readonly clientUuid: string;
  readonly startedAt: number;
  readonly lastRefresh: number;
  readonly scope: string;
  readonly notes: Readonly<Record<string, string>>;
}

/** A user session after a client has joined it. */
export interface JoinedSession {
  readonly session: UserSessionRecord;
  readonly clientSession: ClientSessionRecord;
}

export interface AttachOptions {
  /** Only if this client session still exists: the one with this `startedAt`. */
  readonly onlyExisting?: boolean;
  /** When the user last authenticated, in seconds since the epoch. */
  readonly authTime?: number;
  /** The new notes of the user session. */
  readonly notes?: Readonly<Record<string, string>>;
}

export interface SessionStore {
  /** Creates a user session, with its first client session and refresh-token family if they are given. */
  start(session: UserSessionRecord, clientSession?: ClientSessionRecord, family?: FamilyRecord): Promise<void>;
  /**
   * Adds or replaces a client session of a user session.
   * @returns false if the user session, or with `onlyExisting` the client session, no longer exists
   */
  attach(clientSession: ClientSessionRecord, family?: FamilyRecord, options?: AttachOptions): Promise<boolean>;
  get(key: SessionKey): Promise<UserSessionRecord | undefined>;
  /** Reads a user session and a client session in one query, because refresh and introspection need both often. */
  find(
    key: SessionKey,
    clientUuid: string,
  ): Promise<{ session: UserSessionRecord; clientSession: ClientSessionRecord | undefined } | undefined>;
  clientSessions(key: SessionKey): Promise<readonly ClientSessionRecord[]>;
  /**
   * Relaxed: returns at once. The use is written at most once a second per session, and when the store is closed. If
   * uses overlap, the later times win. Reads of this process see it at once.
   */
  touch(key: SessionKey, clientUuid: string, at: number, expiresAt: number): void;
  /**
   * Removes the client session and revokes its families. With `endIfLast`, it also removes the user session if no
   * client session is left.
   */
  detach(key: SessionKey, clientUuid: string, options?: { endIfLast?: boolean }): Promise<boolean>;
  end(key: SessionKey): Promise<boolean>;
  /**
   * Ends all sessions of the realm, or of one of its users, in batches.
   * @param options.except the ID of a login whose sessions continue, including its offline session
   * @returns the number of ended sessions
   */
  endAll(realm: string, options: { userId?: string; except?: string }): Promise<number>;
  /** Returns sessions ordered by ID, the online session before the offline one; all of them without `max`. */
  list(realm: string, filter: SessionFilter & { first?: number; max?: number }): Promise<readonly UserSessionRecord[]>;
  /** Counts the sessions of each client. Clients without sessions are left out. */
  countByClient(realm: string, filter: Omit<SessionFilter, 'userId'>): Promise<readonly ClientSessionCount[]>;
}

/** Selects sessions that meet all conditions. */
export interface SessionFilter {
  readonly userId?: string;
  /** The internal ID of a client that has a client session in it. */
  readonly clientUuid?: string;
  readonly offline?: boolean;
  /** Leaves out sessions that have expired at this time, but were not swept yet. */
  readonly aliveAt?: number;
}

export interface ClientSessionCount {
  readonly clientUuid: string;
  readonly offline: boolean;
  readonly sessions: number;
}
