// The order matters: tsyringe throws when it is imported before reflect-metadata.
import 'reflect-metadata';
import { type InjectionToken, container as root } from 'tsyringe';

/** A name for a value in the container that carries the value's type. */
export type Token<T> = symbol & { readonly carries?: (value: T) => T };

export function token<T>(name: string): Token<T> {
  return Symbol(name) as Token<T>;
}

/**
 * The dependency-injection container of one host. tsyringe stays inside this file and is used without decorators: its
 * global container leaks between hosts, a second registration silently wins, children capture each other's values, and
 * disposing is unordered. Here a name is taken once, values are complete objects, and nothing is resolved per request.
 */
export class Container {
  readonly #container = root.createChildContainer();

  /** @throws Error when the name is taken */
  register<T>(name: Token<T>, value: T): void {
    if (this.has(name)) throw new Error(`${String(name)} is registered already`);
    this.#container.register(name as InjectionToken<T>, { useValue: value });
  }

  has(name: symbol): boolean {
    return this.#container.isRegistered(name as InjectionToken<unknown>);
  }

  /** @throws Error when nothing has that name */
  get<T>(name: Token<T>): T {
    if (!this.has(name)) throw new Error(`${String(name)} is not registered`);
    return this.#container.resolve(name as InjectionToken<T>);
  }

  /** Forgets everything; what was registered is closed by whoever opened it. */
  clear(): void {
    this.#container.reset();
  }
}
