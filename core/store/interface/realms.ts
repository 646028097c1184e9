import type { RealmRepresentation } from '../../model/representation.js';
import type { KeyRecord, KeyState } from './keys.js';
import type { LastAdminGuard, UserRecord } from './users.js';

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
  /**
   * SHA-256 of the realm's declaration, base64url: the bytes of its files, or its value in a list, and the values of
   * its references.
   */
  readonly hash: string;
  /** Number of other realms in the same file. */
  readonly beside?: number;
  /** True when the files refer to the environment or to other files, which may change without them. */
  readonly references?: boolean;
  /** Fingerprint of what the files were checked with. */
  readonly checks?: string;
  /** `spi/id` of providers that the files enable for unauthenticated callers. */
  readonly openProviders?: readonly string[];
  /** Sentences about what the files promise and Keyhost does not do. */
  readonly brokenPromises?: readonly string[];
  /** The realm's version that the files made; a later one was edited since. */
  readonly version?: number;
  /** True if that version contains edits that differ from the files. */
  readonly drifted?: boolean;
  /** Milliseconds. */
  readonly appliedAt?: number;
}

/** The content of a realm's files when they were last applied. */
export interface RealmDeclaration {
  /** Without users and without the secrets of keys; references resolved. */
  readonly representation: RealmRepresentation;
  /** Paths of references in it, with their text. */
  readonly references: readonly (readonly [path: readonly (string | number)[], text: string])[];
  /** Usernames of its users, in lower case. */
  readonly usernames: readonly string[];
}

/** The part of a realm that lists show. */
export interface RealmSummary {
  readonly id: string;
  readonly name: string;
  readonly displayName?: string;
  readonly enabled: boolean;
}

export interface RealmStore {
  get(name: string): Promise<RealmRecord | undefined>;
  /** The realm together with the last applied content of its files. */
  withDeclaration(name: string): Promise<(RealmRecord & { readonly declared?: RealmDeclaration }) | undefined>;
  /** Names and sources, without the representations. */
  list(): Promise<readonly { id: string; name: string; version: number; source?: RealmSourceRecord }[]>;
  /** All realms, by name: read from an index. */
  summaries(): Promise<readonly RealmSummary[]>;
  /**
   * Writes a realm with its new keys and users in one transaction. `users` are created unless their ID, username,
   * service-account client or linked account exists; then they are left alone. Keys: as in `KeyStore.add`. `keyStates`
   * and `removedKeys` change existing keys. All `imported` users are created, after those with the IDs `removed` were
   * deleted with their sessions.
   *
   * `names` are renamed in the users that hold them. Sessions and service accounts of `removedClients` (internal IDs)
   * are deleted, and of `removedServiceAccounts` (internal IDs of clients) only the service accounts. Without
   * `declared` the previous one stays. `idTaken`: another realm has the ID, of the record or of the representation.
   * @returns the new version, or `conflict`: `expectedVersion` (0 for a new realm) is not the current one, or another
   * user has the name that a service account should get, or an imported user's ID, username or (with `emailUnique`)
   * address is taken.
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
      kept?: LastAdminGuard;
    },
  ): Promise<{ version: number; usersCreated: number } | 'conflict' | 'unheld' | 'idTaken'>;
  /** Remembers a file's state when nothing else changed. */
  putSource(name: string, source: RealmSourceRecord): Promise<void>;
  /** Removes the realm and everything in it. @returns false if it does not exist, or not with `expectedVersion` */
  remove(name: string, expectedVersion?: number): Promise<boolean>;
}

export interface ImportedUsers {
  readonly users: readonly UserRecord[];
  /** Ids of users that go before. */
  readonly removed: readonly string[];
  readonly emailUnique: boolean;
}

/** A name that users hold and that changes with the realm. Without `to` it is removed. */
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
