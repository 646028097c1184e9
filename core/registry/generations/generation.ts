import { HostError, type Spi } from '@keyhost/spi';
import type { Container } from '../../di/container.js';
import { type List, list, type Token } from '../../di/token.js';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import { methodsOf } from '../loading/host-spis.js';
import type { OpenedPlugin } from '../loading/opened-plugin.js';
import { type DeclaredSpi, declaredSpis } from '../loading/plugin-spis.js';
import type { RegisteredProvider } from '../loading/registered-provider.js';

/** Looks up providers by SPI and ID. */
export interface Providers {
  /** @throws HostError `provider_not_found` (404) */
  get<D, P>(spi: Spi<D, P>, id: string): RegisteredProvider<D, P>;
  find<D, P>(spi: Spi<D, P>, id: string): RegisteredProvider<D, P> | undefined;
  /** All providers of the SPI, in order of registration. */
  all<D, P>(spi: Spi<D, P>): readonly RegisteredProvider<D, P>[];
  list(): readonly RegisteredProvider[];
  /**
   * Returns a value that a module computes from a realm version and these providers. It is computed on first use, and
   * cached under the module's key.
   */
  derive<T>(realm: Realm, key: symbol, compute: () => T): T;
}

/**
 * The immutable set of the host's providers between two changes of its plugins. Each is registered in the generation's
 * own container under the token of its SPI. A request or call takes a lease on the current generation when it begins,
 * and looks up every provider in it. Providers that the next generation does not have are closed when the last lease is
 * released.
 */
export class Generation implements Providers {
  /** The number of the generation, from 1. */
  readonly number: number;
  readonly plugins: readonly OpenedPlugin[];
  /** The SPIs that these plugins declare, by ID. */
  readonly spis: ReadonlyMap<string, DeclaredSpi>;
  readonly #container: Container;
  readonly #derived = new WeakMap<Realm, Map<symbol, unknown>>();
  #leases = 0;
  #hasEnded = false;
  #onUnused: (() => void) | undefined;

  /**
   * @param container a new container, which is closed with this generation
   * @param replacedBuiltIns `spi/id` of the built-in providers that a plugin replaces
   */
  constructor(
    container: Container,
    number: number,
    plugins: readonly OpenedPlugin[],
    replacedBuiltIns: ReadonlySet<string>,
  ) {
    this.#container = container;
    this.number = number;
    this.plugins = plugins;
    this.spis = declaredSpis(plugins.flatMap(({ loaded }) => loaded?.plugin ?? []));
    for (const plugin of plugins) {
      plugin.retain();
      for (const provider of plugin.providers) {
        if (!plugin.origin.builtin || !replacedBuiltIns.has(`${provider.spi.id}/${provider.id}`))
          this.#register(provider);
      }
    }
  }

  get<D, P>(spi: Spi<D, P>, id: string): RegisteredProvider<D, P> {
    const provider = this.find(spi, id);
    if (provider === undefined)
      throw new HostError('provider_not_found', `${spi.id} "${id}" not found`, { status: 404 });
    return provider;
  }

  find<D, P>(spi: Spi<D, P>, id: string): RegisteredProvider<D, P> | undefined {
    const key = providerToken(spi.id, id);
    return this.#container.has(key) ? (this.#container.use(key) as RegisteredProvider<D, P>) : undefined;
  }

  all<D, P>(spi: Spi<D, P>): readonly RegisteredProvider<D, P>[] {
    return this.#container.all(spiToken(spi.id)) as readonly RegisteredProvider<D, P>[];
  }

  list(): readonly RegisteredProvider[] {
    return this.#container.all(PROVIDERS);
  }

  derive<T>(realm: Realm, key: symbol, compute: () => T): T {
    let valuesOfRealm = this.#derived.get(realm);
    if (valuesOfRealm === undefined) {
      valuesOfRealm = new Map();
      this.#derived.set(realm, valuesOfRealm);
    }
    if (!valuesOfRealm.has(key)) valuesOfRealm.set(key, compute());
    return valuesOfRealm.get(key) as T;
  }

  /** The number of requests and calls that use this generation. */
  get leases(): number {
    return this.#leases;
  }

  /**
   * Prevents the generation from closing until `release`.
   * @throws HostError `generation_over` if it has ended
   */
  lease(): this {
    if (this.#hasEnded) throw new HostError('generation_over', 'the providers of this request were closed');
    this.#leases += 1;
    return this;
  }

  /** Called once for every `lease`. */
  release(): void {
    this.#leases -= 1;
    if (this.#leases === 0) this.#onUnused?.();
  }

  /**
   * Resolves when no request or call uses the generation any more; after that, `lease` throws. Called once, when the
   * next generation has been published.
   */
  retire(): Promise<void> {
    return new Promise((resolve) => {
      this.#onUnused = () => {
        this.#hasEnded = true;
        resolve();
      };
      if (this.#leases === 0) this.#onUnused();
    });
  }

  /** Ends the generation even if some leases were not released. */
  forceEnd(): void {
    this.#onUnused?.();
  }

  /**
   * Closes the providers that no other generation has, in reverse order.
   * @throws AggregateError of the failures
   */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const plugin of [...this.plugins].reverse()) {
      await plugin.release().catch((error: unknown) => failures.push(error));
    }
    await this.#container.close();
    if (failures.length > 0) throw new AggregateError(failures, 'some providers did not close');
  }

  #register(registeredProvider: RegisteredProvider): void {
    const { spi, id, background, schedule } = registeredProvider;
    // Use the current declaration: the plugin that declares the SPI may have been replaced since this provider was
    // opened.
    const declaredSpi = this.spis.get(spi.id)?.spi ?? spi;
    const declaration = registeredProvider.declaration as Readonly<Record<string, unknown>>;
    const provider =
      declaredSpi === spi
        ? registeredProvider
        : {
            ...registeredProvider,
            spi: declaredSpi,
            methods: methodsOf(declaredSpi, defined({ declaration, background, schedule })),
          };
    this.#container.value(providerToken(spi.id, id), provider);
    for (const token of [spiToken(spi.id), PROVIDERS]) this.#container.add(token, () => [provider]);
  }
}

const PROVIDERS = list<RegisteredProvider>('providers');

/**
 * Returns the container token of an SPI. SPIs are compared by ID, because a plugin may have loaded another copy of the
 * SPI package. The tokens are strings and not symbols, because the IDs in look-ups come from requests: strings are
 * garbage-collected.
 */
function spiToken(spi: string): List<RegisteredProvider> {
  return `spi ${spi}`;
}

function providerToken(spi: string, id: string): Token<RegisteredProvider> {
  return `provider ${spi}/${id}`;
}
