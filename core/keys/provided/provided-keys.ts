import { verify } from 'node:crypto';
import { KeyProvider, type Logger, type ProvidedKey } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { Realm } from '../../model/realm.js';
import type { RealmProviders } from '../../model/realm-providers.js';
import { recentEntries } from '../../model/recent-entries.js';
import type { ComponentRepresentation } from '../../model/representation.js';
import { messageOf } from '../../model/thrown.js';
import { isBuiltInKeyProvider, KEY_PROVIDER, stateOf } from '../component-key.js';
import { isOfRealm } from '../default-keys.js';
import { keyUnavailable, type RemoteKey } from '../realm-keys.js';
import { readProvidedKey } from './read-provided-key.js';
import { type SkippedKey, SkippedKeyLog, splitByUniqueKid } from './skipped-keys.js';
import { nameOfComponent, type StoredPublicKeys } from './stored-public-keys.js';

/** How long a provider's list of keys is used before the provider is asked again, in milliseconds. */
const CACHE_MS = 60_000;
/** How long a provider is not asked again after a failure, in milliseconds. */
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
  /** True if a component may have keys that it never listed. The host then generates no keys instead of them. */
  readonly areUnknown: boolean;
  /** When to ask again, in milliseconds since the epoch. */
  readonly refreshAt: number;
}

/** A component's list of keys, as far as it is known. */
interface ComponentKeyList {
  /** The component as JSON. If it changes, its provider must be asked again. */
  readonly componentJson: string;
  readonly isActive: boolean;
  readonly keys: readonly RemoteKey[];
  readonly skipped: readonly SkippedKey[];
  /** False if it is disabled, or its provider does not exist. */
  readonly isAsked: boolean;
  /** The provider's failure. */
  readonly failure?: string | undefined;
  readonly validUntil: number;
}

/** A key component of a realm, with the fields that identify it in the log. */
interface KeyComponent {
  readonly realm: Realm;
  readonly component: ComponentRepresentation;
  readonly logFields: { readonly realm: string; readonly component: string; readonly provider: string };
}

export interface ProvidedKeysParts {
  readonly realmOf: (name: string) => Promise<Realm | undefined>;
  readonly providers: RealmProviders;
  readonly storedKeys: StoredPublicKeys;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Keys that plugins hold for realms. Their public halves are stored, so that signatures can be verified while their
 * provider is unreachable.
 */
export class ProvidedKeys {
  readonly #parts: ProvidedKeysParts;
  /** The lists by realm and component. */
  readonly #lists = recentEntries<string, Map<string, ComponentKeyList>>(CACHED_REALMS);
  /** The components whose provider failed last, by realm. */
  readonly #failing = new Map<string, Set<string>>();
  readonly #skippedKeys: SkippedKeyLog;

  constructor(parts: ProvidedKeysParts) {
    this.#parts = parts;
    this.#skippedKeys = new SkippedKeyLog(parts.logger);
  }

