import type { RealmRepresentation, UserRepresentation } from '../model/representation.js';

/**
 * Where Keyhost keeps what must survive. Every method is one atomic operation; a resolved promise means durable on
 * disk, except where it says "relaxed". Times are milliseconds since the epoch, given by the caller. Secrets arrive
 * hashed (SHA-256, base64url) or encrypted. A rejected promise means "not granted": callers never retry on their own.
 * Rejections are HostErrors: `store_unavailable` (503) when the store cannot work or is closed, `store_conflict` (500)
 * when an id that should be new exists, `store_error` (500) for a value that cannot be stored.
 */
export interface Store {
  readonly realms: RealmStore;
  readonly users: UserStore;
  readonly keys: KeyStore;
  readonly sessions: SessionStore;
  readonly families: FamilyStore;
  readonly tickets: TicketStore;
  readonly marks: MarkStore;
  readonly counters: CounterStore;
  readonly events: EventStore;
  readonly entries: EntryStore;
  readonly actionTokens: ActionTokenStore;
  /** Several writes in one transaction: all of them, or none when a guard fails. */
  commit(steps: readonly CommitStep[]): Promise<CommitResult>;
  /**
   * Runs `work`; the first write in it that changes something writes the events too, in one transaction. The first and not
   * the last: however an operation of several writes ends, no change of it is without its events. A write that is refused
   * (`conflict`, a guard that is not met) changes nothing and leaves them to the next one; where nothing changes they are
   * not written at all. An event that cannot be written fails the write that carries it. Within the work of another
   * recording, the first change carries what both have.
   * @param events asked for at each write until one has carried them; their ids must not change
   * @param work gets a question: have they been written? It has changed nothing yet as long as they have not.
   * @param options.of only what changes users counts: what else is written goes before it, or beside it
   */
  recording<T>(
    events: () => readonly EventRecord[],
    work: (isWritten: () => boolean) => Promise<T>,
    options?: { readonly of?: 'users' },
  ): Promise<T>;
  /** Removes at most `limit` expired rows; 200 without it and at most, so that no write waits long. */
  sweep(options: { now: number; limit?: number }): Promise<{ removed: number; more: boolean }>;
  /** Everything acknowledged is on disk already; this ends the worker and closes the files. */
  close(): Promise<void>;
}

export interface RealmRecord {
  readonly id: string;
  readonly name: string;
  /** Grows by one with every write. */
  readonly version: number;
  /** Without `users`: they are in the user store. */
  readonly representation: RealmRepresentation;
  /** The realm file last applied. */
  readonly source?: RealmSourceRecord;
}

export interface RealmSourceRecord {
  readonly files: readonly { path: string; size: number; mtimeMs: number; inode: number }[];
  /** SHA-256 of what they say of the realm, base64url: their bytes, or its value in a list; the values of its references. */
  readonly hash: string;
  /** How many other realms stand in the same file. */
  readonly beside?: number;
  /** True when the files refer to the environment or to other files, which may change without them. */
  readonly references?: boolean;
  /** Fingerprint of what the files were checked with. */
  readonly checks?: string;
  /** `spi/id` of providers that the files leave open to everybody. */
  readonly openProviders?: readonly string[];
  /** Sentences about what the files promise and Keyhost does not do. */
  readonly brokenPromises?: readonly string[];
  /** The realm's version that the files made; a later one was edited since. */
  readonly version?: number;
  /** True when that version kept edits that differ from what the files alone would make. */
  readonly drifted?: boolean;
  /** Milliseconds. */
  readonly appliedAt?: number;
}

/** What a realm's files said when they were last applied. */
export interface RealmDeclaration {
  /** Without users and without the secrets of keys; references resolved. */
  readonly representation: RealmRepresentation;
  /** Where in it references stand, and how they are written. */
  readonly references: readonly (readonly [path: readonly (string | number)[], text: string])[];
  /** Of its users, lower case. */
  readonly usernames: readonly string[];
}

/** What a list of realms shows of one. */
export interface RealmSummary {
  readonly id: string;
  readonly name: string;
  readonly displayName?: string;
  readonly enabled: boolean;
}

