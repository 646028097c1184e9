import type { RealmRepresentation } from '../../model/representation.js';
import type { KeyRecord, KeyState } from './keys.js';
import type { LastAdminGuard, UserRecord } from './users.js';

export interface RealmRecord {
  readonly id: string;
  readonly name: string;
  /** Increases by one with every write. */
  readonly version: number;
  /** The realm without `users`, which are in the user store. */
  readonly representation: RealmRepresentation;
  /** The realm files that were last applied. */
  readonly source?: RealmSourceRecord;
}

export interface RealmSourceRecord {
  readonly files: readonly { path: string; size: number; mtimeMs: number; inode: number }[];
  /**
   * SHA-256 of the realm's declaration, base64url. It covers the bytes of its files, or its value in a list, and the
   * values of its references.
   */
  readonly hash: string;
  /** The number of other realms in the same file. */
  readonly beside?: number;
  /** True if the files refer to the environment or to other files, which may change independently. */
  readonly references?: boolean;
  /** A fingerprint of the versions and providers with which the files were checked. */
  readonly checks?: string;
  /** `spi/id` of the providers in the files that unauthenticated callers can use. */
  readonly openProviders?: readonly string[];
  /** Sentences about settings in the files that Keyhost does not implement. */
  readonly brokenPromises?: readonly string[];
  /**
   * The version of the realm that the files have created. If the current one is greater, the realm was edited since.
   */
  readonly version?: number;
  /** True if the current version has edits that differ from the files. */
  readonly drifted?: boolean;
  /** Milliseconds since the epoch. */
  readonly appliedAt?: number;
}

/** The content of a realm's files when they were last applied. */
export interface RealmDeclaration {
  /** The realm without users and without the secrets of keys; references are resolved. */
  readonly representation: RealmRepresentation;
  /** The paths of the references in it, with their texts. */
  readonly references: readonly (readonly [path: readonly (string | number)[], text: string])[];
  /** The usernames of its users, in lower case. */
  readonly usernames: readonly string[];
}

/** The members of a realm that lists show. */
export interface RealmSummary {
  readonly id: string;
  readonly name: string;
  readonly displayName?: string;
  readonly enabled: boolean;
}

export interface RealmStore {
  get(name: string): Promise<RealmRecord | undefined>;
  /** Returns the realm together with the content of its files when they were last applied. */
  withDeclaration(name: string): Promise<(RealmRecord & { readonly declared?: RealmDeclaration }) | undefined>;
  /** Returns names and sources, without the representations. */
  list(): Promise<readonly { id: string; name: string; version: number; source?: RealmSourceRecord }[]>;
  /** Returns all realms, ordered by name. They are read from an index. */
  summaries(): Promise<readonly RealmSummary[]>;
  /**
   * Writes a realm with its new keys and users, all or nothing. `users` are created unless their ID, username,
   * service-account client or linked account exists; existing ones are not changed. Keys are added as in
   * `KeyStore.add`. `keyStates` and `removedKeys` change existing keys. All `imported` users are created, after those
   * with the IDs in `removed` were deleted with their sessions.
   *
   * `names` are renamed in the users that hold them. Sessions and service accounts of `removedClients` (internal IDs)
   * are deleted; of `removedServiceAccounts` (internal IDs of clients), only the service accounts. Without `declared`,
   * the previous declaration stays.
   *
   * A store that is not shared writes many users in several transactions before that of the realm. So other writers do
   * not wait for all of them, but readers of an existing realm may see these users early. If the realm is not written,
   * they are removed before this ends. If the process dies, they are removed when the store is opened again.
   * @returns the new version; `idTaken` if another realm has the ID of the record or of the representation; `conflict`
   * if `expectedVersion` (0 for a new realm) is not the current one, another user has the name of a service account, or
   * the ID, username or (with `emailUnique`) address of an imported user is taken
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
  /** Stores the state of the files, if nothing else has changed. */
  putSource(name: string, source: RealmSourceRecord): Promise<void>;
  /**
   * Deletes the realm and everything in it.
   * @returns false if it does not exist, or does not have `expectedVersion`
   */
  remove(name: string, expectedVersion?: number): Promise<boolean>;
}

export interface ImportedUsers {
  readonly users: readonly UserRecord[];
  /** IDs of the users to delete first. */
  readonly removed: readonly string[];
  readonly emailUnique: boolean;
}

/** A change of a name in the realm that users hold. Without `to`, the name is removed. */
export type NameChange =
  /** The path of a group, and every path below it. */
  | { readonly what: 'group'; readonly from: string; readonly to?: string }
  /** A realm role, or a role of the client with that clientId. */
  | { readonly what: 'role'; readonly clientId?: string; readonly from: string; readonly to?: string }
  /**
   * A client ID, in the client's roles and consents that users hold, and in the username of its service account. `id`
   * is the client's internal ID.
   */
  | { readonly what: 'client'; readonly id: string; readonly from: string; readonly to?: string }
  /** A client scope, in the consents of users. */
  | { readonly what: 'clientScope'; readonly from: string; readonly to?: string }
  /** The alias of an identity provider that was deleted. Users are no longer linked to their accounts there. */
  | { readonly what: 'identityProvider'; readonly from: string; readonly to?: never };
