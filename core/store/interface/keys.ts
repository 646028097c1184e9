export type KeyStatus = 'ACTIVE' | 'PASSIVE' | 'DISABLED';

export interface KeyRecord {
  readonly realm: string;
  readonly kid: string;
  readonly use: 'sig' | 'enc';
  readonly algorithm: string;
  readonly status: KeyStatus;
  readonly priority: number;
  readonly createdAt: number;
  /** Key material in the format of `core/keys/`, encrypted if there is a master key. The store does not read it. */
  readonly material: string;
}

/** The mutable state of a key. */
export interface KeyState {
  readonly kid: string;
  readonly status: KeyStatus;
  readonly priority: number;
  /** The algorithm from now on; undefined: unchanged. */
  readonly algorithm?: string;
}

export interface KeyStore {
  list(realm: string): Promise<readonly KeyRecord[]>;
  /** Adds keys whose kid is new in the realm; others are left alone. */
  add(keys: readonly KeyRecord[]): Promise<void>;
  /**
   * Adds the key only if the realm has no ACTIVE key of this use and algorithm. Resolves to the key that the realm then
   * has.
   * @param but kids of ACTIVE keys that do not count, since their certificates are invalid
   */
  addFirst(key: KeyRecord, but?: readonly string[]): Promise<KeyRecord>;
  /** In one transaction: ACTIVE keys of this use and algorithm become PASSIVE and the new one is added. */
  rotate(key: KeyRecord): Promise<void>;
  setStatus(realm: string, kid: string, status: KeyStatus): Promise<boolean>;
  /** Replaces the material of existing keys, to (re-)encrypt them. */
  putMaterial(keys: readonly { realm: string; kid: string; material: string }[]): Promise<void>;
}