export interface RealmStore {
  get(name: string): Promise<RealmRecord | undefined>;
  /** The realm together with what its files said. */
  withDeclaration(name: string): Promise<(RealmRecord & { readonly declared?: RealmDeclaration }) | undefined>;
  /** Names and sources, without the representations. */
  list(): Promise<readonly { id: string; name: string; version: number; source?: RealmSourceRecord }[]>;
  /** Of all realms, by name: read from an index. */
  summaries(): Promise<readonly RealmSummary[]>;
  /**
   * Writes a realm with the keys and users that come with it in one transaction. `users` are created when neither id
   * nor username nor service-account client nor account at an identity provider exists, and otherwise left alone. Keys: as in `KeyStore.add`.
   * `keyStates` and `removedKeys` change keys that are there. `imported` users are created, all of them, after those
   * with the ids `removed` are gone with their sessions.
   * `names` are carried into the users that hold them; of `removedClients` (internal ids) the sessions and the service
   * accounts go too, of `removedServiceAccounts` (internal ids of clients) the service accounts alone.
   * Without `declared` the one before stays.
   * @returns the new version, or `conflict` when `expectedVersion` (0 for a new realm) is not the current one, or the
   *   name that a service account should get belongs to another user, or an imported user's id, username or
   *   (with `emailUnique`) address is taken.
   */
  put(
    realm: Omit<RealmRecord, 'version'>,
    options: {
      expectedVersion: number;
      users?: readonly UserRecord[];
      keys?: readonly KeyRecord[];
      keyStates?: readonly KeyState[];
      /** Their kids. */
      removedKeys?: readonly string[];
      imported?: ImportedUsers;
      names?: readonly NameChange[];
      removedClients?: readonly string[];
      removedServiceAccounts?: readonly string[];
      declared?: RealmDeclaration;
    },
  ): Promise<{ version: number; usersCreated: number } | 'conflict'>;
  /** Remembers a file's state when nothing else changed. */
  putSource(name: string, source: RealmSourceRecord): Promise<void>;
  /** Removes the realm and everything in it. */
  remove(name: string): Promise<boolean>;
}

export interface ImportedUsers {
  readonly users: readonly UserRecord[];
  /** Ids of users that go before. */
  readonly removed: readonly string[];
  readonly emailUnique: boolean;
}

/** A name that users hold and that changes with the realm. Without `to` it is gone. */
export type NameChange =
  /** A path, and every path below it. */
  | { readonly what: 'group'; readonly from: string; readonly to?: string }
  /** A realm role, or a role of the client with that clientId. */
  | { readonly what: 'role'; readonly clientId?: string; readonly from: string; readonly to?: string }
  /**
   * A clientId: in the client's roles and consents that users hold, and in the name of its service account. `id` is the
   * client's internal one.
   */
  | { readonly what: 'client'; readonly id: string; readonly from: string; readonly to?: string }
  /** A client scope, as far as users agreed to it. */
  | { readonly what: 'clientScope'; readonly from: string; readonly to?: string }
  /** An identity provider's alias, which never changes: users are no longer linked to their accounts there. */
  | { readonly what: 'identityProvider'; readonly from: string; readonly to?: never };

export interface UserRecord {
  readonly realm: string;
  readonly id: string;
  /** Lower case; unique in the realm. */
  readonly username: string;
  /** Lower case; unique in the realm unless the realm allows duplicates (then pass `emailUnique: false`). */
  readonly email?: string;
  /** Internal id of the client whose service account this is; unique in the realm. */
  readonly serviceAccountClientId?: string;
  readonly version: number;
  readonly representation: UserRepresentation;
}

