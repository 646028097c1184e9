export type KeyStatus = 'ACTIVE' | 'PASSIVE' | 'DISABLED';

export interface KeyRecord {
  readonly realm: string;
  readonly kid: string;
  readonly use: 'sig' | 'enc';
  readonly algorithm: string;
  readonly status: KeyStatus;
  readonly priority: number;
  readonly createdAt: number;
  /** What `core/keys/` makes of it: key material, encrypted when a master key is given. Opaque here. */
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
  /**
   * Adds the key only when the realm has no ACTIVE key of that use and algorithm; resolves to the one that stands.
   * @param but kids of ACTIVE keys that do not count, since their certificates are not valid
   */
  addFirst(key: KeyRecord, but?: readonly string[]): Promise<KeyRecord>;
  /** In one transaction: ACTIVE keys of this use and algorithm become PASSIVE and the new one is added. */
  rotate(key: KeyRecord): Promise<void>;
  setStatus(realm: string, kid: string, status: KeyStatus): Promise<boolean>;
  /** Replaces the material of existing keys, to (re-)encrypt them. */
  putMaterial(keys: readonly { realm: string; kid: string; material: string }[]): Promise<void>;
}
