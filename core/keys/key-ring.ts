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

/** A key that is not stored yet: its material is unencrypted. */
export type KeyRecordDraft = Omit<KeyRecord, 'realm'>;

export interface KeyRingOptions {
  readonly store: KeyStore;
  readonly clock: Clock;
  /** Encrypts key material at rest; 16 characters or more. */
  readonly masterKey?: string;
  /** The key components of a stored realm, by which new keys are generated. Default: the default components. */
  readonly componentsOf?: (realm: string) => Promise<readonly ComponentRepresentation[] | undefined>;
  /** Keys that plugins hold for realms; default: none. */
  readonly provided?: Pick<ProvidedKeys, 'of' | 'forget'>;
  /** True if other processes generate keys in the same store. */
  readonly isShared?: boolean;
  /** Called for each key that cannot sign because its certificate has expired or is not valid yet. */
  readonly onInvalidCertificate?: (realm: string, kid: string, validity: Validity) => void;
  /** Generates new keys; default: `generateKey`. */
  readonly makeKey?: KeyMaker;
}

/** Retry interval of a renewal that failed by the store, in milliseconds. */
const RENEW_AGAIN_MS = 5_000;

/** Minimum interval, per realm, between searches of the store for missing keys, in milliseconds. */
const LOOK_EVERY_MS = 1000;

/**
 * The keys of all realms: loaded from the store at first use, cached in memory, and changed only here. With a shared
 * store, the listener for changes of other nodes calls `invalidate`.
 */
