import type { FamilyRecord } from './families.js';

/** The key of a user session. A login and its offline session share one ID, and differ in `offline`. */
export interface SessionKey {
  readonly realm: string;
  readonly id: string;
  readonly offline: boolean;
}

export interface UserSessionRecord extends SessionKey {
  readonly userId: string;
  /** Milliseconds. */
  readonly startedAt: number;
  readonly lastRefresh: number;
  /** After this the row may be swept. */
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
  /** Internal id of the client. */
  readonly clientUuid: string;
  readonly startedAt: number;
  readonly lastRefresh: number;
  readonly scope: string;
  readonly notes: Readonly<Record<string, string>>;
}

/** A user session as it is after a client joined it. */
export interface JoinedSession {
  readonly session: UserSessionRecord;
  readonly clientSession: ClientSessionRecord;
}

export interface AttachOptions {
  /** Only if this client session still exists: the one that began at its `startedAt`. */
  readonly onlyExisting?: boolean;
  /** When the user proved again who they are, in seconds since the epoch. */
  readonly authTime?: number;
  /** The new notes of the user session. */
  readonly notes?: Readonly<Record<string, string>>;
}

export interface SessionStore {
  /** Creates a user session; where given, with its first client session and the refresh family of this login. */
  start(session: UserSessionRecord, clientSession?: ClientSessionRecord, family?: FamilyRecord): Promise<void>;
  /**
   * Adds or replaces a client session of a user session. False if that session, or with `onlyExisting` the client
   * session, no longer exists.
   */
  attach(clientSession: ClientSessionRecord, family?: FamilyRecord, options?: AttachOptions): Promise<boolean>;
  get(key: SessionKey): Promise<UserSessionRecord | undefined>;
  /** The hot read of refresh and introspection: both, in one query. */
  find(
    key: SessionKey,
    clientUuid: string,
  ): Promise<{ session: UserSessionRecord; clientSession: ClientSessionRecord | undefined } | undefined>;
  clientSessions(key: SessionKey): Promise<readonly ClientSessionRecord[]>;
  /**
   * Relaxed: returns at once, written soon, at most once a second per session, and when the store is closed. The larger
   * times win. Reads of this process see it at once.
   */
  touch(key: SessionKey, clientUuid: string, at: number, expiresAt: number): void;
  /** Removes the client session and revokes its families; the user session too when none is left and `endIfLast`. */
  detach(key: SessionKey, clientUuid: string, options?: { endIfLast?: boolean }): Promise<boolean>;
  end(key: SessionKey): Promise<boolean>;
  /**
   * Ends every session of the realm, or of one of its users, in batches.
   * @param options.except the ID of a login that stays, with its offline session
   * @returns the number of ended sessions
   */
  endAll(realm: string, options: { userId?: string; except?: string }): Promise<number>;
  /** Ordered by id, the browser's session before the offline one; without `max` all of them. */
  list(realm: string, filter: SessionFilter & { first?: number; max?: number }): Promise<readonly UserSessionRecord[]>;
  /** How many sessions each client takes part in: clients that take part in none are left out. */
  countByClient(realm: string, filter: Omit<SessionFilter, 'userId'>): Promise<readonly ClientSessionCount[]>;
}

/** Which sessions are meant: those that meet every condition. */
export interface SessionFilter {
  readonly userId?: string;
  /** Internal id of a client that takes part. */
  readonly clientUuid?: string;
  readonly offline?: boolean;
  /** Without those that have expired then, and are not swept yet. */
  readonly aliveAt?: number;
}

export interface ClientSessionCount {
  readonly clientUuid: string;
  readonly offline: boolean;
  readonly sessions: number;
}
