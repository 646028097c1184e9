import { HostError } from '@keyhost/spi';
import { MASTER_REALM } from '../../model/realm.js';
import { codeOf } from '../../model/thrown.js';
import type { Fence } from '../../store/fence.js';
import type { Store } from '../../store/store.js';

/**
 * The namespace of the records about plugins' states. It begins with a slash, which the name of a plugin never does.
 */
export const STATE_NAMESPACE = '/states';

/** Returns the namespace of a plugin's entries in each realm. Each version of its state has a separate one. */
export function pluginNamespace(plugin: string, version = 1): string {
  return version === 1 ? plugin : `${STATE_NAMESPACE}/${version}/${plugin}`;
}

/** Returns the key of the record about a plugin's state, which is the same for all realms. */
export function stateRecordKey(plugin: string) {
  return { realm: MASTER_REALM, namespace: STATE_NAMESPACE, key: plugin } as const;
}

/**
 * Runs a write of a plugin that declares the version of its state, if that version may currently write. The check is
 * part of the write's transaction, so that a migration on another node loses no write.
 * @throws HostError `plugin_state_moved` (503) while the state is migrated, or if another version of it is current
 */
export async function writeInState<T>(
  store: Store,
  { plugin, version, isFenced }: { plugin: string; version: number; isFenced: boolean },
  now: number,
  write: () => Promise<T>,
): Promise<T> {
  const fence: Fence = { ...stateRecordKey(plugin), token: version };
  const movedError = (cause?: unknown) => {
    const message = `the state of ${plugin} is no longer of version ${version}: another version of the plugin has it`;
    return new HostError('plugin_state_moved', message, { status: 503, expose: false, cause });
  };
  if (isFenced) {
    // Scheduled work has a fence of its own, which the transaction checks instead. So check the version before the
    // write.
    const record = await store.entries.get({ ...stateRecordKey(plugin), now });
    if (record === undefined || (JSON.parse(record) as { token: number }).token !== version) throw movedError();
    return write();
  }
  try {
    return await store.fenced(fence, write);
  } catch (error) {
    throw codeOf(error) === 'schedule_lost' ? movedError(error) : error;
  }
}
