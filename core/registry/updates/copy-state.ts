import { setImmediate } from 'node:timers/promises';
import type { Json, PluginState, StoredEntry } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import { messageOf } from '../../model/thrown.js';
import type { Store } from '../../store/store.js';
import { pluginNamespace } from '../sessions/plugin-namespace.js';
import { within } from '../sessions/time-limit.js';

/** Number of entries to read at a time. */
const BATCH_SIZE = 100;
/** Maximum number of new entries that `migrate` may return for one entry. */
const MAX_ENTRIES_PER_ENTRY = 1000;

/** A migration of a plugin's entries from one version of its state to another. */
export interface StateCopy {
  readonly plugin: string;
  readonly from: number;
  readonly to: number;
  readonly migrate: NonNullable<PluginState['migrate']>;
}

/**
 * Copies the entries of a plugin in all realms, and passes each to the plugin's `migrate`. The target namespace is
 * cleared first, because an interrupted migration starts again.
 * @param limitMs the time limit for one entry, in milliseconds
 * @param onEntry called before each entry; it throws if another node has restarted the migration
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
    const source = { realm, namespace: pluginNamespace(plugin, from), prefix: '', first: 0, max: BATCH_SIZE };
    for (let after: string | undefined; ; ) {
      const batch = await store.entries.listWhole({ ...source, after, now: clock.now() });
      for (const { key, value, expiresAt } of batch) {
        await onEntry();
        const entry = { key, value: JSON.parse(value) as Json };
        for (const newEntry of await migrateEntry(copy, entry, realm, limitMs)) {
          const valueText = JSON.stringify(newEntry.value);
          const target = { realm, namespace: pluginNamespace(plugin, to), key: newEntry.key };
          await store.entries.put({ ...target, value: valueText, ...(expiresAt === undefined ? {} : { expiresAt }) });
        }
      }
      count += batch.length;
      after = batch.at(-1)?.key;
      if (batch.length < BATCH_SIZE) break;
      await setImmediate();
    }
  }
  return count;
}

/** Deletes the entries of one version of a plugin's state, in all realms. */
export async function clearState(store: Store, plugin: string, version: number): Promise<void> {
  for (const { name: realm } of await store.realms.list()) {
    await store.entries.clear({ realm, namespace: pluginNamespace(plugin, version) });
  }
}

async function migrateEntry(
  { migrate, from }: StateCopy,
  entry: StoredEntry,
  realm: string,
  limitMs: number,
): Promise<readonly StoredEntry[]> {
  const location = `the entry ${JSON.stringify(entry.key.slice(0, 100))} of realm ${realm}`;
  let answer: unknown;
  try {
    answer = await within(limitMs, async () => migrate(entry, { from, realm }));
  } catch (cause) {
    throw new Error(`${location}: ${messageOf(cause)}`, { cause });
  }
  const entries = answer === undefined || answer === null ? [] : Array.isArray(answer) ? answer : [answer];
  if (entries.length <= MAX_ENTRIES_PER_ENTRY && entries.every(isEntry)) return entries;
  throw new Error(`${location}: migrate must answer at most ${MAX_ENTRIES_PER_ENTRY} entries { key, value }`);
}

function isEntry(value: unknown): value is StoredEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { key, value: content } = value as Partial<StoredEntry>;
  if (typeof key !== 'string' || !key.isWellFormed() || key.includes('\0')) return false;
  return JSON.stringify(content) !== undefined;
}
