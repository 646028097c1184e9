import { verify } from 'node:crypto';
import { KeyProvider, type Logger, type ProvidedKey } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { Realm } from '../../model/realm.js';
import type { RealmProviders } from '../../model/realm-providers.js';
import type { ComponentRepresentation } from '../../model/representation.js';
import { messageOf } from '../../model/thrown.js';
import type { EntryStore } from '../../store/store.js';
import { isOwnKeyProvider, KEY_PROVIDER, stateOf } from '../component-key.js';
import { isOfRealm } from '../default-keys.js';
import { keyUnavailable, type RemoteKey } from '../realm-keys.js';
import { readProvidedKey } from './read-provided-key.js';
import { nameOfComponent, RememberedKeys } from './remembered-keys.js';

/** How long the keys of a provider are taken to be the same, in milliseconds. */
const KEPT_MS = 60_000;
/** How long a provider that failed is not asked for its keys, in milliseconds. */
const PAUSE_MS = 5_000;
/** How long a provider has for its list, in milliseconds: everything that the realm does waits for the first one. */
const LIST_LIMIT_MS = 3_000;
/** And for a signature. */
const SIGN_LIMIT_MS = 5_000;

/** What plugins keep for a realm. */
export interface KeysElsewhere {
  readonly keys: readonly RemoteKey[];
  /** True: a component has keys that nobody knows yet. The host makes none in their place. */
  readonly areUnknown: boolean;
  /** Milliseconds since the epoch: when to ask again. */
  readonly goodUntil: number;
}

export interface ProvidedKeysParts {
  readonly realmOf: (name: string) => Promise<Realm | undefined>;
  readonly providers: RealmProviders;
  readonly entries: Pick<EntryStore, 'get' | 'put'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A key component of a realm, with what the log calls it. */
interface Place {
  readonly realm: Realm;
  readonly component: ComponentRepresentation;
  readonly named: { readonly realm: string; readonly component: string; readonly provider: string };
}

/**
 * Keys that plugins keep for realms. Their public halves are remembered in the store, so that what they have signed stays good
 * while their provider is away.
 */
export class ProvidedKeys {
  readonly #parts: ProvidedKeysParts;
  readonly #remembered: RememberedKeys;
  /** The components whose provider failed last, by realm. */
  readonly #failing = new Map<string, Set<string>>();

  constructor(parts: ProvidedKeysParts) {
    this.#parts = parts;
    this.#remembered = new RememberedKeys(parts);
  }

