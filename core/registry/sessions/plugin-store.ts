import { HostError, type Json, type PluginStore, type StoredEntry } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { realmTurn } from '../../model/loop-turns.js';
import type { EntryStore } from '../../store/store.js';

/** Default and maximum number of entries that a plugin gets in one call. */
const DEFAULT_LIST_MAX = 100;
const LIST_MAX = 1000;
/**
 * Maximum number of entries to read in one turn of the realm. Otherwise a plugin that iterates over its entries would
 * block other requests.
 */
const READ_AT_ONCE = 100;

/**
 * A plugin's namespace in the store of one realm.
 * @param place returns the namespace, and throws if it may no longer be used
 * @param writing wraps each write
 * @param reads the number of entries that the session has read one by one
 */
export function pluginStore(
  entries: EntryStore,
  clock: Clock,
  place: () => { readonly realm: string; readonly namespace: string },
  writing: <T>(write: () => Promise<T>) => Promise<T>,
  reads: { count: number },
): PluginStore {
  // A key that the store would change is an error in writes, and not found in reads.
  const written = (key: string) => {
    if (!isKey(key)) throw new HostError('invalid_argument', 'store: a key is well-formed text without NUL');
    return { ...place(), key };
  };
  const until = (options: { expiresIn?: number } | undefined) =>
    options?.expiresIn === undefined ? {} : { expiresAt: clock.now() + options.expiresIn * 1000 };
  return {
    get: async (key) => {
      if (!isKey(key)) return undefined;
      reads.count += 1;
      if (reads.count % READ_AT_ONCE === 0) await realmTurn(place().realm);
      const value = await entries.get({ ...place(), key, now: clock.now() });
      return value === undefined ? undefined : (JSON.parse(value) as Json);
    },
    put: async (key, value, options) =>
      writing(() => entries.put({ ...written(key), value: textOf(value), ...until(options) })),
    claim: async (key, { expiresIn }) => {
      const expiresAt = clock.now() + expiresIn * 1000;
      return writing(() => entries.claim({ ...written(key), value: 'true', expiresAt, now: clock.now() }));
    },
    replace: async (key, expected, value, options) =>
      writing(() =>
        entries.replace({
          ...written(key),
          expected: expected === undefined ? undefined : JSON.stringify(expected),
          value: textOf(value),
          ...until(options),
          now: clock.now(),
        }),
      ),
    list: async (prefix, { first = 0, after, max = DEFAULT_LIST_MAX } = {}) => {
      const isCount = Number.isInteger(first) && Number.isInteger(max) && first >= 0 && max >= 1 && max <= LIST_MAX;
      if (!isCount) {
        throw new HostError('invalid_argument', `store.list: first is 0 or more, max from 1 to ${LIST_MAX}`);
      }
      if (after !== undefined && !(typeof after === 'string' && after.startsWith(prefix))) {
        throw new HostError('invalid_argument', 'store.list: after is a key that begins with the prefix');
      }
      if (!isKey(prefix)) return [];
      const found: StoredEntry[] = [];
      for (let page = { first, after }; found.length < max; page = { first: 0, after: found.at(-1)?.key }) {
        await realmTurn(place().realm);
        const most = Math.min(READ_AT_ONCE, max - found.length);
        const part = await entries.list({ ...place(), prefix, ...page, max: most, now: clock.now() });
        for (const { key, value } of part) found.push({ key, value: JSON.parse(value) as Json });
        if (part.length < most) break;
      }
      return found;
    },
    delete: async (key) => {
      if (isKey(key)) await writing(() => entries.delete({ ...place(), key }));
    },
  };
}

/** @throws HostError `invalid_argument` */
function textOf(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text !== undefined) return text;
  throw new HostError('invalid_argument', 'store: a value is JSON: delete removes an entry');
}

/** Database engines replace lone surrogates and NUL by U+FFFD. */
function isKey(key: unknown): key is string {
  return typeof key === 'string' && key.isWellFormed() && !key.includes('\0');
}
