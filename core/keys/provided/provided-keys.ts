import { verify } from 'node:crypto';
import { KeyProvider, type Logger, type ProvidedKey } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { Realm } from '../../model/realm.js';
import type { RealmProviders } from '../../model/realm-providers.js';
import { recentEntries } from '../../model/recent-entries.js';
import type { ComponentRepresentation } from '../../model/representation.js';
import { messageOf } from '../../model/thrown.js';
import { isOwnKeyProvider, KEY_PROVIDER, stateOf } from '../component-key.js';
import { isOfRealm } from '../default-keys.js';
import { keyUnavailable, type RemoteKey } from '../realm-keys.js';
import { readProvidedKey } from './read-provided-key.js';
import { distinct, type SkippedKey, SkippedKeyLog } from './skipped-keys.js';
import { nameOfComponent, type StoredPublicKeys } from './stored-public-keys.js';

/** How long a provider's list of keys is used before it is asked again, in milliseconds. */
const CACHE_MS = 60_000;
/** How long a provider that failed is not asked again, in milliseconds. */
const PAUSE_MS = 5_000;
/** Timeout of a provider's list, in milliseconds. The first list blocks all requests of the realm. */
const LIST_LIMIT_MS = 3_000;
/** Timeout of a signature, in milliseconds. */
const SIGN_LIMIT_MS = 5_000;
/** Maximum number of realms whose lists are in memory. */
const CACHED_REALMS = 1000;

/** The keys that plugins hold for a realm. */
export interface PluginKeys {
  readonly keys: readonly RemoteKey[];
  /** True if a component may have keys that were never listed. The host generates none in their place. */
  readonly areUnknown: boolean;
  /** When to ask again, in milliseconds since the epoch. */
  readonly refreshAt: number;
}

/** The known keys of a component. */
interface Known {
  /** The component as JSON: if it changes, the keys must be asked for again. */
  readonly said: string;
  readonly isActive: boolean;
  readonly keys: readonly RemoteKey[];
  readonly leftOut: readonly SkippedKey[];
  /** False if it is disabled, or its provider does not exist. */
  readonly isAsked: boolean;
  /** The provider's failure. */
  readonly failure?: string | undefined;
  readonly goodUntil: number;
}

/** A realm's key component, with its names in the log. */
interface Place {
  readonly realm: Realm;
  readonly component: ComponentRepresentation;
  readonly named: { readonly realm: string; readonly component: string; readonly provider: string };
}

export interface ProvidedKeysParts {
  readonly realmOf: (name: string) => Promise<Realm | undefined>;
  readonly providers: RealmProviders;
  readonly remembered: StoredPublicKeys;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Keys that plugins hold for realms. Their public halves are stored, so that signatures can be verified while their
 * provider is unreachable.
 */
export class ProvidedKeys {
  readonly #parts: ProvidedKeysParts;
  /** By realm and component. */
  readonly #known = recentEntries<string, Map<string, Known>>(CACHED_REALMS);
  /** The components whose provider failed last, by realm. */
  readonly #failing = new Map<string, Set<string>>();
  readonly #leftOut: SkippedKeyLog;

  constructor(parts: ProvidedKeysParts) {
    this.#parts = parts;
    this.#leftOut = new SkippedKeyLog(parts.logger);
  }

