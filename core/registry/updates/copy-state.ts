import { setImmediate } from 'node:timers/promises';
import type { Json, PluginState, StoredEntry } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { messageOf } from '../../model/thrown.js';
import type { Store } from '../../store/store.js';
import { pluginNamespace } from '../sessions/plugin-namespace.js';
import { within } from '../sessions/time-limit.js';

/** Number of entries to read at a time. */
const READ_AT_ONCE = 100;
/** Maximum number of entries that may replace one. */
const MOST_FOR_ONE = 1000;

/** A migration of the entries of a plugin's state between two versions. */
export interface StateCopy {
  readonly plugin: string;
  readonly from: number;
  readonly to: number;
  readonly migrate: NonNullable<PluginState['migrate']>;
}

/**
 * Copies the entries of a plugin in all realms, each as the plugin migrates it. The target namespace is cleared first,
 * because an interrupted migration starts again.
 * @param limitMs the time limit for one entry
 * @param onEntry called before each entry: throws if another node has restarted the migration
 * @returns the number of entries that were read
 * @throws Error with the realm and the key
 */
export async function copyState(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  copy: StateCopy,
  limitMs: number,
  onEntry: () => Promise<void>,
): Promise<number> {
  const { plugin, from, to } = copy;
  await clearState(store, plugin, to);
  let count = 0;
  for (const { name: realm } of await store.realms.list()) {
    const source = { realm, namespace: pluginNamespace(plugin, from), prefix: '', first: 0, max: READ_AT_ONCE };
    for (let after: string | undefined; ; ) {
      const part = await store.entries.listWhole({ ...source, after, now: clock.now() });
      for (const { key, value, expiresAt } of part) {
        await onEntry();
        const entry = { key, value: JSON.parse(value) as Json };
        for (const one of await migrated(copy, entry, realm, limitMs)) {
          const text = JSON.stringify(one.value);
          const place = { realm, namespace: pluginNamespace(plugin, to), key: one.key };
          await store.entries.put({ ...place, value: text, ...(expiresAt === undefined ? {} : { expiresAt }) });
        }
      }
      count += part.length;
      after = part.at(-1)?.key;
      if (part.length < READ_AT_ONCE) break;
      await setImmediate();
    }
  }
  return count;
}

/** Removes the entries of one version of a plugin's state, in all realms. */
export async function clearState(store: Store, plugin: string, version: number): Promise<void> {
  for (const { name: realm } of await store.realms.list()) {
    await store.entries.clear({ realm, namespace: pluginNamespace(plugin, version) });
  }
}

async function migrated(
  { migrate, from }: StateCopy,
  entry: StoredEntry,
  realm: string,
  limitMs: number,
): Promise<readonly StoredEntry[]> {
  const where = `the entry ${JSON.stringify(entry.key.slice(0, 100))} of realm ${realm}`;
  let answer: unknown;
  try {
    answer = await within(limitMs, async () => migrate(entry, { from, realm }));
  } catch (cause) {
    throw new Error(`${where}: ${messageOf(cause)}`, { cause });
  }
  const all = answer === undefined || answer === null ? [] : Array.isArray(answer) ? answer : [answer];
  if (all.length <= MOST_FOR_ONE && all.every(isEntry)) return all;
  throw new Error(`${where}: migrate must answer at most ${MOST_FOR_ONE} entries { key, value }`);
}

function isEntry(value: unknown): value is StoredEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { key, value: content } = value as Partial<StoredEntry>;
  if (typeof key !== 'string' || !key.isWellFormed() || key.includes('\0')) return false;
  return JSON.stringify(content) !== undefined;
}
