import crypto from 'node:crypto';
import { BootError } from '../../config/boot-error.js';

// The checks use functions that were taken before any plugin ran, since a plugin may change the ones of the globals.
const { getOwnPropertyDescriptor, getPrototypeOf, is, setPrototypeOf } = Object;
const { defineProperty, deleteProperty, ownKeys, setPrototypeOf: trySetPrototypeOf } = Reflect;
const describeSymbol = Function.prototype.call.bind(Symbol.prototype.toString) as (symbol: symbol) => string;

/** An object of the process as it was when this module was loaded, which is before any plugin. */
interface Watched {
  readonly name: string;
  readonly object: object;
  readonly prototype: object | null;
  readonly keys: readonly PropertyKey[];
  /** Of the keys, in their order; without a prototype, so that none of their members comes from somewhere else. */
  readonly members: readonly PropertyDescriptor[];
  /** True where a new member does no harm, such as one of a constructor. */
  readonly mayGrow: boolean;
}

/** Globals that security rests on, whether they are called or made. */
const GLOBALS = [
  ...['Array', 'ArrayBuffer', 'BigInt', 'Boolean', 'Buffer', 'DataView', 'Date', 'Error', 'Function', 'JSON', 'Map'],
  ...['Math', 'Number', 'Object', 'Promise', 'Proxy', 'Reflect', 'RegExp', 'Set', 'String', 'Symbol', 'Uint8Array'],
  ...['TextDecoder', 'TextEncoder', 'URL', 'URLSearchParams', 'WeakMap', 'WeakSet', 'TypeError'],
  ...['decodeURIComponent', 'encodeURIComponent', 'fetch', 'isNaN', 'parseInt', 'structuredClone', 'queueMicrotask'],
  ...['setImmediate', 'setInterval', 'setTimeout', 'clearInterval', 'clearTimeout'],
];
/** Settings that are there to be set. */
const SETTINGS: ReadonlySet<PropertyKey> = new Set(['poolSize', 'stackTraceLimit', 'prepareStackTrace']);

const WATCHED: readonly Watched[] = watchAll();
/** Changes that a report tells. */
const TOLD = 5;

/**
 * Compares what security rests on (node:crypto, JSON, prototypes, fetch, Buffer, URL …) with what it was before any plugin was
 * loaded. What was changed is put back, as far as that goes, so that the report is made of sound parts, and so that a host
 * which serves on after a refused reload does.
 * @param plugin the one whose code ran
 * @throws BootError `plugin_tampering` naming the plugin and what it changed
 */
export function requireIntact(plugin: string): void {
  const found = putBackChanges();
  if (found.length === 0) return;
  throw new BootError('plugin_tampering', `${plugin} changed built-ins of the process: ${toldChanges(found)}`, {
    plugin,
    hint: 'remove the change from the plugin, or set "isolation": "worker" to give it separate built-ins',
  });
}

/** As `requireIntact`. @returns what was changed, and is as it was now */
export function putBackChanges(): string[] {
  const found: string[] = [];
  // Without iterators: they may be what was changed.
  for (let index = 0; index < WATCHED.length; index += 1) putBack(WATCHED[index] as Watched, found);
  if (found.length === 0) return found;
  // Once more, for a new member that came in place of one that went.
  for (let index = 0; index < WATCHED.length; index += 1) putBack(WATCHED[index] as Watched, []);
  return found;
}

export function toldChanges(found: readonly string[]): string {
  const more = found.length > TOLD ? `, and ${found.length - TOLD} more` : '';
  return `${found.slice(0, TOLD).join(', ')}${more}`;
}

let loading = 0;
let tellEarlier: ((found: readonly string[]) => void) | undefined;

/** True while code of a plugin is imported or opened: what it changes is for `requireIntact` to find. */
export function isLoadingPlugins(): boolean {
  return loading > 0;
}

/** Who is told of what was changed before a plugin is loaded: by one that serves, not by that one. */
export function onEarlierChanges(tell: typeof tellEarlier): void {
  tellEarlier = tell;
}

/** Code of a plugin is loaded from now on. @returns what ends that */
export function loadingBegins(): () => void {
  if (loading === 0 && tellEarlier !== undefined) tellEarlier(putBackChanges());
  loading += 1;
  return () => {
    loading -= 1;
  };
}

function putBack({ name, object, prototype, keys, members, mayGrow }: Watched, found: string[]): void {
  const tell = (what: string) => {
    found[found.length] = what;
  };
  // First what is new: a member of Object.prototype is a member of every descriptor below.
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
    // `keys` lacks some on purpose: where an object may grow, nobody looks for new ones.
    all.set(object, { name, object, prototype: getPrototypeOf(object), keys, members, mayGrow });
  };
  watch('Object.prototype', Object.prototype, false);
  // Some are made when they are first asked for, and are members of another kind from then on.
  const values = GLOBALS.map((name) => [name, (globalThis as unknown as Record<string, unknown>)[name]] as const);
  watch('globalThis', globalThis, true, GLOBALS);
  for (const [name, value] of values) {
    if (typeof value !== 'function' && typeof value !== 'object') continue;
    watch(name, value as object, true);
    const { prototype } = value as { prototype?: object };
    if (prototype !== undefined && prototype !== null) watch(`${name}.prototype`, prototype, false);
  }
  for (const [name, object] of Object.entries(hidden())) watch(name, object, false);
  watch('crypto', crypto, true);
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(crypto))) {
    const prototype = typeof value === 'function' ? (value as { prototype?: object }).prototype : undefined;
    if (prototype !== undefined) watch(`crypto.${name}.prototype`, prototype, false);
  }
  return [...all.values()];
}

/** Prototypes that no global names. */
function hidden(): Record<string, object> {
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
