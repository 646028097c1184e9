import { HostError } from '@keyhost/spi';
import { decodeUnverified } from '../keys/verify.js';
import { isRealmName, Realm } from '../model/realm.js';
import { recentEntries } from '../model/recent-entries.js';
import type { Store } from '../store/store.js';
import type { PublicAddress } from './public-address.js';

/** Compiled realms held in memory; the others are compiled again when they are asked for. */
const CACHED_REALMS = 2_000;

/** The live realms: loaded from the store when first asked for, one immutable object per version. */
export class Realms {
  readonly #store: Store;
  readonly #address: PublicAddress;
  readonly #cache = recentEntries<string, Realm>(CACHED_REALMS);
  readonly #loading = new Map<string, Promise<Realm | undefined>>();
  /** The same realms as other names of the host lead to them, by those names. */
  readonly #elsewhere = new WeakMap<Realm, Map<string, Realm>>();
  /** Names of all realms: a request for an unknown one costs no look-up and no memory. */
  readonly #names = new Set<string>();
  readonly #listeners = new Set<(name: string) => void>();
  /** True while this node cannot read the changes of other nodes: no realm is served. */
  isSuspended = false;

  readonly #onLoaded: (realm: Realm) => void;

  /** @param onLoaded called with each version of a realm that requests begin to see */
  constructor(store: Store, address: PublicAddress, onLoaded: (realm: Realm) => void = () => undefined) {
    this.#store = store;
    this.#address = address;
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

  /**
   * The realm when it is in memory: the hot path, without a promise.
   * @throws HostError `store_unavailable` (503) while realms are suspended
   */
  cached(name: string): Realm | undefined {
    if (this.isSuspended) throw suspended();
    return this.#cache.get(name);
  }

  /** @throws HostError `store_unavailable` (503) */
  async get(name: string): Promise<Realm | undefined> {
    const cached = this.cached(name);
    if (cached !== undefined) return cached;
    if (!isRealmName(name) || !this.#names.has(name)) return undefined;
    const known = this.#loading.get(name);
    if (known !== undefined) return known;
    const loading = this.#load(name).finally(() => this.#loading.delete(name));
    this.#loading.set(name, loading);
    return loading;
  }

  /** Which version of the realm requests see now; undefined when none of it is in memory. */
  knownVersion(name: string): number | undefined {
    return this.#cache.peek(name)?.version;
  }

  /**
   * The realm for a request with this `Host` header. If the host has several addresses, its issuer is below the one
   * that the request reached, and tokens of other addresses are not accepted.
   */
  calledBy(realm: Realm, host: string | undefined): Realm {
    return this.#address.hasOthers ? this.#at(realm, this.#address.of(host)) : realm;
  }

  /** A later state of the realm, as a request reached it that has the earlier one. */
  reachedAs(realm: Realm, { baseUrl }: Realm): Realm {
    return this.#at(realm, baseUrl);
  }

  /** The realm that a JWT claims as its issuer; unverified. */
  async ofToken(token: string): Promise<Realm | undefined> {
    const issuer = issuerOf(token);
    if (issuer === undefined) return undefined;
    const end = issuer.lastIndexOf('/realms/');
    const baseUrl = issuer.slice(0, Math.max(end, 0));
    if (!this.#address.has(baseUrl)) return undefined;
    const realm = await this.get(issuer.slice(end + '/realms/'.length));
    return realm && this.#at(realm, baseUrl);
  }

  /** The next request sees the stored realm; requests under way keep the one they started with. */
  changed(name: string): void {
    this.#names.add(name);
    this.#cache.delete(name);
    this.#loading.delete(name);
    for (const listener of this.#listeners) listener(name);
  }

  /** Forgets a deleted realm. Requests in flight keep the version they started with. */
  removed(name: string): void {
    this.changed(name);
    this.#names.delete(name);
  }

  /** Calls back for every later change or creation of a realm. @returns a function that removes the listener */
  onChanged(listener: (name: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #at(realm: Realm, baseUrl: string): Realm {
    if (realm.baseUrl === baseUrl) return realm;
    let others = this.#elsewhere.get(realm);
    if (others === undefined) {
      others = new Map();
      this.#elsewhere.set(realm, others);
    }
    let other = others.get(baseUrl);
    if (other === undefined) {
      other = new Realm(realm, baseUrl, this.#address.ofAdminsAlone);
      others.set(baseUrl, other);
    }
    return other;
  }

  async #load(name: string): Promise<Realm | undefined> {
    const record = await this.#store.realms.get(name);
    if (record === undefined) return undefined;
    const realm = new Realm(record, this.#address.base, this.#address.ofAdminsAlone);
    // A realm that changed while it was read is read again by the next request.
    if (this.#loading.has(name)) {
      this.#cache.set(name, realm);
      this.#onLoaded(realm);
    }
    return realm;
  }
}

function suspended(): HostError {
  return new HostError('store_unavailable', 'this node cannot read the changes of other nodes', {
    status: 503,
    headers: { 'retry-after': '1' },
  });
}

function issuerOf(token: string): string | undefined {
  try {
    const { iss } = decodeUnverified(token).payload;
    return typeof iss === 'string' ? iss : undefined;
  } catch {
    return undefined;
  }
}
