import { HostError } from '@keyhost/spi';
import { decodeUnverified } from '../keys/verify.js';
import { isRealmName, Realm } from '../model/realm.js';
import { recentEntries } from '../model/recent-entries.js';
import type { Store } from '../store/store.js';
import type { PublicAddress } from './public-address.js';

/** The number of compiled realms in memory. Others are compiled again when requested. */
const MAX_CACHED_REALMS = 2_000;

/** The live realms. They are loaded from the store on the first request, one immutable object per version. */
export class Realms {
  readonly #store: Store;
  readonly #address: PublicAddress;
  readonly #cache = recentEntries<string, Realm>(MAX_CACHED_REALMS);
  readonly #loading = new Map<string, Promise<Realm | undefined>>();
  /** The same realms at the other addresses of the host, by address. */
  readonly #byAddress = new WeakMap<Realm, Map<string, Realm>>();
  /** Names of all realms. A request for an unknown one costs no query and no memory. */
  readonly #names = new Set<string>();
  readonly #listeners = new Set<(name: string) => void>();
  /** True while this node cannot read the changes of other nodes. No realm is served then. */
  isSuspended = false;

  readonly #onLoaded: (realm: Realm) => void;

  /** @param onLoaded called with each version of a realm when it is loaded */
  constructor(store: Store, address: PublicAddress, onLoaded: (realm: Realm) => void = () => undefined) {
    this.#store = store;
    this.#address = address;
    this.#onLoaded = onLoaded;
  }

  /** Reads the names of all realms. */
  async open(): Promise<void> {
    this.#names.clear();
    for (const { name } of await this.#store.realms.list()) this.#names.add(name);
  }

  names(): readonly string[] {
    return [...this.#names];
  }

  /**
   * Returns the realm if it is in memory: the hot path, without a promise.
   * @throws HostError `store_unavailable` (503) while realms are suspended
   */
  cached(name: string): Realm | undefined {
    if (this.isSuspended) throw suspendedError();
    return this.#cache.get(name);
  }

  /** @throws HostError `store_unavailable` (503) */
  async get(name: string): Promise<Realm | undefined> {
    const cachedRealm = this.cached(name);
    if (cachedRealm !== undefined) return cachedRealm;
    if (!isRealmName(name) || !this.#names.has(name)) return undefined;
    const pendingLoad = this.#loading.get(name);
    if (pendingLoad !== undefined) return pendingLoad;
    const load = this.#load(name).finally(() => this.#loading.delete(name));
    this.#loading.set(name, load);
    return load;
  }

  /** Returns the version of the realm that requests see; undefined if it is not in memory. */
  knownVersion(name: string): number | undefined {
    return this.#cache.peek(name)?.version;
  }

  /**
   * Returns the realm for a request with this `Host` header. If the host has several addresses, the issuer is below the
   * address that the request reached, and tokens of other addresses are not accepted.
   */
  forHost(realm: Realm, host: string | undefined): Realm {
    return this.#address.hasOtherAddresses ? this.#atAddress(realm, this.#address.addressFor(host)) : realm;
  }

  /** Returns a later version of a realm at the address of an earlier one. */
  atAddressOf(realm: Realm, { baseUrl }: Realm): Realm {
    return this.#atAddress(realm, baseUrl);
  }

  /** Returns the realm of the issuer that a JWT claims. The token is not verified. */
  async ofToken(token: string): Promise<Realm | undefined> {
    const issuer = issuerOf(token);
    if (issuer === undefined) return undefined;
    const end = issuer.lastIndexOf('/realms/');
    const baseUrl = issuer.slice(0, Math.max(end, 0));
    if (!this.#address.has(baseUrl)) return undefined;
    const realm = await this.get(issuer.slice(end + '/realms/'.length));
    return realm && this.#atAddress(realm, baseUrl);
  }

  /** Makes the next request load the stored realm. Requests in progress keep the version with which they started. */
  invalidate(name: string): void {
    this.#names.add(name);
    this.#cache.delete(name);
    this.#loading.delete(name);
    for (const listener of this.#listeners) listener(name);
  }

  /** Evicts a removed realm. Requests in progress keep the version with which they started. */
  evictRemoved(name: string): void {
    this.invalidate(name);
    this.#names.delete(name);
  }

  /**
   * Calls the listener for every later change or creation of a realm.
   * @returns a function that removes the listener
   */
  onChanged(listener: (name: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #atAddress(realm: Realm, baseUrl: string): Realm {
    if (realm.baseUrl === baseUrl) return realm;
    let addresses = this.#byAddress.get(realm);
    if (addresses === undefined) {
      addresses = new Map();
      this.#byAddress.set(realm, addresses);
    }
    let realmAtAddress = addresses.get(baseUrl);
    if (realmAtAddress === undefined) {
      realmAtAddress = new Realm(realm, baseUrl, this.#address.separateAdminAddress);
      addresses.set(baseUrl, realmAtAddress);
    }
    return realmAtAddress;
  }

  async #load(name: string): Promise<Realm | undefined> {
    const record = await this.#store.realms.get(name);
    if (record === undefined) return undefined;
    const realm = new Realm(record, this.#address.base, this.#address.separateAdminAddress);
    // A realm that changed while it was read is read again by the next request.
    if (this.#loading.has(name)) {
      this.#cache.set(name, realm);
      this.#onLoaded(realm);
    }
    return realm;
  }
}

function suspendedError(): HostError {
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