export class KeyRing {
  readonly #store: KeyStore;
  readonly #clock: Clock;
  readonly #masterKey: MasterKey | undefined;
  readonly #componentsOf: NonNullable<KeyRingOptions['componentsOf']>;
  readonly #makeKey: KeyMaker;
  readonly #onInvalid: NonNullable<KeyRingOptions['onInvalidCertificate']>;
  readonly #realms = recentEntries<string, Promise<RealmKeys>>(CACHED_REALMS);
  /** When to ask for plugins' keys again, by realm, in milliseconds since the epoch. */
  readonly #refreshAt = new Map<string, number>();
  readonly #provided: KeyRingOptions['provided'];
  /** Number of keys generated. */
  #made = 0;
  readonly #verified = new VerifiedTokens();
  readonly #isShared: boolean;
  /** When a realm's missing keys were last searched for. */
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
   * encrypted in the store before this resolves.
   * @throws BootError `master_key` if material is encrypted and the master key is missing or wrong; HostError
   * `key_unreadable` (500)
   */
  realm(name: string): Promise<RealmKeys> {
    const known = this.#realms.get(name);
    if (known !== undefined) {
      if (this.#refreshAt.size > 0) this.#refreshInBackground(name, known);
      return known;
    }
    const loading = this.#load(name);
    this.#realms.set(name, loading);
    loading.catch(() => {
      if (this.#realms.peek(name) === loading) this.#realms.delete(name);
    });
    return loading;
  }

  /**
   * The keys of a realm for verifying or decrypting a token that it may have issued. Another node may have generated
   * the token's key just now.
   * @throws as `realm` does
   */
  async forToken(name: string, token: string): Promise<RealmKeys> {
    const keys = await this.realm(name);
    if (!this.#isShared || keys.has(keyIdOf(token, keys))) return keys;
    const now = performance.now();
    if (now - (this.#lastSearch.get(name) ?? Number.NEGATIVE_INFINITY) < LOOK_EVERY_MS) return keys;
    this.#lastSearch.set(name, now);
    this.invalidate(name);
    return this.realm(name);
  }

  /** Drops a realm's keys from memory, after they were changed on another node or the realm was deleted. */
  invalidate(name: string): void {
    this.#realms.delete(name);
    this.#refreshAt.delete(name);
  }

  /** Call when the realm was deleted, or its components of plugins' keys have changed. */
  forget(name: string): void {
    this.invalidate(name);
    this.#provided?.forget(name);
  }

  /**
   * Generates a new key. The ACTIVE keys of this algorithm become PASSIVE, and the new one gets the priority of the one
   * that signed. A plugin's key may still precede it. Resolves to the new kid.
   */
  async rotate(name: string, algorithm: string): Promise<string> {
    const keys = (await this.realm(name)).list();
    const standing = keys.find((key) => key.algorithm === algorithm && key.status === 'ACTIVE');
    const made = await this.#generate(name, algorithm, keys);
    const record = { ...made, priority: standing?.priority ?? made.priority };
    await this.#store.rotate(record);
    this.invalidate(name);
    return record.kid;
  }

  /** False if the realm has no key with this kid. A DISABLED key neither signs nor verifies, and is not in the JWKS. */
  async setStatus(name: string, kid: string, status: KeyStatus): Promise<boolean> {
    const changed = await this.#store.setStatus(name, kid, status);
    this.invalidate(name);
    return changed;
  }

  /** Converts drafts to records for `KeyStore.add` or `RealmStore.put`, encrypted if there is a master key. */
  records(realm: string, drafts: readonly KeyRecordDraft[]): Promise<KeyRecord[]> {
    return Promise.all(drafts.map((draft) => this.#record(realm, draft)));
  }

  /** Opens all stored keys of a realm, before the host starts to serve. @throws as `realm` does */
  async requireReadable(name: string): Promise<void> {
    await this.#openStored(name);
  }

  /** With a master key, unencrypted material is encrypted before this resolves. */
  async #openStored(name: string): Promise<OpenKey[]> {
    const records = await this.#store.list(name);
    const opened = await Promise.all(records.map((record) => this.#open(record)));
    await this.#sealPlain(records);
    return opened;
  }

  /**
   * Reloads a realm's keys in the background when a provider's keys may have changed; the cached keys stay in use until
   * then.
   */
  #refreshInBackground(name: string, known: Promise<RealmKeys>): void {
    const askAgain = this.#refreshAt.get(name);
    if (askAgain === undefined || this.#clock.now() < askAgain) return;
    this.#refreshAt.set(name, Number.POSITIVE_INFINITY);
    const made = this.#made;
    const loading = this.#load(name, true);
    loading.then(
      () => {
        // If the cached keys were dropped meanwhile, the next caller loads them.
        if (this.#realms.peek(name) !== known) return;
        if (this.#made === made) this.#realms.set(name, loading);
        // This copy may lack a key that was generated meanwhile.
        else this.#refreshAt.set(name, 0);
      },
      () => this.#refreshAt.set(name, this.#clock.now() + RENEW_AGAIN_MS),
    );
  }

  /** @param renews whether plugins that have answered before are asked again */
  async #load(name: string, renews = false): Promise<RealmKeys> {
    const opened = await this.#openStored(name);
    const elsewhere = await this.#provided?.of(name, new Set(opened.map(({ record: { kid } }) => kid)), renews);
    if (elsewhere === undefined) this.#refreshAt.delete(name);
    else this.#refreshAt.set(name, elsewhere.refreshAt);
    const generate = async (algorithm: string, invalid: readonly string[]): Promise<OpenKey> => {
      const record = await this.#generate(name, algorithm, keys.list(), elsewhere?.areUnknown);
      const standing = await this.#store.addFirst(record, invalid);
      this.#made += 1;
      // A copy loaded meanwhile may lack the key that this one will sign with.
      const held = this.#realms.peek(name);
      if (held !== undefined && (await held.catch(() => undefined)) !== keys) this.invalidate(name);
      return this.#open(standing);
    };
    const all = [...opened, ...(elsewhere?.keys ?? [])];
    const now = () => this.#clock.now();
    const onInvalid = (kid: string, validity: Validity) => this.#onInvalid(name, kid, validity);
    const keys = new RealmKeys(name, all, { generate, verified: this.#verified, now, onInvalid });
    return keys;
  }

  /**
   * Generates a key as the realm's components define it; if none does, one with the lowest priority.
   * @param isElsewhere a plugin that cannot be asked now may hold the key: then none is generated in its place
   */
  async #generate(
    realm: string,
    name: string,
    standing: readonly Omit<KeyRecord, 'material'>[],
    isElsewhere = false,
  ): Promise<KeyRecord> {
    const use = useOf(name);
    if (use === undefined) {
      throw new HostError('algorithm_unknown', `realm keys do not support the algorithm ${name}`, { status: 400 });
    }
    const has = (kid: string) => standing.some((key) => key.kid === kid);
    const wanted = keysToGenerate(await this.#componentsOf(realm), has).find(({ algorithm }) => algorithm === name);
    const createdAt = this.#clock.now();
    const asked = wanted && (await newKeyOfComponent(wanted.component, createdAt, this.#makeKey));
    if (asked !== undefined) return this.#record(realm, asked);
    if (isElsewhere && ASYMMETRIC_ALGORITHMS.includes(name)) throw keyUnavailable();
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
    return { ...draft, realm, material: await this.#masterKey.seal({ realm, kid: draft.kid }, draft.material) };
  }

  async #open({ material, ...record }: KeyRecord): Promise<OpenKey> {
    let plain = material;
    if (isEncryptedMaterial(material)) {
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
    const plain = records.filter(({ material }) => !isEncryptedMaterial(material));
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

/** The kid in a token's header, of a JWS or JWE (RFC 7515 §3.1, RFC 7516 §3.1). */
function keyIdOf(token: string, keys: RealmKeys): string | undefined {
  const encoded = token.slice(0, Math.max(token.indexOf('.'), 0));
  const known = keys.header(encoded);
  try {
    const { kid } = known ?? (JSON.parse(Buffer.from(encoded, 'base64url').toString()) as { kid?: unknown });
    return typeof kid === 'string' ? kid : undefined;
  } catch {
    // The verification reports the error.
    return undefined;
  }
}
