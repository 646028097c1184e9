import { HostError, type Json, type PluginStore, type StoredEntry } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { waitForRealmTurn } from '../../model/loop-turns.js';
import type { EntryStore } from '../../store/store.js';

/** Default and maximum number of entries that a call returns. */
const DEFAULT_LIST_SIZE = 100;
const MAX_LIST_SIZE = 1000;
/**
 * Maximum number of entries to read before other work of the realm gets its turn. Otherwise a plugin that iterates over
 * its entries would block other requests.
 */
const READ_BATCH_SIZE = 100;

/**
 * Creates the store of a plugin in one realm.
 * @param requireNamespace returns the realm and the namespace; throws if the session has ended
 * @param runWrite wraps each write
 * @param readCount the number of entries that the session has read one by one
 */
export function pluginStore(
  entries: EntryStore,
  clock: Clock,
  requireNamespace: () => { readonly realm: string; readonly namespace: string },
  runWrite: <T>(write: () => Promise<T>) => Promise<T>,
  readCount: { count: number },
): PluginStore {
  // A key that the database would change is rejected in writes, and not found in reads.
  const writableKey = (key: string) => {
    if (!isKey(key)) throw new HostError('invalid_argument', 'store: a key is well-formed text without NUL');
    return { ...requireNamespace(), key };
  };
  const expiryOf = (options: { expiresIn?: number } | undefined) =>
    options?.expiresIn === undefined ? {} : { expiresAt: clock.now() + options.expiresIn * 1000 };
  return {
    get: async (key) => {
      if (!isKey(key)) return undefined;
      readCount.count += 1;
      if (readCount.count % READ_BATCH_SIZE === 0) await waitForRealmTurn(requireNamespace().realm);
      const value = await entries.get({ ...requireNamespace(), key, now: clock.now() });
      return value === undefined ? undefined : (JSON.parse(value) as Json);
    },
    put: async (key, value, options) =>
      runWrite(() => entries.put({ ...writableKey(key), value: toJson(value), ...expiryOf(options) })),
    claim: async (key, { expiresIn }) => {
      const expiresAt = clock.now() + expiresIn * 1000;
      return runWrite(() => entries.claim({ ...writableKey(key), value: 'true', expiresAt, now: clock.now() }));
    },
    replace: async (key, expected, value, options) =>
      runWrite(() =>
        entries.replace({
          ...writableKey(key),
          expected: expected === undefined ? undefined : JSON.stringify(expected),
          value: toJson(value),
          ...expiryOf(options),
          now: clock.now(),
        }),
      ),
    list: async (prefix, { first = 0, after, max = DEFAULT_LIST_SIZE } = {}) => {
      const isValidRange =
        Number.isInteger(first) && Number.isInteger(max) && first >= 0 && max >= 1 && max <= MAX_LIST_SIZE;
      if (!isValidRange) {
        throw new HostError('invalid_argument', `store.list: first is 0 or more, max from 1 to ${MAX_LIST_SIZE}`);
      }
      if (after !== undefined && !(typeof after === 'string' && after.startsWith(prefix))) {
        throw new HostError('invalid_argument', 'store.list: after is a key that begins with the prefix');
      }
      if (!isKey(prefix)) return [];
      const results: StoredEntry[] = [];
      for (let page = { first, after }; results.length < max; page = { first: 0, after: results.at(-1)?.key }) {
        await waitForRealmTurn(requireNamespace().realm);
        const batchSize = Math.min(READ_BATCH_SIZE, max - results.length);
        const batch = await entries.list({ ...requireNamespace(), prefix, ...page, max: batchSize, now: clock.now() });
        for (const { key, value } of batch) results.push({ key, value: JSON.parse(value) as Json });
        if (batch.length < batchSize) break;
      }
      return results;
    },
    delete: async (key) => {
      if (isKey(key)) await runWrite(() => entries.delete({ ...requireNamespace(), key }));
    },
  };
}

/**
 * Serialises a value.
 * @throws HostError `invalid_argument` for undefined
 */
function toJson(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text !== undefined) return text;
  throw new HostError('invalid_argument', 'store: a value is JSON: delete removes an entry');
}

/** True if a key is stored unchanged. Databases replace lone surrogates and NUL by U+FFFD. */
function isKey(key: unknown): key is string {
  return typeof key === 'string' && key.isWellFormed() && !key.includes('\0');
}