export interface UserStore {
  byId(realm: string, id: string): Promise<UserRecord | undefined>;
  byUsername(realm: string, username: string): Promise<UserRecord | undefined>;
  /** The first created, where duplicates are allowed. */
  byEmail(realm: string, email: string): Promise<UserRecord | undefined>;
  byServiceAccountClient(realm: string, clientUuid: string): Promise<UserRecord | undefined>;
  /** Who is linked to the account that the identity provider of that alias knows by that id: one user at most. */
  byFederatedIdentity(realm: string, alias: string, userId: string): Promise<UserRecord | undefined>;
  /**
   * Creates (`expectedVersion` 0) or replaces. `exists` names what is taken: with `emailUnique` also a new username that is
   * another user's address, and a new address that is another user's name.
   */
  put(
    user: Omit<UserRecord, 'version'>,
    options: { expectedVersion: number; emailUnique?: boolean },
  ): Promise<
    { version: number } | 'conflict' | { exists: 'id' | 'username' | 'email' | 'serviceAccount' | 'federatedIdentity' }
  >;
  /** Removes the user with all sessions. */
  remove(realm: string, id: string): Promise<boolean>;
  /** Users that match; service accounts only where `query` asks for them. Without `query` everyone counts. */
  count(realm: string, query?: UserFilter): Promise<number>;
  /** Ordered by username; at most `max`, 100 without it. */
  find(realm: string, query: UserFilter & { first?: number; max?: number }): Promise<readonly UserRecord[]>;
}

/** Which users are meant: those that meet every condition. Texts are compared without regard to case. */
export interface UserFilter {
  /** Words that each begin the username, the e-mail address or a name; `*` in one stands for any text, `"x"` is exactly x. */
  readonly search?: string;
  /** Anywhere in the value, or with `exact` the whole of it. */
  readonly username?: string;
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly exact?: boolean;
  readonly enabled?: boolean;
  readonly emailVerified?: boolean;
  /** Attributes that have this value among theirs. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Who is in the group with that path, or holds that role directly. */
  readonly holds?: { readonly kind: 'role' | 'group'; readonly clientId?: string; readonly name: string };
  /** Linked to that identity provider, and there known by that id. */
  readonly identityProvider?: { readonly alias: string; readonly userId?: string };
  readonly serviceAccounts?: boolean;
}

export type KeyStatus = 'ACTIVE' | 'PASSIVE' | 'DISABLED';

export interface KeyRecord {
  readonly realm: string;
  readonly kid: string;
  readonly use: 'sig' | 'enc';
  readonly algorithm: string;
  readonly status: KeyStatus;
  readonly priority: number;
  readonly createdAt: number;
  /** What the tokens room makes of it: key material, encrypted when a master key is given. Opaque here. */
  readonly material: string;
}

/** What may change in a key. */
export interface KeyState {
  readonly kid: string;
  readonly status: KeyStatus;
  readonly priority: number;
  /** What it is used for from now on; as before without it. */
  readonly algorithm?: string;
}

export interface KeyStore {
  list(realm: string): Promise<readonly KeyRecord[]>;
  /** Adds keys whose kid is new in the realm; others are left alone. */
  add(keys: readonly KeyRecord[]): Promise<void>;
  /** Adds the key only when the realm has no ACTIVE key of that use and algorithm; resolves to the one that stands. */
  addFirst(key: KeyRecord): Promise<KeyRecord>;
  /** In one transaction: ACTIVE keys of this use and algorithm become PASSIVE and the new one is added. */
  rotate(key: KeyRecord): Promise<void>;
  setStatus(realm: string, kid: string, status: KeyStatus): Promise<boolean>;
  /** Replaces the material of existing keys, to (re-)encrypt them. */
  putMaterial(keys: readonly { realm: string; kid: string; material: string }[]): Promise<void>;
}

/**
 * Names a user session. A login and what its clients may do offline have one id: the browser's session and the offline
 * one are told apart by `offline` alone.
 */
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
  /** Only where the client session is there already. */
  readonly onlyExisting?: boolean;
  /** When the user proved again who they are, in seconds since the epoch. */
  readonly authTime?: number;
  /** What the user session's notes become. */
  readonly notes?: Readonly<Record<string, string>>;
}

