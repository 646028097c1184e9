export type KeyStatus = 'ACTIVE' | 'PASSIVE' | 'DISABLED';

export interface KeyRecord {
  readonly realm: string;
  readonly kid: string;
  readonly use: 'sig' | 'enc';
  readonly algorithm: string;
  readonly status: KeyStatus;
  readonly priority: number;
  readonly createdAt: number;
  /**
   * Key material in the format of `core/keys/`, encrypted if there is a master key. The store does not interpret it.
   */
  readonly material: string;
}

/** The members of a key that can be changed. */
export interface KeyState {
  readonly kid: string;
  readonly status: KeyStatus;
  readonly priority: number;
  /** The new algorithm; undefined to leave it unchanged. */
  readonly algorithm?: string;
}

export interface KeyStore {
  list(realm: string): Promise<readonly KeyRecord[]>;
  /** Adds the keys whose kid does not exist in the realm yet, and ignores the others. */
  add(keys: readonly KeyRecord[]): Promise<void>;
  /**
   * Adds the key if the realm has no ACTIVE key of this use and algorithm. Resolves to the key that the realm has then.
   * @param but kids of ACTIVE keys to ignore, because their certificates are invalid
   */
  addFirst(key: KeyRecord, but?: readonly string[]): Promise<KeyRecord>;
  /** In one transaction, makes the ACTIVE keys of this use and algorithm PASSIVE, and adds the new one. */
  rotate(key: KeyRecord): Promise<void>;
  setStatus(realm: string, kid: string, status: KeyStatus): Promise<boolean>;
  /** Replaces the material of existing keys, to encrypt it with another master key. */
  putMaterial(keys: readonly { realm: string; kid: string; material: string }[]): Promise<void>;
}