  /** Number of key components whose provider is unreachable, has no key or signs wrongly. */
  get failing(): number {
    return [...this.#failing.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Call when the realm was deleted, or has no such keys any more. */
  forget(realm: string): void {
    this.#known.delete(realm);
    this.#failing.delete(realm);
  }

  /**
   * @param own kids of the keys in the host's store, which take precedence
   * @param renews whether providers whose list is outdated are asked again; otherwise the known list is returned at
   * once
   * @returns undefined for a realm without plugins' keys
   */
  async of(name: string, own: ReadonlySet<string>, renews = false): Promise<PluginKeys | undefined> {
    const realm = await this.#parts.realmOf(name);
    const components = realm?.components(KEY_PROVIDER)?.filter((one) => isOfRealm(one) && !isOwnKeyProvider(one)) ?? [];
    if (realm === undefined || components.length === 0) {
      this.forget(name);
      return undefined;
    }
    const places = components.map((component) => placeOf(realm, component));
    const before = this.#known.get(name);
    const lists = await Promise.all(places.map((place) => this.#keysOf(place, renews)));
    this.#known.set(name, new Map(places.map(({ named }, index) => [named.component, lists[index] as Known])));
    const failing = this.#failing.get(name);
    const ids = new Set(places.map(({ named }) => named.component));
    for (const id of failing ?? []) if (!ids.has(id)) failing?.delete(id);
    const seen = new Set(own);
    let areUnknown = false;
    const keys = places.flatMap((place, index) => {
      const known = lists[index] as Known;
      const [usable, doubles] = distinct(known.keys, seen);
      // Duplicate kids do not count as unknown: the realm has a key for each of them.
      areUnknown ||= known.isActive && known.keys.length === 0;
      this.#leftOut.report(place.named, [...known.leftOut, ...doubles]);
      // A list known before is no evidence of how the provider works now.
      if (known.isAsked && before?.get(place.named.component) !== known) {
        const failure = known.failure ?? (usable.length === 0 ? 'it has no key that can be used' : undefined);
        if (failure === undefined) this.#recordSuccess(place);
        else this.#recordFailure(place, failure);
      }
      return usable;
    });
    return { keys, areUnknown, refreshAt: Math.min(...lists.map(({ goodUntil }) => goodUntil)) };
  }

  async #keysOf(place: Place, renews: boolean): Promise<Known> {
    const { providers, clock, remembered } = this.#parts;
    const { realm, component, named } = place;
    const said = JSON.stringify(component);
    const { status } = stateOf(component);
    const isActive = status === 'ACTIVE';
    const none = { said, isActive, keys: [], leftOut: [], isAsked: false };
    const now = clock.now();
    if (status === 'DISABLED') {
      this.#failing.get(realm.name)?.delete(named.component);
      return { ...none, goodUntil: now + CACHE_MS };
    }
    const provider = providers.find(realm, KeyProvider, component.providerId);
    // The check of realm files has reported a component without provider. A plugin may be added at any time.
    if (provider === undefined) return { ...none, goodUntil: now + PAUSE_MS };
    const known = this.#known.get(realm.name)?.get(named.component);
    if (known?.said === said && (!renews || now < known.goodUntil)) return known;
    const before = (await remembered.of(realm.name, component)) ?? [];
    let provided = before;
    let failure: string | undefined;
    try {
      // A copy, so that the provider cannot modify the realm.
      const config = structuredClone(component.config ?? {});
      provided = await provider.call((one) => one.keys({ config }), LIST_LIMIT_MS);
    } catch {
      failure = 'it cannot be asked for its keys';
    }
    if (JSON.stringify(provided) !== JSON.stringify(before)) {
      await remembered.remember(realm.name, component, provided);
    }
    const { keys, leftOut } = this.#read(place, provided);
    const isGood = failure === undefined && keys.length > 0;
    const goodUntil = clock.now() + (isGood ? CACHE_MS : PAUSE_MS);
    return { said, isActive, keys, leftOut, isAsked: true, failure, goodUntil };
  }

  #read(place: Place, provided: readonly ProvidedKey[]): Pick<Known, 'keys' | 'leftOut'> {
    const [keys, leftOut]: [RemoteKey[], SkippedKey[]] = [[], []];
    for (const [index, key] of provided.entries()) {
      const { kid, algorithm } = key;
      try {
        const { publicKey, certificate, algorithm: known } = readProvidedKey(key);
        // The provider's order is the signing order: the first key of a priority counts as the newest.
        const state = { ...stateOf(place.component), createdAt: -index };
        const verifyInput = { key: publicKey, ...known.options };
        const isRight = (input: string, signature: Buffer) =>
          verify(known.hash, Buffer.from(input, 'latin1'), verifyInput, signature);
        keys.push({
          record: { realm: place.realm.name, kid, use: 'sig', algorithm, ...state },
          component: place.component,
          publicKey,
          ...(certificate !== undefined && { certificate }),
          sign: (input) => this.#sign(place, key, input, isRight),
        });
      } catch (error) {
        leftOut.push({ kid, reason: messageOf(error) });
      }
    }
    return { keys, leftOut };
  }

  /** @throws HostError `temporarily_unavailable` (503) */
  async #sign(
    place: Place,
    { kid, algorithm }: ProvidedKey,
    input: string,
    isRight: (input: string, signature: Buffer) => boolean,
  ): Promise<string> {
    const { config = {}, providerId } = place.component;
    let why = 'it cannot be asked to sign';
    try {
      const realm = await this.#parts.realmOf(place.named.realm);
      const provider = realm && this.#parts.providers.find(realm, KeyProvider, providerId);
      if (provider === undefined) throw new Error('no plugin provides it');
      const asked = { config: structuredClone(config), kid, algorithm, input };
      const signature = await provider.call((one) => one.sign(asked), SIGN_LIMIT_MS);
      why = 'its signature is not one of its key';
      if (!isRight(input, Buffer.from(signature, 'base64url'))) throw new Error(why);
      this.#recordSuccess(place);
      return signature;
    } catch {
      this.#recordFailure(place, why);
      throw keyUnavailable();
    }
  }

  /** The provider's own error was logged with the call. Log repeated failures once. */
  #recordFailure({ named }: Place, reason: string): void {
    const failing = this.#failing.get(named.realm) ?? new Set();
    if (failing.has(named.component)) return;
    this.#failing.set(named.realm, failing.add(named.component));
    this.#parts.logger.error('a key provider does not serve: what is to be signed with its keys is not', {
      ...named,
      reason,
    });
  }

  #recordSuccess({ named }: Place): void {
    if (this.#failing.get(named.realm)?.delete(named.component)) {
      this.#parts.logger.info('a key provider serves again', named);
    }
  }
}

function placeOf(realm: Realm, component: ComponentRepresentation): Place {
  const named = { realm: realm.name, component: nameOfComponent(component), provider: component.providerId };
  return { realm, component, named };
}
