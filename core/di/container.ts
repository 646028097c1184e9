// Import reflect-metadata first: tsyringe throws without it.
import 'reflect-metadata';
import { type DependencyContainer, type InjectionToken, instanceCachingFactory, container as root } from 'tsyringe';
import { BootError } from '../config/boot-error.js';
import { type AnyKey, type Key, type List, nameOf } from './token.js';

export interface Use {
  /** Returns a service. The first call creates it. */
  <T>(key: Key<T>): T;
  /** Returns all items that modules have added to a list. */
  all<T>(list: List<T>): readonly T[];
}

/** The registration of a service. */
export interface Service<T> {
  readonly create: (use: Use) => T;
  /** Closes the service's resources. */
  readonly close?: ((value: T) => Promise<void> | void) | undefined;
  /** The name of the module that provides it. */
  readonly module?: string;
}

export interface CreatedService {
  readonly name: string;
  readonly module: string;
  /** How long its factory took in milliseconds, including the services that this created first. */
  readonly ms: number;
}

/**
 * The container of a host's services. A module's factory creates a service on first use, once per container, and
 * services are closed in reverse order. It wraps tsyringe, without decorators. In tsyringe, the last registration of a
 * key wins silently; here, a second one is an error. A cycle is reported with its chain.
 */
export class Container {
  readonly #registrations: DependencyContainer;
  readonly #parent: Container | undefined;
  /**
   * The keys that are registered in this container. Never resolve other keys: tsyringe stores every name that it is
   * asked for, and names may be from requests.
   */
  readonly #registeredKeys = new Set<AnyKey | List<unknown>>();
  readonly #replacedKeys: Set<AnyKey>;
  readonly #creationChain: AnyKey[] = [];
  readonly #created: CreatedService[] = [];
  readonly #closeFunctions: { readonly name: string; readonly close: () => Promise<void> | void }[] = [];
  readonly use: Use = Object.assign(<T>(key: Key<T>) => this.#use(key), {
    all: <T>(list: List<T>) => this.all(list),
  });

  /** @param parent the container in which services are looked up if this one does not have them */
  constructor(parent?: Container) {
    this.#parent = parent;
    this.#registrations = (parent === undefined ? root : parent.#registrations).createChildContainer();
    this.#replacedKeys = new Set();
    this.value(Container, this);
  }

  /** Creates a container that falls back to the services of this one. It must be closed separately. */
  child(): Container {
    return new Container(this);
  }

  /**
   * Registers an existing value.
   * @throws BootError `service_duplicate`
   */
  value<T>(key: Key<T>, value: T): void {
    this.#claimKey(key);
    this.#registrations.register(key as InjectionToken<T>, { useValue: value });
  }

  /**
   * Registers a value in place of the one that a module provides under the key. Call this before the modules are added.
   */
  replace({ key, value }: { readonly key: AnyKey; readonly value: unknown }): void {
    this.value(key as Key<unknown>, value);
    this.#replacedKeys.add(key);
  }

  /**
   * Registers a service.
   * @throws BootError `service_duplicate`
   */
  service<T>(key: Key<T>, service: Service<T>): void {
    if (this.#replacedKeys.has(key)) return;
    this.#claimKey(key);
    this.#registrations.register(key as InjectionToken<T>, {
      useFactory: instanceCachingFactory(() => this.#create(key, service)),
    });
  }

  /** Adds items to a list. They are created when the list is first read. */
  add<T>(list: List<T>, create: (use: Use) => readonly T[]): void {
    this.#registeredKeys.add(list);
    this.#registrations.register(list as InjectionToken<readonly T[]>, {
      useFactory: instanceCachingFactory(() => create(this.use)),
    });
  }

  /** Returns all items of a list, in the order in which they were added. */
  all<T>(list: List<T>): readonly T[] {
    return this.#registeredKeys.has(list)
      ? this.#registrations.resolveAll(list as InjectionToken<readonly T[]>).flat()
      : (this.#parent?.all(list) ?? []);
  }

  has(key: AnyKey): boolean {
    return this.#registeredKeys.has(key) || this.#parent?.has(key) === true;
  }

  /** The services that were created, in order of creation. */
  createdServices(): readonly CreatedService[] {
    return this.#created;
  }

  /** Adds a function that is called when this container closes, before those that were added earlier. */
  onClose(name: string, close: () => Promise<void> | void): void {
    this.#closeFunctions.push({ name, close });
  }

  /**
   * Calls all close functions in reverse order, even if some fail.
   * @throws BootError `close_failed` with the names of all failures, and an AggregateError as its cause
   */
  async close(): Promise<void> {
    const failures = new Map<string, unknown>();
    for (const { name, close } of this.#closeFunctions.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        failures.set(name, error);
      }
    }
    this.#registrations.reset();
    this.#registeredKeys.clear();
    if (failures.size === 0) return;
    const descriptions = [...failures].map(([name, error]) => `${name} (${reasonsOf(error).join('; ')})`);
    throw new BootError('close_failed', `not closed: ${descriptions.join(', ')}`, {
      cause: new AggregateError([...failures.values()], 'some parts of the host did not close'),
    });
  }

  #use<T>(key: Key<T>): T {
    if (this.#creationChain.includes(key)) {
      const chain = [...this.#creationChain.slice(this.#creationChain.indexOf(key)), key].map(nameOf);
      throw new BootError('service_circle', `services need each other in a circle: ${chain.join(' → ')}`);
    }
    if (!this.has(key)) {
      const dependent = this.#creationChain.at(-1);
      throw new BootError(
        'service_missing',
        `no module provides ${nameOf(key)}${dependent === undefined ? '' : `, which ${nameOf(dependent)} needs`}`,
      );
    }
    return this.#registrations.resolve(key as InjectionToken<T>);
  }

  #create<T>(key: Key<T>, { create, close, module = '' }: Service<T>): T {
    const startedAt = performance.now();
    this.#creationChain.push(key);
    try {
      const value = create(this.use);
      this.#created.push({ name: nameOf(key), module, ms: performance.now() - startedAt });
      if (close !== undefined) this.onClose(nameOf(key), () => close(value));
      return value;
    } finally {
      this.#creationChain.pop();
    }
  }

  #claimKey(key: AnyKey): void {
    // Registrations of the parent are not duplicates: a child may override them.
    if (this.#registeredKeys.has(key)) throw new BootError('service_duplicate', `${nameOf(key)} is provided twice`);
    this.#registeredKeys.add(key);
  }
}

/** Returns the messages of an error, of all errors in an AggregateError, and of their causes. */
function reasonsOf(error: unknown): string[] {
  if (error instanceof AggregateError) return error.errors.flatMap(reasonsOf);
  if (!(error instanceof Error)) return [String(error)];
  return [error.cause === undefined ? error.message : `${error.message}: ${reasonsOf(error.cause).join('; ')}`];
}
