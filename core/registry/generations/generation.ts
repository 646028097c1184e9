import { HostError, type Spi } from '@keyhost/spi';
import { Container, type Token, token } from '../../di/container.js';
import type { Realm } from '../../model/realm.js';
import type { OpenedPlugin, RegisteredProvider } from '../loading/opened-plugin.js';

/** Providers, found by kind and id. */
export interface Providers {
  /** @throws HostError `provider_not_found` (404) */
  get<D, P>(kind: Spi<D, P>, id: string): RegisteredProvider<D, P>;
  find<D, P>(kind: Spi<D, P>, id: string): RegisteredProvider<D, P> | undefined;
  /** In order of registration. */
  all<D, P>(kind: Spi<D, P>): readonly RegisteredProvider<D, P>[];
  list(): readonly RegisteredProvider[];
  /** What a room works out of a realm version and these providers, made on first use, by a key of its own. */
  derive<T>(realm: Realm, key: symbol, make: () => T): T;
}

/**
 * The providers of the host from one change of its plugins to the next: never changed, look-ups are plain Map reads. A
 * request or call takes a lease on the generation that it begins with and resolves everything through it; what the next
 * generation no longer has is closed once the last lease has been given back.
 */
export class Generation implements Providers {
  /** From 1, in order of publication. */
  readonly number: number;
  readonly plugins: readonly OpenedPlugin[];
  readonly #container = new Container();
  readonly #order: RegisteredProvider[] = [];
  readonly #bySpi = new Map<string, Map<string, RegisteredProvider>>();
  readonly #derived = new WeakMap<Realm, Map<symbol, unknown>>();
  #leases = 0;
  #isOver = false;
  #onIdle: (() => void) | undefined;

  /** @param replaced `spi/id` of built-ins whose place a plugin takes */
  constructor(number: number, plugins: readonly OpenedPlugin[], replaced: ReadonlySet<string>) {
    this.number = number;
    this.plugins = plugins;
    for (const plugin of plugins) {
      plugin.hold();
      for (const provider of plugin.providers) {
        if (!plugin.origin.builtin || !replaced.has(`${provider.spi.id}/${provider.id}`)) this.#register(provider);
      }
    }
  }

  get<D, P>(kind: Spi<D, P>, id: string): RegisteredProvider<D, P> {
    const found = this.find(kind, id);
    if (found === undefined)
      throw new HostError('provider_not_found', `There is no ${kind.id} "${id}"`, { status: 404 });
    return found;
  }

  find<D, P>(kind: Spi<D, P>, id: string): RegisteredProvider<D, P> | undefined {
    return this.#bySpi.get(kind.id)?.get(id) as RegisteredProvider<D, P> | undefined;
  }

  all<D, P>(kind: Spi<D, P>): readonly RegisteredProvider<D, P>[] {
    return [...(this.#bySpi.get(kind.id)?.values() ?? [])] as RegisteredProvider<D, P>[];
  }

  list(): readonly RegisteredProvider[] {
    return this.#order;
  }

  derive<T>(realm: Realm, key: symbol, make: () => T): T {
    let ofRealm = this.#derived.get(realm);
    if (ofRealm === undefined) {
      ofRealm = new Map();
      this.#derived.set(realm, ofRealm);
    }
    if (!ofRealm.has(key)) ofRealm.set(key, make());
    return ofRealm.get(key) as T;
  }

  /** Requests and calls that resolve through it. */
  get leases(): number {
    return this.#leases;
  }

  /** Keeps it open until `release`. @throws HostError `generation_over` */
  lease(): this {
    if (this.#isOver) throw new HostError('generation_over', 'the providers of this request were closed');
    this.#leases += 1;
    return this;
  }

  /** Once for every `lease`. */
  release(): void {
    this.#leases -= 1;
    if (this.#leases === 0) this.#onIdle?.();
  }

  /** Resolves when no request or call uses it any more; from then on none may. Once, after its successor took over. */
  retire(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = () => {
        this.#isOver = true;
        resolve();
      };
      if (this.#leases === 0) this.#onIdle();
    });
  }

  /** No lease is good any more, though some were not given back. */
  end(): void {
    this.#onIdle?.();
  }

  /** Closes what no other generation has, in reverse order. @throws AggregateError of what failed */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const plugin of [...this.plugins].reverse()) {
      await plugin.release().catch((error: unknown) => failures.push(error));
    }
    this.#container.clear();
    if (failures.length > 0) throw new AggregateError(failures, 'some providers did not close');
  }

  #register(provider: RegisteredProvider): void {
    const { spi, id } = provider;
    const key: Token<RegisteredProvider> = token(`${spi.id}/${id}`);
    this.#container.register(key, provider);
    this.#order.push(provider);
    const ofSpi = this.#bySpi.get(spi.id) ?? new Map<string, RegisteredProvider>();
    ofSpi.set(id, this.#container.get(key));
    this.#bySpi.set(spi.id, ofSpi);
  }
}
