import { HostError } from '@keyhost/spi';
import { MASTER_REALM } from '../../model/realm.js';
import { codeOf } from '../../model/thrown.js';
import type { Fence } from '../../store/fence.js';
import type { Store } from '../../store/store.js';

/** The namespace of the records of states; no plugin's name has a slash in front. */
export const STATES = '/states';

/** Where the entries of a plugin are, in each realm. Each version of its state has a place of its own. */
export function namespaceOf(plugin: string, version = 1): string {
  return version === 1 ? plugin : `${STATES}/${version}/${plugin}`;
}

/** Where the record of a plugin's state is, for all realms. */
export function recordPlace(plugin: string) {
  return { realm: MASTER_REALM, namespace: STATES, key: plugin } as const;
}

/**
 * Makes a write of a plugin that declares the version of its state, only while this version is the one that may write. The check is
 * in the transaction of the write, so no node loses a write to a migration on another one.
 * @throws HostError `plugin_state_moved` (503) while the state is migrated, or if another version of the plugin has it
 */
export async function writeInState<T>(
  store: Store,
  { plugin, version, isFenced }: { plugin: string; version: number; isFenced: boolean },
  now: number,
  write: () => Promise<T>,
): Promise<T> {
  const fence: Fence = { ...recordPlace(plugin), token: version };
  const moved = (cause?: unknown) => {
    const message = `the state of ${plugin} is no longer of version ${version}: another version of the plugin has it`;
    return new HostError('plugin_state_moved', message, { status: 503, expose: false, cause });
  };
  if (isFenced) {
    // Scheduled work has a fence of its own, which its writes are checked by.
    const record = await store.entries.get({ ...recordPlace(plugin), now });
    if (record === undefined || (JSON.parse(record) as { token: number }).token !== version) throw moved();
    return write();
  }
  try {
    return await store.fenced(fence, write);
  } catch (error) {
    throw codeOf(error) === 'schedule_lost' ? moved(error) : error;
  }
}
