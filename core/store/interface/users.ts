import type { UserRepresentation } from '../../model/representation.js';

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

/** A role or a group that users hold. */
export interface Membership {
  readonly kind: 'role' | 'group';
  /** The clientId of a client role; otherwise empty. */
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
  /** The version of the realm that declares them. The write is a conflict if the realm has changed since. */
  readonly realmVersion?: number;
}

export interface UserStore {
  byId(realm: string, id: string): Promise<UserRecord | undefined>;
  byUsername(realm: string, username: string): Promise<UserRecord | undefined>;
  /** The first created, where duplicates are allowed. */
  byEmail(realm: string, email: string): Promise<UserRecord | undefined>;
  byServiceAccountClient(realm: string, clientUuid: string): Promise<UserRecord | undefined>;
  /** The user who is linked to this account at an identity provider: one at most. */
  byFederatedIdentity(realm: string, alias: string, userId: string): Promise<UserRecord | undefined>;
  /**
   * Creates (`expectedVersion` 0) or replaces. `exists` names what is taken. With `emailUnique`, that includes a new
   * username that is another user's address, and a new address that is another user's name.
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
  /** Removes the user with all sessions. @returns false if there is none, or not with `expectedVersion` */
  remove(realm: string, id: string, expectedVersion?: number, kept?: LastAdminGuard): Promise<boolean | 'unheld'>;
  /** Users that match; service accounts only where `query` asks for them. Without `query` everyone counts. */
  count(realm: string, query?: UserFilter): Promise<number>;
  /** As `count`, but fast: exact up to 10,000, and beyond that an estimate if the engine has one. */
  countRoughly(realm: string, query: UserFilter): Promise<RoughCount>;
  /**
   * Ordered by username; at most `max`, 100 without it.
   * @param query.after only usernames behind this one: a late page is as fast as the first
   */
  find(
    realm: string,
    query: UserFilter & { first?: number; max?: number; after?: string },
  ): Promise<readonly UserRecord[]>;
  /**
   * Relaxed: returns immediately. It is written within a second, and when the store is closed. The newest time counts.
   * @param at milliseconds
   */
  signedIn(realm: string, id: string, at: number): void;
  /**
   * Enabled users without a sign-in since `before`, the longest idle first; no service accounts. Reads no other users.
   * @param query.after the last user of the previous page
   * @param query.max default: 100
   */
  idle(
    realm: string,
    query: { before: number; after?: { idleSince: number; id: string }; max?: number },
  ): Promise<readonly IdleUser[]>;
}

/** A user and when there was last a sign of them, in milliseconds. */
export interface IdleUser {
  readonly user: UserRecord;
  /** The latest of: the last sign-in, when the user was added to this store, and when the user was enabled. */
  readonly idleSince: number;
  /** Undefined: none is known. */
  readonly lastSignIn?: number;
}

export interface RoughCount {
  readonly count: number;
  readonly isEstimate: boolean;
}

/** Which users are meant: those that meet every condition. Texts are compared without regard to case. */
export interface UserFilter {
  /**
   * Words that each begin the username, the email address or a name. `*` in one matches any text; `"x"` is exactly x.
   */
  readonly search?: string;
  /** Anywhere in the value, or with `exact` the whole of it. */
  readonly username?: string;
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly exact?: boolean;
  readonly enabled?: boolean;
  readonly emailVerified?: boolean;
  /**
   * Attributes with this value, in any case; with `exact: false` also as a part of a value. An empty value matches no
   * user.
   */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Members of the group with this path, or direct holders of this role. */
  readonly holds?: { readonly kind: 'role' | 'group'; readonly clientId?: string; readonly name: string };
  /** Linked to that identity provider, and there known by that id. */
  readonly identityProvider?: { readonly alias: string; readonly userId?: string };
  readonly serviceAccounts?: boolean;
}
