import type { Container, Use } from './container.js';
import type { AnyKey, Key, List } from './token.js';

/** A value that replaces the service that a module provides under this key. */
export interface Replacement {
  readonly key: AnyKey;
  readonly value: unknown;
}

export function replacing<T>(key: Key<T>, value: T): Replacement {
  return { key, value };
}

/** A function by which a module adds a registration to the container. */
type Provision = (container: Container, module: string) => void;

/** A module of the host: its services under their keys, and the items that it adds to lists. */
export interface Module {
  readonly name: string;
  readonly provides: readonly Provision[];
}

export function module(name: string, provides: readonly Provision[]): Module {
  return { name, provides };
}

/**
 * Registers a service. The factory creates it on first use, once per host.
 * @param close releases the service's resources; called when the host closes, in reverse order of creation
 */
export function service<T>(
  key: Key<T>,
  create: (use: Use) => T,
  close?: (value: T) => Promise<void> | void,
): Provision {
  return (container, module) => container.service(key, { create: create, close, module });
}

/** Adds items to a list, such as endpoints. They are created when the list is first read. */
export function adds<T>(list: List<T>, create: (use: Use) => readonly T[]): Provision {
  return (container) => container.add(list, create);
}

/**
 * Adds the services and list items of all modules to the container.
 * @throws BootError `service_duplicate`
 */
export function compose(container: Container, modules: readonly Module[]): void {
  for (const { name, provides } of modules) for (const provide of provides) provide(container, name);
}
