import { HostError } from '@keyhost/spi';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../model/clock.js';
import type { KeyRecord, KeyStatus, KeyStore } from '../store/store.js';
import { signatureAlgorithm } from './algorithms.js';
import { generateKey, openMaterial } from './key-material.js';
import { isSealed, MasterKey, masterKeyMissing } from './master-key.js';
import { type OpenKey, RealmKeys } from './realm-keys.js';

/** Keycloak's default priority of a key provider. */
export const DEFAULT_KEY_PRIORITY = 100;

/** A key that is not yet a realm's: material in plain. */
export type KeyRecordDraft = Omit<KeyRecord, 'realm'>;

export interface KeyRingOptions {
  readonly store: KeyStore;
  readonly clock: Clock;
  /** Encrypts key material at rest; 16 characters or more. */
  readonly masterKey?: string;
  /** Realms whose keys are held in memory; 1000 without it. */
  readonly cachedRealms?: number;
}

/** The keys of every realm: loaded from the store when first asked for, held in memory, changed here only. */
export class KeyRing {
  readonly #store: KeyStore;
  readonly #clock: Clock;
  readonly #masterKey: MasterKey | undefined;
  readonly #realms: LRUCache<string, Promise<RealmKeys>>;

  /** @throws BootError `master_key` when the master key is too short. */
  constructor({ store, clock, masterKey, cachedRealms = 1000 }: KeyRingOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#masterKey = masterKey === undefined ? undefined : new MasterKey(masterKey);
    this.#realms = new LRUCache({ max: cachedRealms });
  }

  /**
   * The keys of an existing realm. Concurrent first calls share one load. With a master key, material found in plain
   * is encrypted in the store before this resolves.
   * @throws BootError `master_key` when material is encrypted and the master key is missing or another one;
   *   HostError `key_unreadable` (500)
   */
  realm(name: string): Promise<RealmKeys> {
    const known = this.#realms.get(name);
    if (known !== undefined) return known;
    const loading = this.#load(name);
    this.#realms.set(name, loading);
    loading.catch(() => {
      if (this.#realms.peek(name) === loading) this.#realms.delete(name);
    });
    return loading;
  }

  /** Forgets what is held of a realm, after its keys changed elsewhere or the realm was removed. */
  invalidate(name: string): void {
    this.#realms.delete(name);
  }

  /** Makes a new signing key; the ones that signed with this algorithm become PASSIVE. Resolves to the new kid. */
  async rotate(name: string, algorithm: string): Promise<string> {
    const record = await this.#generate(name, algorithm);
    await this.#store.rotate(record);
    this.invalidate(name);
    return record.kid;
  }

  /** False when the realm has no such key. A DISABLED key neither signs nor verifies and leaves the JWKS. */
  async setStatus(name: string, kid: string, status: KeyStatus): Promise<boolean> {
    const changed = await this.#store.setStatus(name, kid, status);
    this.invalidate(name);
    return changed;
  }

  /** Makes records for `KeyStore.add` or `RealmStore.put` of drafts, encrypted when there is a master key. */
  records(realm: string, drafts: readonly KeyRecordDraft[]): Promise<KeyRecord[]> {
    return Promise.all(drafts.map((draft) => this.#record(realm, draft)));
  }

  async #load(name: string): Promise<RealmKeys> {
    const records = await this.#store.list(name);
    const opened = await Promise.all(records.map((record) => this.#open(record)));
    await this.#sealPlain(records);
    const keys = new RealmKeys(name, opened, async (algorithm) => {
      const record = await this.#generate(name, algorithm);
      const standing = await this.#store.addFirst(record);
      // A copy loaded meanwhile may lack the key that this one is about to sign with.
      const held = this.#realms.peek(name);
      if (held !== undefined && (await held.catch(() => undefined)) !== keys) this.invalidate(name);
      return this.#open(standing);
    });
    return keys;
  }

  async #generate(realm: string, name: string): Promise<KeyRecord> {
    const algorithm = signatureAlgorithm(name);
    if (algorithm === undefined) {
      throw new HostError('algorithm_unknown', `there are no realm keys for the algorithm ${name}`, { status: 400 });
    }
    const { kid, material } = await generateKey(algorithm);
    return this.#record(realm, {
      kid,
      use: 'sig',
      algorithm: name,
      status: 'ACTIVE',
      priority: DEFAULT_KEY_PRIORITY,
      createdAt: this.#clock.now(),
      material: JSON.stringify(material),
    });
  }

  async #record(realm: string, draft: KeyRecordDraft): Promise<KeyRecord> {
    if (this.#masterKey === undefined) return { ...draft, realm };
    return { ...draft, realm, material: await this.#masterKey.seal({ realm, kid: draft.kid }, draft.material) };
  }

  async #open({ material, ...record }: KeyRecord): Promise<OpenKey> {
    let plain = material;
    if (isSealed(material)) {
      if (this.#masterKey === undefined) throw masterKeyMissing(record);
      plain = await this.#masterKey.open(record, material);
    }
    try {
      return { record, ...openMaterial(plain) };
    } catch (cause) {
      throw new HostError('key_unreadable', `key ${record.kid} of realm ${record.realm} cannot be read`, { cause });
    }
  }

  async #sealPlain(records: readonly KeyRecord[]): Promise<void> {
    const masterKey = this.#masterKey;
    const plain = records.filter(({ material }) => !isSealed(material));
    if (masterKey === undefined || plain.length === 0) return;
    await this.#store.putMaterial(
      await Promise.all(
        plain.map(async ({ realm, kid, material }) => ({
          realm,
          kid,
          material: await masterKey.seal({ realm, kid }, material),
        })),
      ),
    );
  }
}
