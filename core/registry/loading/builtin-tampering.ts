import crypto from 'node:crypto';
import { BootError } from '../../config/boot-error.js';

// The checks use functions that were saved before any plugin ran, because a plugin may replace the global ones.
const { getOwnPropertyDescriptor, getPrototypeOf, is, setPrototypeOf } = Object;
const { defineProperty, deleteProperty, ownKeys, setPrototypeOf: trySetPrototypeOf } = Reflect;
const describeSymbol = Function.prototype.call.bind(Symbol.prototype.toString) as (symbol: symbol) => string;

/** A built-in object as it was when this module was loaded, before any plugin. */
interface WatchedObject {
  readonly name: string;
  readonly object: object;
  readonly prototype: object | null;
  readonly keys: readonly PropertyKey[];
  /** The descriptors of the keys, in the same order. They have no prototype, so that they inherit no members. */
  readonly members: readonly PropertyDescriptor[];
  /** True if new members are harmless, as on a constructor. */
  readonly mayGrow: boolean;
}

/** Globals that security depends on, as functions or as constructors. */
const GLOBALS = [
  'Array',
  'ArrayBuffer',
  'BigInt',
  'Boolean',
  'Buffer',
  'DataView',
  'Date',
  'Error',
  'Function',
  'JSON',
  'Map',
  'Math',
  'Number',
  'Object',
  'Promise',
  'Proxy',
  'Reflect',
  'RegExp',
  'Set',
  'String',
  'Symbol',
  'Uint8Array',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
  'WeakMap',
  'WeakSet',
  'TypeError',
  'decodeURIComponent',
  'encodeURIComponent',
  'fetch',
  'isNaN',
  'parseInt',
  'structuredClone',
  'queueMicrotask',
  'setImmediate',
  'setInterval',
  'setTimeout',
  'clearInterval',
  'clearTimeout',
];
/** Members that code may legitimately assign. */
const ASSIGNABLE_MEMBERS: ReadonlySet<PropertyKey> = new Set(['poolSize', 'stackTraceLimit', 'prepareStackTrace']);

const WATCHED_OBJECTS: readonly WatchedObject[] = collectWatchedObjects();
/** Maximum number of changes to list in a report. */
const MAX_REPORTED = 5;

/**
 * Compares the objects that security depends on (node:crypto, JSON, prototypes, fetch, Buffer, URL …) with their state
 * before any plugin was loaded. It undoes changes if possible, because the report itself must not use changed
 * functions, and the host may continue to run after a rejected reload.
 * @param plugin the plugin whose code ran
 * @throws BootError `plugin_tampering` with the plugin's name and its changes
 */
export function requireIntactBuiltIns(plugin: string): void {
  const changes = undoChanges();
  if (changes.length === 0) return;
  throw new BootError('plugin_tampering', `${plugin} changed built-ins of the process: ${describeChanges(changes)}`, {
    plugin,
    hint: 'remove the change from the plugin, or set "isolation": "worker" to give it separate built-ins',
  });
}

/**
 * Compares the same objects as `requireIntactBuiltIns`, and undoes the changes.
 * @returns a description of each change
 */
export function undoChanges(): string[] {
  const changes: string[] = [];
  // Without iterators, because they may have been changed.
  for (let index = 0; index < WATCHED_OBJECTS.length; index += 1)
    undoChangesOf(WATCHED_OBJECTS[index] as WatchedObject, changes);
  if (changes.length === 0) return changes;
  // Pass again, because a deleted member may have hidden another change.
  for (let index = 0; index < WATCHED_OBJECTS.length; index += 1)
    undoChangesOf(WATCHED_OBJECTS[index] as WatchedObject, []);
  return changes;
}

export function describeChanges(changes: readonly string[]): string {
  const suffix = changes.length > MAX_REPORTED ? `, and ${changes.length - MAX_REPORTED} more` : '';
  return `${changes.slice(0, MAX_REPORTED).join(', ')}${suffix}`;
}

let activeLoads = 0;
let hasLoaded = false;
let reportEarlierChanges: ((changes: readonly string[]) => void) | undefined;

/** True while the code of a plugin is imported or opened. `requireIntactBuiltIns` then finds its changes. */
export function isLoadingPlugins(): boolean {
  return activeLoads > 0;
}

/** True once the code of a plugin has run in this thread. Timers of a plugin may outlive it. */
export function hasLoadedPlugins(): boolean {
  return hasLoaded;
}

/**
 * Sets the callback for changes that are found before a plugin is loaded. A running plugin made them, not the one being
 * loaded.
 */
export function onEarlierChanges(report: typeof reportEarlierChanges): void {
  reportEarlierChanges = report;
}