  /** Number of key components whose provider is away, or signs wrongly. */
  get failing(): number {
    return [...this.#failing.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** The realm has other components now, or is gone. */
  forget(realm: string): void {
    this.#failing.delete(realm);
  }

  /**
   * @param own kids of the keys in the host's own store, which stay what they are
   * @returns undefined for a realm whose keys are all there
   */
  async of(name: string, own: ReadonlySet<string>): Promise<KeysElsewhere | undefined> {
    const realm = await this.#parts.realmOf(name);
    const components = realm?.components(KEY_PROVIDER)?.filter((one) => isOfRealm(one) && !isOwnKeyProvider(one)) ?? [];
    if (realm === undefined || components.length === 0) return undefined;
    const lists = await Promise.all(components.map((component) => this.#keysOf(placeOf(realm, component), own)));
    return {
      keys: lists.flatMap(({ keys }) => keys),
      areUnknown: lists.some(({ areUnknown }) => areUnknown),
      goodUntil: Math.min(...lists.map(({ goodUntil }) => goodUntil)),
    };
  }

  async #keysOf(place: Place, own: ReadonlySet<string>): Promise<KeysElsewhere> {
    const { providers, clock } = this.#parts;
    const { realm, component } = place;
    const provider = providers.find(realm, KeyProvider, component.providerId);
    const { status } = stateOf(component);
    if (status === 'DISABLED') return { keys: [], areUnknown: false, goodUntil: clock.now() + KEPT_MS };
    // The check of realm files has told of a component whose provider nobody has. A plugin may be added at any time.
    if (provider === undefined) {
      return { keys: [], areUnknown: status === 'ACTIVE', goodUntil: clock.now() + PAUSE_MS };
    }
    const remembered = (await this.#remembered.of(realm.name, component)) ?? [];
    let provided = remembered;
    let goodFor = KEPT_MS;
    try {
      provided = await provider.call((one) => one.keys({ config: component.config ?? {} }), LIST_LIMIT_MS);
      this.#serves(place);
    } catch {
      this.#fails(place, 'it cannot be asked for its keys');
      goodFor = PAUSE_MS;
    }
    if (JSON.stringify(provided) !== JSON.stringify(remembered)) {
      await this.#remembered.put(realm.name, component, provided);
    }
    const keys = this.#readable(place, provided, own);
    if (keys.length > 0) return { keys, areUnknown: false, goodUntil: clock.now() + goodFor };
    this.#fails(place, 'it has no key that can be used');
    return { keys, areUnknown: status === 'ACTIVE', goodUntil: clock.now() + PAUSE_MS };
  }

  #readable(place: Place, provided: readonly ProvidedKey[], own: ReadonlySet<string>): RemoteKey[] {
    const seen = new Set(own);
    return provided.flatMap((key, index) => {
      const { kid, algorithm } = key;
      try {
        if (seen.has(kid)) throw new Error('another key of the realm has this kid');
        seen.add(kid);
        const { publicKey, certificate, algorithm: known } = readProvidedKey(key);
        // The order of the provider's list is that of signing: the newest of a priority comes first.
        const state = { ...stateOf(place.component), createdAt: -index };
        const verifyInput = { key: publicKey, ...known.options };
        const isRight = (input: string, signature: Buffer) =>
          verify(known.hash, Buffer.from(input, 'latin1'), verifyInput, signature);
        return [
          {
            record: { realm: place.realm.name, kid, use: 'sig', algorithm, ...state },
            component: place.component,
            publicKey,
            ...(certificate !== undefined && { certificate }),
            sign: (input) => this.#sign(place, key, input, isRight),
          } satisfies RemoteKey,
        ];
      } catch (error) {
        const fields = { ...place.named, kid, reason: messageOf(error) };
        this.#parts.logger.error('a key of a key provider is left out', fields);
        return [];
      }
    });
  }

  /** @throws HostError `temporarily_unavailable` (503) */
  async #sign(
    place: Place,
    { kid, algorithm }: ProvidedKey,
    input: string,
    isRight: (input: string, signature: Buffer) => boolean,
  ): Promise<string> {
    const { realm, component } = place;
    const { config = {}, providerId } = component;
    let why = 'it cannot be asked to sign';
    try {
      const provider = this.#parts.providers.find(realm, KeyProvider, providerId);
      if (provider === undefined) throw new Error('no plugin provides it');
      const signature = await provider.call((one) => one.sign({ config, kid, algorithm, input }), SIGN_LIMIT_MS);
      why = 'its signature is not one of its key';
      if (!isRight(input, Buffer.from(signature, 'base64url'))) throw new Error(why);
      this.#serves(place);
      return signature;
    } catch {
      this.#fails(place, why);
      throw keyUnavailable();
    }
  }

  /** The call has told what the provider said. Who fails again and again is told of once. */
  #fails({ named }: Place, reason: string): void {
    const failing = this.#failing.get(named.realm) ?? new Set();
    if (failing.has(named.component)) return;
    this.#failing.set(named.realm, failing.add(named.component));
    this.#parts.logger.error('a key provider does not serve: what is to be signed with its keys is not', {
      ...named,
      reason,
    });
  }

  #serves({ named }: Place): void {
    if (this.#failing.get(named.realm)?.delete(named.component))
      this.#parts.logger.info('a key provider serves again', named);
  }
}

function placeOf(realm: Realm, component: ComponentRepresentation): Place {
  const named = { realm: realm.name, component: nameOfComponent(component), provider: component.providerId };
  return { realm, component, named };
}