export interface SessionStore {
  /** Creates a user session; where given, with its first client session and the refresh family of this login. */
  start(session: UserSessionRecord, clientSession?: ClientSessionRecord, family?: FamilyRecord): Promise<void>;
  /**
   * Adds or replaces a client session of an existing user session; false when that session is gone, or with
   * `onlyExisting` the client session.
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
   * Ends every session of the realm, or of one of its users, a bounded number at a time.
   * @param options.except the id of a login that stays, with its offline session
   * @returns how many have ended
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

/** The refresh tokens of one login (Keycloak's `reuse_id`). */
export interface FamilyRecord {
  readonly realm: string;
  readonly id: string;
  readonly sessionId: string;
  readonly offline: boolean;
  readonly clientUuid: string;
  readonly userId: string;
  /** Hash of the first refresh token's `jti`. */
  readonly current: string;
  readonly expiresAt: number;
}

export type RotateOutcome =
  /** The presented token was the newest, or is used again within `maxReuse`; `next` is now acceptable too. */
  | { outcome: 'rotated'; uses: number }
  /** Used more often than allowed, or an older one: the family is revoked and the client session removed. */
  | { outcome: 'reused' | 'stale' }
  /** No such family, or it was revoked before. */
  | { outcome: 'absent' };

export interface FamilyStore {
  /**
   * Uses a refresh token: exactly `maxReuse` + 1 uses of each are ever granted, and none once a newer one was used.
   * The family holds the set of tokens issued from the last used one and not yet used themselves (`pending`), the last
   * used one and how often. On `reused` and `stale` the same transaction revokes the family and removes its client session.
   */
  rotate(request: {
    realm: string;
    family: string;
    presented: string;
    next: string;
    maxReuse: number;
    now: number;
    expiresAt: number;
  }): Promise<RotateOutcome>;
  revoke(realm: string, by: { family: string } | { sessionId: string } | { userId: string }): Promise<number>;
}

export interface TicketKey {
  readonly realm: string;
  /** What it is, such as `authorization-code`: one kind can never be redeemed as another. */
  readonly kind: string;
  readonly keyHash: string;
}

/** One-time objects with a payload. */
export interface TicketStore {
  issue(ticket: TicketKey & { payload: string; expiresAt: number }): Promise<'issued' | 'exists'>;
  /** The payload, as long as the ticket has neither been redeemed nor expired. */
  get(key: TicketKey & { now: number }): Promise<string | undefined>;
  /** Exactly one caller ever gets `first`. The row stays as a tombstone until it expires. */
  redeem(
    key: TicketKey & { now: number },
  ): Promise<
    | { outcome: 'first'; payload: string }
    | { outcome: 'replayed'; payload: string; firstAt: number }
    | { outcome: 'absent' }
  >;
}

/** First-seen registry: single-use action tokens, assertion ids, revoked access tokens. */
export interface MarkStore {
  /** True for exactly one caller per key, until it expires; never for one that is expired when it comes. */
  claim(mark: TicketKey & { expiresAt: number; now: number }): Promise<boolean>;
  has(key: TicketKey & { now: number }): Promise<boolean>;
  /** When a claim that stands ends. */
  expiry(key: TicketKey & { now: number }): Promise<number | undefined>;
  /** Takes a claim back, so that the key may be claimed again: what it stood for did not come about. */
  release(key: TicketKey): Promise<void>;
  /** Takes all claims of a kind back. */
  releaseAll(kind: { realm: string; kind: string }): Promise<void>;
}

export interface CounterStore {
  /** Adds one within a window that starts with the first bump; the window restarts once it is over. */
  bump(key: {
    realm: string;
    subject: string;
    now: number;
    windowMs: number;
  }): Promise<{ count: number; firstAt: number }>;
  get(key: { realm: string; subject: string; now: number }): Promise<{ count: number; firstAt: number } | undefined>;
  /** Takes one bump back: what was counted beforehand did not come about. */
  release(key: { realm: string; subject: string }): Promise<void>;
  clear(key: { realm: string; subject: string }): Promise<void>;
  /** Clears every counter whose subject begins so. */
  clearAll(some: { realm: string; prefix: string }): Promise<void>;
}

export interface EventRecord {
  readonly id: string;
  readonly realm: string;
  readonly kind: 'user' | 'admin';
  readonly time: number;
  readonly type: string;
  readonly clientId?: string;
  readonly userId?: string;
  readonly ipAddress?: string;
  /** The event as JSON. */
  readonly body: string;
  /** After this it may be swept; absent: kept. */
  readonly expiresAt?: number;
}

export interface EventStore {
  /** An event whose id the realm has already says now what the new one says, and keeps its time. */
  append(events: readonly EventRecord[]): Promise<void>;
  /** Newest first, or with `oldestFirst` the other way round. `from` and `to` are included. */
  query(
    realm: string,
    filter: {
      kind: 'user' | 'admin';
      types?: readonly string[];
      clientId?: string;
      userId?: string;
      ipAddress?: string;
      from?: number;
      to?: number;
      /** Of admin events. In the path `*` stands for any text. */
      resourceTypes?: readonly string[];
      resourcePath?: string;
      /** Of admin events: the internal id of the realm whose admin it was. */
      authRealmId?: string;
      /** The last event of the page before: continues after it, however many came in meanwhile. Newest first only. */
      before?: { time: number; id: string };
      oldestFirst?: boolean;
      first?: number;
      /** 100 without it. */
      max?: number;
    },
  ): Promise<readonly EventRecord[]>;
  clear(realm: string, kind: 'user' | 'admin'): Promise<number>;
}

/** Key–value pairs of plugins, by realm and namespace. Values are JSON text. */
export interface EntryStore {
  get(key: { realm: string; namespace: string; key: string; now: number }): Promise<string | undefined>;
  put(entry: { realm: string; namespace: string; key: string; value: string; expiresAt?: number }): Promise<void>;
  /** Inserts only when there is no live entry; false too when it is expired when it comes. */
  claim(entry: {
    realm: string;
    namespace: string;
    key: string;
    value: string;
    expiresAt: number;
    now: number;
  }): Promise<boolean>;
  /**
   * Writes only when the live entry's value is the one that is expected, both read as JSON; undefined: when there is none.
   * @returns whether it was written
   */
  replace(entry: {
    realm: string;
    namespace: string;
    key: string;
    expected: string | undefined;
    value: string;
    expiresAt?: number;
    now: number;
  }): Promise<boolean>;
  /** Live entries whose keys begin with `prefix`, ordered by key (by code point). */
  list(range: {
    realm: string;
    namespace: string;
    prefix: string;
    first: number;
    max: number;
    now: number;
  }): Promise<readonly { key: string; value: string }[]>;
  delete(key: { realm: string; namespace: string; key: string }): Promise<void>;
  /** Deletes everything in a namespace. */
  clear(namespace: { realm: string; namespace: string }): Promise<void>;
}

export interface ActionTokenKey {
  readonly realm: string;
  readonly userId: string;
  /** The token's `jti`. */
  readonly id: string;
}

/** An action token that was issued: all but the token. */
export interface ActionTokenRecord extends ActionTokenKey {
  readonly type: string;
  readonly clientId?: string;
  readonly issuedAt: number;
  /** After this it may be swept. */
  readonly expiresAt: number;
}

/** Which action tokens are out, where a realm keeps account of them. They go with their user. */
export interface ActionTokenStore {
  add(token: ActionTokenRecord): Promise<void>;
  /** False when there is none. */
  remove(key: ActionTokenKey): Promise<boolean>;
  find(key: ActionTokenKey): Promise<ActionTokenRecord | undefined>;
  /** A user's, as far as they have not expired; newest first. */
  list(realm: string, userId: string, options: { now: number; max: number }): Promise<readonly ActionTokenRecord[]>;
}

export type CommitStep =
  | { op: 'tickets.issue'; args: Parameters<TicketStore['issue']>[0]; require: 'issued' }
  | { op: 'tickets.redeem'; args: Parameters<TicketStore['redeem']>[0]; require: 'first' }
  | { op: 'marks.claim'; args: Parameters<MarkStore['claim']>[0]; require: true }
  | { op: 'sessions.start'; args: Parameters<SessionStore['start']> }
  | { op: 'sessions.attach'; args: Parameters<SessionStore['attach']>; require: true }
  /**
   * Puts the client session into the user session, which is started when there is none that lasts at its `startedAt`. One that
   * lasts goes on, and a client session in it keeps when it began. The outcome is a `JoinedSession`.
   */
  | { op: 'sessions.join'; args: readonly [UserSessionRecord, ClientSessionRecord, FamilyRecord?] }
  | { op: 'events.append'; args: Parameters<EventStore['append']>[0] }
  | { op: 'actionTokens.remove'; args: ActionTokenKey; require: true };

/** Outcomes in order, or the first step whose guard failed, with what it answered; nothing was written then. */
export type CommitResult =
  | { committed: true; outcomes: readonly unknown[] }
  | { committed: false; failed: number; outcome: unknown };
