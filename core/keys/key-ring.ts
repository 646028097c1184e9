import { HostError } from '@keyhost/spi';
import type { Clock } from '../model/clock.js';
import { recentEntries } from '../model/recent-entries.js';
import type { ComponentRepresentation } from '../model/representation.js';
import type { KeyRecord, KeyStatus, KeyStore } from '../store/store.js';
import { ASYMMETRIC_ALGORITHMS, keyTypeOf, useOf } from './algorithms.js';
import type { Validity } from './certificate-validity.js';
import { newKeyOfComponent } from './component-key.js';
import { FALLBACK_KEY_PRIORITY, keysToGenerate } from './default-keys.js';
import { generateKey, type KeyMaker, openMaterial } from './key-material.js';
import { isEncryptedMaterial, MasterKey, masterKeyMissing } from './master-key.js';
import type { ProvidedKeys } from './provided/provided-keys.js';
import { keyUnavailable, type OpenKey, RealmKeys } from './realm-keys.js';
import { VerifiedTokens } from './verified-tokens.js';

/** Maximum number of realms whose keys are in memory. */
const CACHED_REALMS = 1000;

/** A key that is not yet stored. Its material is unencrypted. */
export type KeyRecordDraft = Omit<KeyRecord, 'realm'>;

export interface KeyRingOptions {
  readonly store: KeyStore;
  readonly clock: Clock;
  /** The secret that encrypts key material at rest; at least 16 characters. */
  readonly masterKey?: string;
  /**
   * Reads the key components of a stored realm, which determine how new keys are generated. Default: the default
   * components.
   */
  readonly componentsOf?: (realm: string) => Promise<readonly ComponentRepresentation[] | undefined>;
  /** Keys that plugins hold for realms; default: none. */
  readonly provided?: Pick<ProvidedKeys, 'of' | 'forget'>;
  /** True if other processes generate keys in the same store. */
  readonly isShared?: boolean;
  /** Called for each key that cannot sign because its certificate has expired or is not yet valid. */
  readonly onInvalidCertificate?: (realm: string, kid: string, validity: Validity) => void;
  /** Generates new keys; default: `generateKey`. */
  readonly makeKey?: KeyMaker;
}

/** Retry interval in milliseconds after a refresh that failed because of the store. */
const RETRY_MS = 5_000;

/** Minimum interval in milliseconds between two searches of the store for missing keys of a realm. */
const SEARCH_INTERVAL_MS = 1000;

/**
 * The keys of all realms. They are loaded from the store at first use, cached in memory, and changed only here. With a
 * shared store, the listener for changes of other nodes calls `invalidate`.
 */
export class KeyRing {
  readonly #store: KeyStore;
  readonly #clock: Clock;
  readonly #masterKey: MasterKey | undefined;
  readonly #componentsOf: NonNullable<KeyRingOptions['componentsOf']>;
  readonly #makeKey: KeyMaker;
  readonly #onInvalid: NonNullable<KeyRingOptions['onInvalidCertificate']>;
  readonly #realms = recentEntries<string, Promise<RealmKeys>>(CACHED_REALMS);
  /** When to ask plugins for their keys again, by realm, in milliseconds since the epoch. */
  readonly #refreshAt = new Map<string, number>();
  readonly #provided: KeyRingOptions['provided'];
  /** Number of keys that were generated. */
  #generatedCount = 0;
  readonly #verifiedTokens = new VerifiedTokens(() => this.#clock.now());
  readonly #isShared: boolean;
  /** When the store was last searched for missing keys, by realm. */
  readonly #lastSearch = recentEntries<string, number>(CACHED_REALMS);

  /** @throws BootError `master_key` if the master key is too short. */
  constructor(options: KeyRingOptions) {
    const { store, clock, masterKey, componentsOf, makeKey = generateKey, isShared = false } = options;
    this.#isShared = isShared;
    this.#provided = options.provided;
    this.#store = store;
    this.#clock = clock;
    this.#masterKey = masterKey === undefined ? undefined : new MasterKey(masterKey);
    this.#componentsOf = componentsOf ?? (async () => undefined);
    this.#makeKey = makeKey;
    this.#onInvalid = options.onInvalidCertificate ?? (() => {});
  }