/**
 * Marks the beginning of loading a plugin's code.
 * @returns a function that marks the end
 */
export function beginLoading(): () => void {
  if (activeLoads === 0 && reportEarlierChanges !== undefined) reportEarlierChanges(undoChanges());
  activeLoads += 1;
  hasLoaded = true;
  return () => {
    activeLoads -= 1;
  };
}

function undoChangesOf({ name, object, prototype, keys, members, mayGrow }: WatchedObject, changes: string[]): void {
  const report = (change: string) => {
    changes[changes.length] = change;
  };
  // Delete new members first: a new member of Object.prototype would appear in every descriptor below.
  if (!mayGrow) {
    const currentKeys = ownKeys(object);
    for (let index = 0; currentKeys.length !== keys.length && index < currentKeys.length; index += 1) {
      const key = currentKeys[index] as PropertyKey;
      if (includesKey(keys, key)) continue;
      deleteProperty(object, key);
      report(`${pathOf(name, key)} is new`);
    }
  }
  if (getPrototypeOf(object) !== prototype) {
    trySetPrototypeOf(object, prototype);
    report(`${name} has another prototype`);
  }
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] as PropertyKey;
    const originalDescriptor = members[index] as PropertyDescriptor;
    const currentDescriptor = getOwnPropertyDescriptor(object, key);
    if (
      currentDescriptor !== undefined &&
      is(currentDescriptor.value, originalDescriptor.value) &&
      currentDescriptor.get === originalDescriptor.get &&
      currentDescriptor.set === originalDescriptor.set
    )
      continue;
    defineProperty(object, key, originalDescriptor);
    report(`${pathOf(name, key)} is ${currentDescriptor === undefined ? 'gone' : 'another one'}`);
  }
}

function includesKey(keys: readonly PropertyKey[], key: PropertyKey): boolean {
  for (let index = 0; index < keys.length; index += 1) if (keys[index] === key) return true;
  return false;
}

function pathOf(name: string, key: PropertyKey): string {
  return typeof key === 'symbol' ? `${name}[${describeSymbol(key)}]` : `${name}.${key.toString()}`;
}

function collectWatchedObjects(): WatchedObject[] {
  const watchedObjects = new Map<object, WatchedObject>();
  const watch = (name: string, object: object, mayGrow: boolean, names?: readonly string[]) => {
    if (watchedObjects.has(object)) return;
    const keys = (names ?? ownKeys(object)).filter((key) => !ASSIGNABLE_MEMBERS.has(key));
    const members = keys.map((key) => setPrototypeOf(getOwnPropertyDescriptor(object, key) ?? {}, null));
    // The list of keys may be incomplete, so new members are not checked on an object that may grow.
    watchedObjects.set(object, { name, object, prototype: getPrototypeOf(object), keys, members, mayGrow });
  };
  watch('Object.prototype', Object.prototype, false);
  // Reads the values first: some globals are getters that become data properties on first access.
  const values = GLOBALS.map((name) => [name, (globalThis as unknown as Record<string, unknown>)[name]] as const);
  watch('globalThis', globalThis, true, GLOBALS);
  for (const [name, value] of values) {
    if (typeof value !== 'function' && typeof value !== 'object') continue;
    watch(name, value as object, true);
    const { prototype } = value as { prototype?: object };
    if (prototype !== undefined && prototype !== null) watch(`${name}.prototype`, prototype, false);
  }
  for (const [name, object] of Object.entries(unnamedPrototypes())) watch(name, object, false);
  watch('crypto', crypto, true);
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(crypto))) {
    const prototype = typeof value === 'function' ? (value as { prototype?: object }).prototype : undefined;
    if (prototype !== undefined) watch(`crypto.${name}.prototype`, prototype, false);
  }
  return [...watchedObjects.values()];
}

/** Prototypes that no global refers to. */
function unnamedPrototypes(): Record<string, object> {
  const prototypeOf = (value: object) => getPrototypeOf(value) as object;
  return {
    'TypedArray.prototype': prototypeOf(Uint8Array.prototype),
    'Iterator.prototype': prototypeOf(prototypeOf([][Symbol.iterator]())),
    'ArrayIterator.prototype': prototypeOf([][Symbol.iterator]()),
    'MapIterator.prototype': prototypeOf(new Map()[Symbol.iterator]()),
    'SetIterator.prototype': prototypeOf(new Set()[Symbol.iterator]()),
    'StringIterator.prototype': prototypeOf(''[Symbol.iterator]()),
    'RegExpStringIterator.prototype': prototypeOf(''.matchAll(/x/g)),
    'AsyncFunction.prototype': prototypeOf(async () => {}),
  };
}
