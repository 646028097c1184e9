import type { RealmRepresentation } from '../../model/representation.js';
import type { KeyRecord, KeyState } from './keys.js';
import type { KeptHeld, UserRecord } from './users.js';

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
   * Without `declared` the one before stays. `idTaken`: another realm has the id, of the record or of the representation.
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
      kept?: KeptHeld;
    },
  ): Promise<{ version: number; usersCreated: number } | 'conflict' | 'unheld' | 'idTaken'>;
  /** Remembers a file's state when nothing else changed. */
  putSource(name: string, source: RealmSourceRecord): Promise<void>;
  /** Removes the realm and everything in it. @returns false where there is none, or none of `expectedVersion` */
  remove(name: string, expectedVersion?: number): Promise<boolean>;
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