  /** Number of key components whose provider is unreachable, has no usable key, or signs incorrectly. */
  get failing(): number {
    return [...this.#failing.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Drops all data about a realm. Call it when the realm was deleted, or has no keys of plugins any more. */
  forget(realm: string): void {
    this.#lists.delete(realm);
    this.#failing.delete(realm);
  }

  /**
   * The keys that plugins hold for a realm.
   * @param ownKids kids of the keys in the host's store, which take precedence
   * @param shouldRefresh whether to ask providers again whose list is outdated; otherwise the known list is returned at
   * once
   * @returns undefined for a realm without plugins' keys
   */
  async of(name: string, ownKids: ReadonlySet<string>, shouldRefresh = false): Promise<PluginKeys | undefined> {
    const realm = await this.#parts.realmOf(name);
    const components =
      realm
        ?.components(KEY_PROVIDER)
        ?.filter((component) => isOfRealm(component) && !isBuiltInKeyProvider(component)) ?? [];
    if (realm === undefined || components.length === 0) {
      this.forget(name);
      return undefined;
    }
    const keyComponents = components.map((component) => toKeyComponent(realm, component));
    const previousLists = this.#lists.get(name);
    const lists = await Promise.all(keyComponents.map((keyComponent) => this.#keysOf(keyComponent, shouldRefresh)));
    this.#lists.set(
      name,
      new Map(keyComponents.map(({ logFields }, index) => [logFields.component, lists[index] as ComponentKeyList])),
    );
    const failing = this.#failing.get(name);
    const ids = new Set(keyComponents.map(({ logFields }) => logFields.component));
    for (const id of failing ?? []) if (!ids.has(id)) failing?.delete(id);
    const seenKids = new Set(ownKids);
    let areUnknown = false;
    const keys = keyComponents.flatMap((keyComponent, index) => {
      const list = lists[index] as ComponentKeyList;
      const [usable, duplicates] = splitByUniqueKid(list.keys, seenKids);
      // Duplicate kids do not count as unknown: the realm has a key for each of them.
      areUnknown ||= list.isActive && list.keys.length === 0;
      this.#skippedKeys.report(keyComponent.logFields, [...list.skipped, ...duplicates]);
      // A list from an earlier call does not show whether the provider works now.
      if (list.isAsked && previousLists?.get(keyComponent.logFields.component) !== list) {
        const failure = list.failure ?? (usable.length === 0 ? 'it has no key that can be used' : undefined);
        if (failure === undefined) this.#recordSuccess(keyComponent);
        else this.#recordFailure(keyComponent, failure);
      }
      return usable;
    });
    return { keys, areUnknown, refreshAt: Math.min(...lists.map(({ validUntil }) => validUntil)) };
  }

  async #keysOf(keyComponent: KeyComponent, shouldRefresh: boolean): Promise<ComponentKeyList> {
    const { providers, clock, storedKeys: remembered } = this.#parts;
    const { realm, component, logFields } = keyComponent;
    const componentJson = JSON.stringify(component);
    const { status } = stateOf(component);
    const isActive = status === 'ACTIVE';
    const emptyList = { componentJson, isActive, keys: [], skipped: [], isAsked: false };
    const now = clock.now();
    if (status === 'DISABLED') {
      this.#failing.get(realm.name)?.delete(logFields.component);
      return { ...emptyList, validUntil: now + CACHE_MS };
    }
    const provider = providers.find(realm, KeyProvider, component.providerId);
    // The check of realm files has reported that the provider is missing. A plugin may be added at any time.
    if (provider === undefined) return { ...emptyList, validUntil: now + PAUSE_MS };
    const previous = this.#lists.get(realm.name)?.get(logFields.component);
    if (previous?.componentJson === componentJson && (!shouldRefresh || now < previous.validUntil)) return previous;
    const stored = (await remembered.of(realm.name, component)) ?? [];
    let provided = stored;
    let failure: string | undefined;
    try {
      // A copy, so that the provider cannot modify the realm.
      const config = structuredClone(component.config ?? {});
      provided = await provider.call((keyProvider) => keyProvider.keys({ config }), LIST_LIMIT_MS);
    } catch {
      failure = 'it cannot be asked for its keys';
    }
    if (JSON.stringify(provided) !== JSON.stringify(stored)) {
      await remembered.save(realm.name, component, provided);
    }
    const { keys, skipped } = this.#read(keyComponent, provided);
    const isGood = failure === undefined && keys.length > 0;
    const validUntil = clock.now() + (isGood ? CACHE_MS : PAUSE_MS);
    return { componentJson, isActive, keys, skipped, isAsked: true, failure, validUntil };
  }

  #read(keyComponent: KeyComponent, provided: readonly ProvidedKey[]): Pick<ComponentKeyList, 'keys' | 'skipped'> {
    const [keys, skipped]: [RemoteKey[], SkippedKey[]] = [[], []];
    for (const [index, key] of provided.entries()) {
      const { kid, algorithm } = key;
      try {
        const { publicKey, certificate, algorithm: parameters } = readProvidedKey(key);
        // The provider's order is the signing order, so the first key of a priority counts as the newest.
        const state = { ...stateOf(keyComponent.component), createdAt: -index };
        const verifyInput = { key: publicKey, ...parameters.options };
        const isValidSignature = (input: string, signature: Buffer) =>
          verify(parameters.hash, Buffer.from(input, 'latin1'), verifyInput, signature);
        keys.push({
          record: { realm: keyComponent.realm.name, kid, use: 'sig', algorithm, ...state },
          component: keyComponent.component,
          publicKey,
          ...(certificate !== undefined && { certificate }),
          sign: (input) => this.#sign(keyComponent, key, input, isValidSignature),
        });
      } catch (error) {
        skipped.push({ kid, reason: messageOf(error) });
      }
    }
    return { keys, skipped };
  }

  /**
   * Signs with a key of a provider, and verifies the signature.
   * @throws HostError `temporarily_unavailable` (503)
   */
  async #sign(
    keyComponent: KeyComponent,
    { kid, algorithm }: ProvidedKey,
    input: string,
    isValidSignature: (input: string, signature: Buffer) => boolean,
  ): Promise<string> {
    const { config = {}, providerId } = keyComponent.component;
    let problem = 'it cannot be asked to sign';
    try {
      const realm = await this.#parts.realmOf(keyComponent.logFields.realm);
      const provider = realm && this.#parts.providers.find(realm, KeyProvider, providerId);
      if (provider === undefined) throw new Error('no plugin provides it');
      const request = { config: structuredClone(config), kid, algorithm, input };
      const signature = await provider.call((keyProvider) => keyProvider.sign(request), SIGN_LIMIT_MS);
      problem = 'its signature is not one of its key';
      if (!isValidSignature(input, Buffer.from(signature, 'base64url'))) throw new Error(problem);
      this.#recordSuccess(keyComponent);
      return signature;
    } catch {
      this.#recordFailure(keyComponent, problem);
      throw keyUnavailable();
    }
  }

  /** Logs the first of several failures in a row. The provider's own error was logged with the call. */
  #recordFailure({ logFields }: KeyComponent, reason: string): void {
    const failing = this.#failing.get(logFields.realm) ?? new Set();
    if (failing.has(logFields.component)) return;
    this.#failing.set(logFields.realm, failing.add(logFields.component));
    this.#parts.logger.error('a key provider does not serve: what is to be signed with its keys is not', {
      ...logFields,
      reason,
    });
  }

  #recordSuccess({ logFields }: KeyComponent): void {
    if (this.#failing.get(logFields.realm)?.delete(logFields.component)) {
      this.#parts.logger.info('a key provider serves again', logFields);
    }
  }
}

function toKeyComponent(realm: Realm, component: ComponentRepresentation): KeyComponent {
  const logFields = { realm: realm.name, component: nameOfComponent(component), provider: component.providerId };
  return { realm, component, logFields };
}
