import crypto from 'node:crypto';
import { BootError } from '../../config/boot-error.js';

// The checks use functions that were saved before any plugin ran, because a plugin may replace the global ones.
const { getOwnPropertyDescriptor, getPrototypeOf, is, setPrototypeOf } = Object;
const { defineProperty, deleteProperty, ownKeys, setPrototypeOf: trySetPrototypeOf } = Reflect;
const describeSymbol = Function.prototype.call.bind(Symbol.prototype.toString) as (symbol: symbol) => string;

/** A built-in object as it was when this module was loaded, before any plugin. */
interface Watched {
  readonly name: string;
  readonly object: object;
  readonly prototype: object | null;
  readonly keys: readonly PropertyKey[];
  /** The descriptors of the keys, in their order. They have no prototype, so that no member is inherited. */
  readonly members: readonly PropertyDescriptor[];
  /** True if new members are harmless, such as those of a constructor. */
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
/** Members that are meant to be assigned. */
const SETTINGS: ReadonlySet<PropertyKey> = new Set(['poolSize', 'stackTraceLimit', 'prepareStackTrace']);

const WATCHED: readonly Watched[] = watchAll();
/** Maximum number of changes in a report. */
const MAX_REPORTED = 5;

/**
 * Compares the objects that security depends on (node:crypto, JSON, prototypes, fetch, Buffer, URL …) with their state
 * before any plugin was loaded. Changes are undone if possible: the report must not use changed functions, and the host
 * may continue to serve after a refused reload.
 * @param plugin the plugin whose code ran
 * @throws BootError `plugin_tampering` with the plugin's name and its changes
 */
export function requireIntact(plugin: string): void {
  const found = undoChanges();
  if (found.length === 0) return;
  throw new BootError('plugin_tampering', `${plugin} changed built-ins of the process: ${describeChanges(found)}`, {
    plugin,
    hint: 'remove the change from the plugin, or set "isolation": "worker" to give it separate built-ins',
  });
}

/** As `requireIntact`. @returns the changes, which were undone */
export function undoChanges(): string[] {
  const found: string[] = [];
  // Without iterators, because they may have been changed.
  for (let index = 0; index < WATCHED.length; index += 1) undoChangesOf(WATCHED[index] as Watched, found);
  if (found.length === 0) return found;
  // A second pass, for a new member that replaced a deleted one.
  for (let index = 0; index < WATCHED.length; index += 1) undoChangesOf(WATCHED[index] as Watched, []);
  return found;
}

export function describeChanges(found: readonly string[]): string {
  const more = found.length > MAX_REPORTED ? `, and ${found.length - MAX_REPORTED} more` : '';
  return `${found.slice(0, MAX_REPORTED).join(', ')}${more}`;
}

let loading = 0;
let tellEarlier: ((found: readonly string[]) => void) | undefined;

/** True while code of a plugin is imported or opened: then `requireIntact` finds its changes. */
export function isLoadingPlugins(): boolean {
  return loading > 0;
}

/**
 * Sets the callback for changes found before a plugin is loaded: a running plugin made them, not the one being loaded.
 */
export function onEarlierChanges(tell: typeof tellEarlier): void {
  tellEarlier = tell;
}

/** Marks the start of loading a plugin's code. @returns a function that marks its end */
export function beginLoading(): () => void {
  if (loading === 0 && tellEarlier !== undefined) tellEarlier(undoChanges());
  loading += 1;
  return () => {
    loading -= 1;
  };
}

function undoChangesOf({ name, object, prototype, keys, members, mayGrow }: Watched, found: string[]): void {
  const tell = (what: string) => {
    found[found.length] = what;
  };
  // New members first: a member of Object.prototype is a member of every descriptor below.
  if (!mayGrow) {
    const now = ownKeys(object);
    for (let index = 0; now.length !== keys.length && index < now.length; index += 1) {
      const key = now[index] as PropertyKey;
      if (holds(keys, key)) continue;
      deleteProperty(object, key);
      tell(`${pathOf(name, key)} is new`);
    }
  }
  if (getPrototypeOf(object) !== prototype) {
    trySetPrototypeOf(object, prototype);
    tell(`${name} has another prototype`);
  }
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] as PropertyKey;
    const was = members[index] as PropertyDescriptor;
    const now = getOwnPropertyDescriptor(object, key);
    if (now !== undefined && is(now.value, was.value) && now.get === was.get && now.set === was.set) continue;
    defineProperty(object, key, was);
    tell(`${pathOf(name, key)} is ${now === undefined ? 'gone' : 'another one'}`);
  }
}

function holds(keys: readonly PropertyKey[], wanted: PropertyKey): boolean {
  for (let index = 0; index < keys.length; index += 1) if (keys[index] === wanted) return true;
  return false;
}

function pathOf(name: string, key: PropertyKey): string {
  return typeof key === 'symbol' ? `${name}[${describeSymbol(key)}]` : `${name}.${key.toString()}`;
}

function watchAll(): Watched[] {
  const all = new Map<object, Watched>();
  const watch = (name: string, object: object, mayGrow: boolean, names?: readonly string[]) => {
    if (all.has(object)) return;
    const keys = (names ?? ownKeys(object)).filter((key) => !SETTINGS.has(key));
    const members = keys.map((key) => setPrototypeOf(getOwnPropertyDescriptor(object, key) ?? {}, null));
    // The keys may be incomplete: if an object may grow, new members are not checked.
    all.set(object, { name, object, prototype: getPrototypeOf(object), keys, members, mayGrow });
  };
  watch('Object.prototype', Object.prototype, false);
  // Some are created on first access, and become a different kind of member then.
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
  return [...all.values()];
}

/** Prototypes that no global refers to. */
function unnamedPrototypes(): Record<string, object> {
  const of = (value: object) => getPrototypeOf(value) as object;
  return {
    'TypedArray.prototype': of(Uint8Array.prototype),
    'Iterator.prototype': of(of([][Symbol.iterator]())),
    'ArrayIterator.prototype': of([][Symbol.iterator]()),
    'MapIterator.prototype': of(new Map()[Symbol.iterator]()),
    'SetIterator.prototype': of(new Set()[Symbol.iterator]()),
    'StringIterator.prototype': of(''[Symbol.iterator]()),
    'RegExpStringIterator.prototype': of(''.matchAll(/x/g)),
    'AsyncFunction.prototype': of(async () => {}),
  };
}
