import type { UserRepresentation } from '../../model/representation.js';

export interface UserRecord {
  readonly realm: string;
  readonly id: string;
  /** In lower case; unique in the realm. */
  readonly username: string;
  /** In lower case; unique in the realm, unless the realm allows duplicates (then `emailUnique` must be false). */
  readonly email?: string;
  /** The internal ID of the client whose service account this is; unique in the realm. */
  readonly serviceAccountClientId?: string;
  readonly version: number;
  readonly representation: UserRepresentation;
}

/** A role or a group that users may have. */
export interface Membership {
  readonly kind: 'role' | 'group';
  /** The client ID of a client role; otherwise empty. */
  readonly container: string;
  readonly name: string;
}

/**
 * Guards the last administrator. If an enabled user (no service account) held one of these roles or groups before the
 * write, one must hold one after it. Otherwise the store rolls the write back and answers `unheld`. Writes of the realm
 * and of its users take the same lock.
 */
export interface LastAdminGuard {
  readonly before: readonly Membership[];
  readonly after: readonly Membership[];
  /** The version of the realm that declares them. If the realm has changed since, the write is a conflict. */
  readonly realmVersion?: number;
}

export interface UserStore {
  byId(realm: string, id: string): Promise<UserRecord | undefined>;
  byUsername(realm: string, username: string): Promise<UserRecord | undefined>;
  /** Returns the user who was created first, if several have the address. */
  byEmail(realm: string, email: string): Promise<UserRecord | undefined>;
  byServiceAccountClient(realm: string, clientUuid: string): Promise<UserRecord | undefined>;
  /** Returns the user who is linked to this account at an identity provider. There is at most one. */
  byFederatedIdentity(realm: string, alias: string, userId: string): Promise<UserRecord | undefined>;
  /**
   * Creates (`expectedVersion` 0) or replaces a user. `exists` names a value that another user has. With `emailUnique`
   * it also covers a new username that is another user's address, and a new address that is another user's name.
   */
  put(
    user: Omit<UserRecord, 'version'>,
    options: { expectedVersion: number; emailUnique?: boolean; kept?: LastAdminGuard },
  ): Promise<
    | { version: number }
    | 'conflict'
    | 'unheld'
    | { exists: 'id' | 'username' | 'email' | 'serviceAccount' | 'federatedIdentity' }
  >;
  /**
   * Deletes the user with all sessions.
   * @returns false if there is none, or none with `expectedVersion`
   */
  remove(realm: string, id: string, expectedVersion?: number, kept?: LastAdminGuard): Promise<boolean | 'unheld'>;
  /**
   * Counts the users that match; service accounts only if `query` includes them. Without `query`, all users are
   * counted.
   */
  count(realm: string, query?: UserFilter): Promise<number>;
  /** Like `count`, but fast: exact up to 10,000; above that, an estimate if the engine has one. */
  countRoughly(realm: string, query: UserFilter): Promise<RoughCount>;
  /**
   * Returns users, ordered by username; at most `max`, by default 100.
   * @param query.after only usernames after this one; a late page is then as fast as the first
   */
  find(
    realm: string,
    query: UserFilter & { first?: number; max?: number; after?: string },
  ): Promise<readonly UserRecord[]>;
  /**
   * Relaxed: returns at once. The time is written within a second, and when the store is closed. The latest time wins.
   * @param at milliseconds since the epoch
   */
  signedIn(realm: string, id: string, at: number): void;
  /**
   * Returns enabled users without a sign-in since `before`, the longest idle first, without service accounts. It reads
   * no other users.
   * @param query.after the last user of the previous page
   * @param query.max default: 100
   */
  idle(
    realm: string,
    query: { before: number; after?: { idleSince: number; id: string }; max?: number },
  ): Promise<readonly IdleUser[]>;
}

/** A user and the time of the latest activity, in milliseconds since the epoch. */
export interface IdleUser {
  readonly user: UserRecord;
  /**
   * The latest of: the last sign-in, the time when the user was added to this store, and the time when the user was
   * enabled.
   */
  readonly idleSince: number;
  /** Undefined if none is known. */
  readonly lastSignIn?: number;
}

export interface RoughCount {
  readonly count: number;
  readonly isEstimate: boolean;
}

/** Selects users that meet all conditions. Texts are compared without regard to case. */
export interface UserFilter {
  /**
   * Words, each of which must be a prefix of the username, the email address or a name. `*` in a word matches any text;
   * `"x"` must match the whole value.
   */
  readonly search?: string;
  /** A part of the value; with `exact` the whole value. */
  readonly username?: string;
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly exact?: boolean;
  readonly enabled?: boolean;
  readonly emailVerified?: boolean;
  /**
   * Attributes with this value, regardless of case; with `exact: false` also as a part of the value. An empty value
   * matches no user.
   */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Members of the group with this path, or users with this direct role. */
  readonly holds?: { readonly kind: 'role' | 'group'; readonly clientId?: string; readonly name: string };
  /** Users who have at least one of these direct roles and groups. An empty list matches no user. */
  readonly holdsAny?: readonly Membership[];
  /** Users who are linked to this identity provider, with this user ID there. */
  readonly identityProvider?: { readonly alias: string; readonly userId?: string };
  readonly serviceAccounts?: boolean;
}
