// The order matters: tsyringe throws when it is imported before reflect-metadata.
import 'reflect-metadata';
import { type DependencyContainer, type InjectionToken, instanceCachingFactory, container as root } from 'tsyringe';
import { BootError } from '../config/boot-error.js';
import { type AnyKey, type Key, type List, nameOf } from './token.js';

export interface Use {
  /** Returns a service, and creates it on first use. */
  <T>(key: Key<T>): T;
  /** Returns all items that modules have added to a list. */
  all<T>(list: List<T>): readonly T[];
}

/** The factory of a service, and how to close it. */
export interface Service<T> {
  readonly create: (use: Use) => T;
  /** Closes the service's resources. */
  readonly close?: ((value: T) => Promise<void> | void) | undefined;
  /** The module that provides it. */
  readonly module?: string;
}

/** A service that was created, in order of creation. */
export interface CreatedService {
  readonly name: string;
  readonly module: string;
  /** The duration of its factory in milliseconds, including the services that it used first. */
  readonly ms: number;
}

/**
 * The container of a host's services. A service is created on first use, once per container, by its module's factory;
 * services are closed in reverse order. It wraps tsyringe, without decorators. In addition, a duplicate registration is
 * an error (in tsyringe the second one silently wins), a cycle is reported with its chain, and closing has an order.
 */
export class Container {
  readonly #registrations: DependencyContainer;
  readonly #parent: Container | undefined;
  /** Ask tsyringe for these names only: it stores every name that it is asked for, and names come from requests. */
  readonly #known = new Set<AnyKey | List<unknown>>();
  readonly #replaced: Set<AnyKey>;
  readonly #chain: AnyKey[] = [];
  readonly #made: CreatedService[] = [];
  readonly #closings: { readonly name: string; readonly close: () => Promise<void> | void }[] = [];
  readonly use: Use = Object.assign(<T>(key: Key<T>) => this.#use(key), {
    all: <T>(list: List<T>) => this.all(list),
  });

  /** @param parent the container whose services this one finds, too */
  constructor(parent?: Container) {
    this.#parent = parent;
    this.#registrations = (parent === undefined ? root : parent.#registrations).createChildContainer();
    this.#replaced = new Set();
    this.value(Container, this);
  }

  /** Creates a container that also finds the services of this one. It must be closed separately. */
  child(): Container {
    return new Container(this);
  }

  /** Registers an existing value. @throws BootError `service_duplicate` */
  value<T>(key: Key<T>, value: T): void {
    this.#take(key);
    this.#registrations.register(key as InjectionToken<T>, { useValue: value });
  }

  /**
   * Registers a value in place of the one that a module provides under the key. Call it before the modules are added.
   */
  replace({ key, value }: { readonly key: AnyKey; readonly value: unknown }): void {
    this.value(key as Key<unknown>, value);
    this.#replaced.add(key);
  }

  /** @throws BootError `service_duplicate` */
  service<T>(key: Key<T>, service: Service<T>): void {
    if (this.#replaced.has(key)) return;
    this.#take(key);
    this.#registrations.register(key as InjectionToken<T>, {
      useFactory: instanceCachingFactory(() => this.#make(key, service)),
    });
  }

  /** Adds items to a list. */
  add<T>(list: List<T>, make: (use: Use) => readonly T[]): void {
    this.#known.add(list);
    this.#registrations.register(list as InjectionToken<readonly T[]>, {
      useFactory: instanceCachingFactory(() => make(this.use)),
    });
  }

  /** Returns all items of a list, in the order in which they were added. */
  all<T>(list: List<T>): readonly T[] {
    return this.#known.has(list)
      ? this.#registrations.resolveAll(list as InjectionToken<readonly T[]>).flat()
      : (this.#parent?.all(list) ?? []);
  }

  has(key: AnyKey): boolean {
    return this.#known.has(key) || this.#parent?.has(key) === true;
  }

  /** The services that were created, in that order. */
  createdServices(): readonly CreatedService[] {
    return this.#made;
  }

  /** Adds a function that runs when this container closes, before everything that was opened earlier. */
  onClose(name: string, close: () => Promise<void> | void): void {
    this.#closings.push({ name, close });
  }

  /**
   * Closes everything in reverse order of opening, even after failures.
   * @throws BootError `close_failed` with the names of all failures, and an AggregateError as its cause
   */
  async close(): Promise<void> {
    const failures = new Map<string, unknown>();
    for (const { name, close } of this.#closings.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        failures.set(name, error);
      }
    }
    this.#registrations.reset();
    this.#known.clear();
    if (failures.size === 0) return;
    const told = [...failures].map(([name, error]) => `${name} (${reasonsOf(error).join('; ')})`);
    throw new BootError('close_failed', `not closed: ${told.join(', ')}`, {
      cause: new AggregateError([...failures.values()], 'some parts of the host did not close'),
    });
  }

  #use<T>(key: Key<T>): T {
    if (this.#chain.includes(key)) {
      const chain = [...this.#chain.slice(this.#chain.indexOf(key)), key].map(nameOf);
      throw new BootError('service_circle', `services need each other in a circle: ${chain.join(' → ')}`);
    }
    if (!this.has(key)) {
      const by = this.#chain.at(-1);
      throw new BootError(
        'service_missing',
        `no module provides ${nameOf(key)}${by === undefined ? '' : `, which ${nameOf(by)} needs`}`,
      );
    }
    return this.#registrations.resolve(key as InjectionToken<T>);
  }

  #make<T>(key: Key<T>, { create, close, module = '' }: Service<T>): T {
    const began = performance.now();
    this.#chain.push(key);
    try {
      const value = create(this.use);
      this.#made.push({ name: nameOf(key), module, ms: performance.now() - began });
      if (close !== undefined) this.onClose(nameOf(key), () => close(value));
      return value;
    } finally {
      this.#chain.pop();
    }
  }

  #take(key: AnyKey): void {
    // Registrations of the parent do not count: a child may have its own.
    if (this.#known.has(key)) throw new BootError('service_duplicate', `${nameOf(key)} is provided twice`);
    this.#known.add(key);
  }
}

/** Returns the messages of an error, of all errors in an AggregateError, and of their causes. */
function reasonsOf(error: unknown): string[] {
  if (error instanceof AggregateError) return error.errors.flatMap(reasonsOf);
  if (!(error instanceof Error)) return [String(error)];
  return [error.cause === undefined ? error.message : `${error.message}: ${reasonsOf(error.cause).join('; ')}`];
}
