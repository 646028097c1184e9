import type { Container, Use } from './container.js';
import type { AnyKey, Key, List } from './token.js';

/** A service of the caller's, in place of the one that a module provides under that name. */
export interface Replacement {
  readonly key: AnyKey;
  readonly value: unknown;
}

export function replacing<T>(key: Key<T>, value: T): Replacement {
  return { key, value };
}

/** Something that a room gives to the host. */
type Provision = (container: Container, module: string) => void;

/** A room of the host as the container sees it: services under their names, and what it adds to lists of others. */
export interface Module {
  readonly name: string;
  readonly provides: readonly Provision[];
}

export function module(name: string, provides: readonly Provision[]): Module {
  return { name, provides };
}

/**
 * A service, made by the factory on first use, once for each host.
 * @param close ends what the service opened; called when the host closes, in reverse order of making
 */
export function service<T>(key: Key<T>, make: (use: Use) => T, close?: (value: T) => Promise<void> | void): Provision {
  return (container, module) => container.service(key, { make, close, module });
}

/** More of a list, such as endpoints. Made when the list is first asked for. */
export function adds<T>(list: List<T>, make: (use: Use) => readonly T[]): Provision {
  return (container) => container.add(list, make);
}

/** @throws BootError `service_duplicate` */
export function compose(container: Container, modules: readonly Module[]): void {
  for (const { name, provides } of modules) for (const provide of provides) provide(container, name);
}
