import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../model/clock.js';
import { MASTER_REALM } from '../model/realm.js';
import type { Store } from '../store/store.js';

const LOCK_KEY = { realm: MASTER_REALM, namespace: '/starts', key: 'master' };
/**
 * The lifetime of the lock and the maximum time to wait for it, in milliseconds; longer than the work takes. If the
 * holder dies, others wait for this time.
 */
const LOCK_TIMEOUT_MS = 20_000;
const POLL_INTERVAL_MS = 50;

/**
 * Runs work that only one node should do at a time while it starts, such as creating the realm `master` and its admin.
 * If the lock cannot be obtained within the timeout, the work runs without it. A host that does not share its store
 * needs no lock.
 */
export async function withStartupLock<T>(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  work: () => Promise<T>,
): Promise<T> {
  if (!store.isShared) return work();
  let isLocked = false;
  for (
    const deadline = performance.now() + LOCK_TIMEOUT_MS;
    performance.now() < deadline;
    await sleep(POLL_INTERVAL_MS)
  ) {
    const now = clock.now();
    isLocked = await store.entries.claim({ ...LOCK_KEY, value: 'true', expiresAt: now + LOCK_TIMEOUT_MS, now });
    if (isLocked) break;
  }
  try {
    return await work();
  } finally {
    if (isLocked) await store.entries.delete(LOCK_KEY);
  }
}