  /**
   * The keys of an existing realm. Concurrent first calls share one load. With a master key, unencrypted material is
   * encrypted in the store before the promise resolves.
   * @throws BootError `master_key` if material is encrypted and the master key is missing or wrong; HostError
   * `key_unreadable` (500)
   */
  realm(name: string): Promise<RealmKeys> {
    const cached = this.#realms.get(name);
    if (cached !== undefined) {
      if (this.#refreshAt.size > 0) this.#refreshInBackground(name, cached);
      return cached;
    }
    const loading = this.#load(name);
    this.#realms.set(name, loading);
    loading.catch(() => {
      if (this.#realms.peek(name) === loading) this.#realms.delete(name);
    });
    return loading;
  }

  /**
   * The keys of a realm for verifying or decrypting a token that the realm may have issued. If another node may have
   * just generated the token's key, the keys are loaded again.
   * @throws as `realm` does
   */
  async forToken(name: string, token: string): Promise<RealmKeys> {
    const keys = await this.realm(name);
    if (!this.#isShared || keys.has(keyIdOf(token, keys))) return keys;
    const now = performance.now();
    if (now - (this.#lastSearch.get(name) ?? Number.NEGATIVE_INFINITY) < SEARCH_INTERVAL_MS) return keys;
    this.#lastSearch.set(name, now);
    this.invalidate(name);
    return this.realm(name);
  }

  /**
   * Drops a realm's keys from memory. Call it after they were changed on another node, or after the realm was deleted.
   */
  invalidate(name: string): void {
    this.#realms.delete(name);
    this.#refreshAt.delete(name);
  }

  /**
   * Drops all data about a realm. Call it after the realm was deleted, or its components of plugins' keys have changed.
   */
  forget(name: string): void {
    this.invalidate(name);
    this.#provided?.forget(name);
  }

  /**
   * Generates a new key. The ACTIVE keys of this algorithm become PASSIVE, and the new key gets the priority of the one
   * that signed. A plugin's key may still have a higher priority. Resolves to the new kid.
   */
  async rotate(name: string, algorithm: string): Promise<string> {
    const keys = (await this.realm(name)).list();
    const current = keys.find((key) => key.algorithm === algorithm && key.status === 'ACTIVE');
    const newKey = await this.#generate(name, algorithm, keys);
    const record = { ...newKey, priority: current?.priority ?? newKey.priority };
    await this.#store.rotate(record);
    this.invalidate(name);
    return record.kid;
  }

  /**
   * Changes the status of a key. A DISABLED key neither signs nor verifies, and is not in the JWKS. False if the realm
   * has no key with this kid.
   */
  async setStatus(name: string, kid: string, status: KeyStatus): Promise<boolean> {
    const wasChanged = await this.#store.setStatus(name, kid, status);
    this.invalidate(name);
    return wasChanged;
  }

  /**
   * Converts drafts to records for `KeyStore.add` or `RealmStore.put`. The material is encrypted if there is a master
   * key.
   */
  records(realm: string, drafts: readonly KeyRecordDraft[]): Promise<KeyRecord[]> {
    return Promise.all(drafts.map((draft) => this.#record(realm, draft)));
  }

  /**
   * Reads all stored keys of a realm, as a check before the host starts to serve.
   * @throws as `realm` does
   */
  async requireReadable(name: string): Promise<void> {
    await this.#openStored(name);
  }

  /**
   * Reads the stored keys of a realm. With a master key, unencrypted material is encrypted before the promise resolves.
   */
  async #openStored(name: string): Promise<OpenKey[]> {
    const records = await this.#store.list(name);
    const opened = await Promise.all(records.map((record) => this.#open(record)));
    await this.#sealPlain(records);
    return opened;
  }

  /**
   * Reloads a realm's keys in the background when a provider's keys may have changed. The cached keys stay in use until
   * then.
   */
  #refreshInBackground(name: string, cached: Promise<RealmKeys>): void {
    const refreshAt = this.#refreshAt.get(name);
    if (refreshAt === undefined || this.#clock.now() < refreshAt) return;
    this.#refreshAt.set(name, Number.POSITIVE_INFINITY);
    const generatedBefore = this.#generatedCount;
    const loading = this.#load(name, true);
    loading.then(
      () => {
        // If the cached keys were dropped in the meantime, the next caller loads them.
        if (this.#realms.peek(name) !== cached) return;
        if (this.#generatedCount === generatedBefore) this.#realms.set(name, loading);
        // This copy may lack a key that was generated in the meantime.
        else this.#refreshAt.set(name, 0);
      },
      () => this.#refreshAt.set(name, this.#clock.now() + RETRY_MS),
    );
  }

  /**
   * Loads a realm's keys.
   * @param shouldRefresh whether plugins that have answered before are asked again
   */
  async #load(name: string, shouldRefresh = false): Promise<RealmKeys> {
    const opened = await this.#openStored(name);
    const pluginKeys = await this.#provided?.of(name, new Set(opened.map(({ record: { kid } }) => kid)), shouldRefresh);
    if (pluginKeys === undefined) this.#refreshAt.delete(name);
    else this.#refreshAt.set(name, pluginKeys.refreshAt);
    const generate = async (algorithm: string, invalid: readonly string[]): Promise<OpenKey> => {
      const record = await this.#generate(name, algorithm, keys.list(), pluginKeys?.areUnknown);
      const stored = await this.#store.addFirst(record, invalid);
      this.#generatedCount += 1;
      // Another copy that was loaded in the meantime may lack the key that this one will sign with.
      const cached = this.#realms.peek(name);
      if (cached !== undefined && (await cached.catch(() => undefined)) !== keys) this.invalidate(name);
      return this.#open(stored);
    };
    const realmKeyList = [...opened, ...(pluginKeys?.keys ?? [])];
    const now = () => this.#clock.now();
    const onInvalid = (kid: string, validity: Validity) => this.#onInvalid(name, kid, validity);
    const keys = new RealmKeys(name, realmKeyList, { generate, verified: this.#verifiedTokens, now, onInvalid });
    return keys;
  }

  /**
   * Generates a key as the realm's components request it. If no component does, the key gets the lowest priority.
   * @param mayBeProvided true if a plugin that cannot be asked now may hold the key; then none is generated instead
   */
  async #generate(
    realm: string,
    name: string,
    existing: readonly Omit<KeyRecord, 'material'>[],
    mayBeProvided = false,
  ): Promise<KeyRecord> {
    const use = useOf(name);
    if (use === undefined) {
      throw new HostError('algorithm_unknown', `realm keys do not support the algorithm ${name}`, { status: 400 });
    }
    const has = (kid: string) => existing.some((key) => key.kid === kid);
    const request = keysToGenerate(await this.#componentsOf(realm), has).find(({ algorithm }) => algorithm === name);
    const createdAt = this.#clock.now();
    const draft = request && (await newKeyOfComponent(request.component, createdAt, this.#makeKey));
    if (draft !== undefined) return this.#record(realm, draft);
    if (mayBeProvided && ASYMMETRIC_ALGORITHMS.includes(name)) throw keyUnavailable();
    const { kid, material } = await this.#makeKey(keyTypeOf(name));
    return this.#record(realm, {
      kid,
      use,
      algorithm: name,
      status: 'ACTIVE',
      priority: FALLBACK_KEY_PRIORITY,
      createdAt,
      material: JSON.stringify(material),
    });
  }

  async #record(realm: string, draft: KeyRecordDraft): Promise<KeyRecord> {
    if (this.#masterKey === undefined) return { ...draft, realm };
    return { ...draft, realm, material: await this.#masterKey.encrypt({ realm, kid: draft.kid }, draft.material) };
  }

  async #open({ material, ...record }: KeyRecord): Promise<OpenKey> {
    let plain = material;
    if (isEncryptedMaterial(material)) {
      if (this.#masterKey === undefined) throw masterKeyMissing(record);
      plain = await this.#masterKey.decrypt(record, material);
    }
    try {
      return { record, ...openMaterial(plain) };
    } catch (cause) {
      throw new HostError('key_unreadable', `key ${record.kid} of realm ${record.realm} cannot be read`, { cause });
    }
  }

  async #sealPlain(records: readonly KeyRecord[]): Promise<void> {
    const masterKey = this.#masterKey;
    const plain = records.filter(({ material }) => !isEncryptedMaterial(material));
    if (masterKey === undefined || plain.length === 0) return;
    await this.#store.putMaterial(
      await Promise.all(
        plain.map(async ({ realm, kid, material }) => ({
          realm,
          kid,
          material: await masterKey.encrypt({ realm, kid }, material),
        })),
      ),
    );
  }
}

/** The kid in a token's header, of a JWS or JWE (RFC 7515 §3.1, RFC 7516 §3.1). */
function keyIdOf(token: string, keys: RealmKeys): string | undefined {
  const encoded = token.slice(0, Math.max(token.indexOf('.'), 0));
  const cachedHeader = keys.header(encoded);
  try {
    const { kid } = cachedHeader ?? (JSON.parse(Buffer.from(encoded, 'base64url').toString()) as { kid?: unknown });
    return typeof kid === 'string' ? kid : undefined;
  } catch {
    // The verification of the token reports the error.
    return undefined;
  }
}
