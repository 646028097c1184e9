// The order matters: tsyringe throws when it is imported before reflect-metadata.
import 'reflect-metadata';
import { type DependencyContainer, type InjectionToken, instanceCachingFactory, container as root } from 'tsyringe';
import { BootError } from '../config/boot-error.js';
import { type AnyKey, type Key, type List, nameOf } from './token.js';

export interface Use {
  /** Finds a service, and makes it where it has not been used yet. */
  <T>(key: Key<T>): T;
  /** All that modules have added to a list. */
  all<T>(list: List<T>): readonly T[];
}

/** How a service comes to be, and what it takes to end it. */
export interface Service<T> {
  readonly make: (use: Use) => T;
  /** What the service opened is closed by it. */
  readonly close?: ((value: T) => Promise<void> | void) | undefined;
  /** The module that provides it. */
  readonly module?: string;
}

/** A service that was made, in order of making. */
export interface MadeService {
  readonly name: string;
  readonly module: string;
  /** How long its own factory took, those that it used included, in milliseconds. */
  readonly ms: number;
}

/**
 * What a host is put together from. A service is made on first use, once for each container, by the factory that a module
 * gives; what was opened is closed in reverse order. tsyringe keeps the registrations and is used without decorators. What
 * it leaves open is said here: a name is taken once (there the second registration wins in silence), a circle is told with
 * its chain, and closing has an order.
 */
export class Container {
  readonly #registrations: DependencyContainer;
  readonly #parent: Container | undefined;
  /** tsyringe remembers every name that it was ever asked for, and names come from requests: it is asked for these alone. */
  readonly #known = new Set<AnyKey | List<unknown>>();
  readonly #replaced: Set<AnyKey>;
  readonly #chain: AnyKey[] = [];
  readonly #made: MadeService[] = [];
  readonly #closings: { readonly name: string; readonly close: () => Promise<void> | void }[] = [];
  readonly use: Use = Object.assign(<T>(key: Key<T>) => this.#use(key), {
    all: <T>(list: List<T>) => this.all(list),
  });

  /** @param parent the container whose services this one finds too */
  constructor(parent?: Container) {
    this.#parent = parent;
    this.#registrations = (parent === undefined ? root : parent.#registrations).createChildContainer();
    this.#replaced = new Set();
    this.value(Container, this);
  }

  /** A container that finds what this one has, and holds more. It is closed by itself. */
  child(): Container {
    return new Container(this);
  }

  /** A value that is at hand. @throws BootError `service_duplicate` */
  value<T>(key: Key<T>, value: T): void {
    this.#take(key);
    this.#registrations.register(key as InjectionToken<T>, { useValue: value });
  }

  /** The value stands for whatever a module would provide under that name. Before the modules. */
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

  /** One more of a list. */
  add<T>(list: List<T>, make: (use: Use) => readonly T[]): void {
    this.#known.add(list);
    this.#registrations.register(list as InjectionToken<readonly T[]>, {
      useFactory: instanceCachingFactory(() => make(this.use)),
    });
  }

  /** All that was added to a list, in order of adding. */
  all<T>(list: List<T>): readonly T[] {
    return this.#known.has(list)
      ? this.#registrations.resolveAll(list as InjectionToken<readonly T[]>).flat()
      : (this.#parent?.all(list) ?? []);
  }

  has(key: AnyKey): boolean {
    return this.#known.has(key) || this.#parent?.has(key) === true;
  }

  /** Services that were made, in that order. */
  made(): readonly MadeService[] {
    return this.#made;
  }

  /** What is to be done when this container closes, before everything that was opened earlier. */
  onClose(name: string, close: () => Promise<void> | void): void {
    this.#closings.push({ name, close });
  }

  /**
   * Closes in reverse order of opening, all of it.
   * @throws BootError `close_failed` that names what did not close, with an AggregateError as its cause
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

  #make<T>(key: Key<T>, { make, close, module = '' }: Service<T>): T {
    const began = performance.now();
    this.#chain.push(key);
    try {
      const value = make(this.use);
      this.#made.push({ name: nameOf(key), module, ms: performance.now() - began });
      if (close !== undefined) this.onClose(nameOf(key), () => close(value));
      return value;
    } finally {
      this.#chain.pop();
    }
  }

  #take(key: AnyKey): void {
    // What a parent has is another container's: a child may have its own.
    if (this.#known.has(key)) throw new BootError('service_duplicate', `${nameOf(key)} is provided twice`);
    this.#known.add(key);
  }
}

/** What went wrong: errors of several parts, and of theirs, one by one, each with what caused it. */
function reasonsOf(error: unknown): string[] {
  if (error instanceof AggregateError) return error.errors.flatMap(reasonsOf);
  if (!(error instanceof Error)) return [String(error)];
  return [error.cause === undefined ? error.message : `${error.message}: ${reasonsOf(error.cause).join('; ')}`];
}
