import { LRUCache } from 'lru-cache';
import { isRealmName, Realm } from '../model/realm.js';
import type { Store } from '../store/store.js';

/** Compiled realms held in memory; the others are compiled again when they are asked for. */
const CACHED_REALMS = 2_000;

/** The live realms: loaded from the store when first asked for, one immutable object per version. */
export class Realms {
  readonly #store: Store;
  readonly #baseUrl: () => string;
  readonly #cache = new LRUCache<string, Realm>({ max: CACHED_REALMS });
  readonly #loading = new Map<string, Promise<Realm | undefined>>();
  /** Names of all realms: a request for an unknown one costs no look-up and no memory. */
  readonly #names = new Set<string>();
  readonly #listeners = new Set<(name: string) => void>();

  readonly #onLoaded: (realm: Realm) => void;

  /**
   * @param baseUrl the address in front of `/realms/{realm}`, known once the host listens
   * @param onLoaded called with each version of a realm that requests begin to see
   */
  constructor(store: Store, baseUrl: () => string, onLoaded: (realm: Realm) => void = () => undefined) {
    this.#store = store;
    this.#baseUrl = baseUrl;
    this.#onLoaded = onLoaded;
  }

  /** Reads which realms there are. */
  async open(): Promise<void> {
    this.#names.clear();
    for (const { name } of await this.#store.realms.list()) this.#names.add(name);
  }

  names(): readonly string[] {
    return [...this.#names];
  }

  /** The realm when it is in memory: the hot path, without a promise. */
  cached(name: string): Realm | undefined {
    return this.#cache.get(name);
  }

  async get(name: string): Promise<Realm | undefined> {
    const cached = this.#cache.get(name);
    if (cached !== undefined) return cached;
    if (!isRealmName(name) || !this.#names.has(name)) return undefined;
    const known = this.#loading.get(name);
    if (known !== undefined) return known;
    const loading = this.#load(name).finally(() => this.#loading.delete(name));
    this.#loading.set(name, loading);
    return loading;
  }

  /** The next request sees the stored realm; requests under way keep the one they started with. */
  changed(name: string): void {
    this.#names.add(name);
    this.#cache.delete(name);
    this.#loading.delete(name);
    for (const listener of this.#listeners) listener(name);
  }

  /** The realm is gone: requests under way keep the one they started with. */
  removed(name: string): void {
    this.changed(name);
    this.#names.delete(name);
  }

  /** Calls back for every realm that changes or comes from now on. @returns what ends that */
  onChanged(listener: (name: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async #load(name: string): Promise<Realm | undefined> {
    const record = await this.#store.realms.get(name);
    if (record === undefined) return undefined;
    const realm = new Realm(record, this.#baseUrl());
    // A realm that changed while it was read is read again by the next request.
    if (this.#loading.has(name)) {
      this.#cache.set(name, realm);
      this.#onLoaded(realm);
    }
    return realm;
  }
}
