import { HostError, type Spi } from '@keyhost/spi';
import type { Container } from '../../di/container.js';
import { type List, list, type Token } from '../../di/token.js';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import { methodsOf } from '../loading/host-spis.js';
import type { OpenedPlugin } from '../loading/opened-plugin.js';
import { type DeclaredSpi, declaredSpis } from '../loading/plugin-spis.js';
import type { RegisteredProvider } from '../loading/registered-provider.js';

/** Providers by SPI and ID. */
export interface Providers {
  /** @throws HostError `provider_not_found` (404) */
  get<D, P>(spi: Spi<D, P>, id: string): RegisteredProvider<D, P>;
  find<D, P>(spi: Spi<D, P>, id: string): RegisteredProvider<D, P> | undefined;
  /** In order of registration. */
  all<D, P>(spi: Spi<D, P>): readonly RegisteredProvider<D, P>[];
  list(): readonly RegisteredProvider[];
  /**
   * A value that a module derives from a realm version and these providers, computed on first use and cached under the
   * module's key.
   */
  derive<T>(realm: Realm, key: symbol, make: () => T): T;
}

/**
 * The immutable set of the host's providers between two changes of its plugins. Each is registered in the generation's
 * own container under the token of its SPI. A request or call takes a lease on the current generation when it begins,
 * and resolves everything through it. Providers that the next generation does not have are closed when the last lease
 * is released.
 */
export class Generation implements Providers {
  /** The number of the generation, from 1. */
  readonly number: number;
  readonly plugins: readonly OpenedPlugin[];
  /** The SPIs that its plugins declare, by ID. */
  readonly spis: ReadonlyMap<string, DeclaredSpi>;
  readonly #container: Container;
  readonly #derived = new WeakMap<Realm, Map<symbol, unknown>>();
  #leases = 0;
  #hasEnded = false;
  #onIdle: (() => void) | undefined;

  /**
   * @param container a new container, which ends with this generation
   * @param replaced `spi/id` of built-ins that a plugin replaces
   */
  constructor(container: Container, number: number, plugins: readonly OpenedPlugin[], replaced: ReadonlySet<string>) {
    this.#container = container;
    this.number = number;
    this.plugins = plugins;
    this.spis = declaredSpis(plugins.flatMap(({ loaded }) => loaded?.plugin ?? []));
    for (const plugin of plugins) {
      plugin.retain();
      for (const provider of plugin.providers) {
        if (!plugin.origin.builtin || !replaced.has(`${provider.spi.id}/${provider.id}`)) this.#register(provider);
      }
    }
  }

  get<D, P>(spi: Spi<D, P>, id: string): RegisteredProvider<D, P> {
    const found = this.find(spi, id);
    if (found === undefined) throw new HostError('provider_not_found', `${spi.id} "${id}" not found`, { status: 404 });
    return found;
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

  derive<T>(realm: Realm, key: symbol, make: () => T): T {
    let ofRealm = this.#derived.get(realm);
    if (ofRealm === undefined) {
      ofRealm = new Map();
      this.#derived.set(realm, ofRealm);
    }
    if (!ofRealm.has(key)) ofRealm.set(key, make());
    return ofRealm.get(key) as T;
  }

  /** The number of requests and calls that use it. */
  get leases(): number {
    return this.#leases;
  }

  /** Prevents it from closing until `release`. @throws HostError `generation_over` */
  lease(): this {
    if (this.#hasEnded) throw new HostError('generation_over', 'the providers of this request were closed');
    this.#leases += 1;
    return this;
  }

  /** Called once for every `lease`. */
  release(): void {
    this.#leases -= 1;
    if (this.#leases === 0) this.#onIdle?.();
  }

  /**
   * Resolves when no request or call uses it any more; after that, `lease` throws. Called once, after its successor has
   * been published.
   */
  retire(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = () => {
        this.#hasEnded = true;
        resolve();
      };
      if (this.#leases === 0) this.#onIdle();
    });
  }

  /** Ends it, although some leases were not released. */
  end(): void {
    this.#onIdle?.();
  }

  /** Closes the providers that no other generation has, in reverse order. @throws AggregateError of the failures */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const plugin of [...this.plugins].reverse()) {
      await plugin.release().catch((error: unknown) => failures.push(error));
    }
    await this.#container.close();
    if (failures.length > 0) throw new AggregateError(failures, 'some providers did not close');
  }

  #register(opened: RegisteredProvider): void {
    const { spi, id, background, schedule } = opened;
    // The plugin that declares its SPI may have been replaced since it was opened.
    const declared = this.spis.get(spi.id)?.spi ?? spi;
    const declaration = opened.declaration as Readonly<Record<string, unknown>>;
    const provider =
      declared === spi
        ? opened
        : { ...opened, spi: declared, methods: methodsOf(declared, defined({ declaration, background, schedule })) };
    this.#container.value(providerToken(spi.id, id), provider);
    for (const token of [spiToken(spi.id), PROVIDERS]) this.#container.add(token, () => [provider]);
  }
}

const PROVIDERS = list<RegisteredProvider>('providers');

/**
 * The SPI's token. SPIs are distinguished by ID, because a plugin may have loaded another copy of the contract package.
 * It is a string and not a symbol, as the next one is, because IDs come from requests and are forgotten with them.
 */
function spiToken(spi: string): List<RegisteredProvider> {
  return `spi ${spi}`;
}

function providerToken(spi: string, id: string): Token<RegisteredProvider> {
  return `provider ${spi}/${id}`;
}
