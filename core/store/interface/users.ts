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
export interface HeldName {
  readonly kind: 'role' | 'group';
  /** The clientId of a client role; otherwise empty. */
  readonly container: string;
  readonly name: string;
}

/**
 * Somebody is to hold one of these who is enabled and no service account: a write that leaves nobody, where there was somebody
 * before, is undone and answered `unheld`. Whoever writes the realm and whoever writes its users wait for each other.
 */
export interface KeptHeld {
  readonly before: readonly HeldName[];
  readonly after: readonly HeldName[];
  /** The version of the realm that says so; one that has changed since is a conflict. */
  readonly realmVersion?: number;
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
    options: { expectedVersion: number; emailUnique?: boolean; kept?: KeptHeld },
  ): Promise<
    | { version: number }
    | 'conflict'
    | 'unheld'
    | { exists: 'id' | 'username' | 'email' | 'serviceAccount' | 'federatedIdentity' }
  >;
  /** Removes the user with all sessions. @returns false where there is none, or none of `expectedVersion` */
  remove(realm: string, id: string, expectedVersion?: number, kept?: KeptHeld): Promise<boolean | 'unheld'>;
  /** Users that match; service accounts only where `query` asks for them. Without `query` everyone counts. */
  count(realm: string, query?: UserFilter): Promise<number>;
  /** As `count`, and at once: exact up to 10,000, beyond that an estimate where the engine can tell. */
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
   * Relaxed: returns at once, and is written soon, at most once a second, and when the store is closed. The newest one counts.
   * @param at milliseconds
   */
  signedIn(realm: string, id: string, at: number): void;
  /**
   * Enabled users who have been away since `before` or longer, the longest first; no service accounts. Reads no others.
   * @param query.after the last one of the page before
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
  /** The newest of: the last sign-in, when the user came to this store, and when the user was enabled. */
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
  /** Attributes that have this value among theirs, in any case; with `exact: false` anywhere in one. An empty one is nobody's. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Who is in the group with that path, or holds that role directly. */
  readonly holds?: { readonly kind: 'role' | 'group'; readonly clientId?: string; readonly name: string };
  /** Linked to that identity provider, and there known by that id. */
  readonly identityProvider?: { readonly alias: string; readonly userId?: string };
  readonly serviceAccounts?: boolean;
}
