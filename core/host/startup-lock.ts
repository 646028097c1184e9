import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../model/clock.js';
import { MASTER_REALM } from '../model/realm.js';
import type { Store } from '../store/store.js';

const KEY = { realm: MASTER_REALM, namespace: '/starts', key: 'master' };
/** Lock timeout in milliseconds: longer than any start needs. If the holder dies, others wait this long. */
const LIMIT_MS = 20_000;
const LOOK_EVERY_MS = 50;

/**
 * Runs work that only one node may do at a time during a start, such as creating the realm `master` and its admin. A
 * host that does not share its store needs no lock.
 */
export async function withStartupLock<T>(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  work: () => Promise<T>,
): Promise<T> {
  if (!store.isShared) return work();
  let isMine = false;
  for (const until = performance.now() + LIMIT_MS; performance.now() < until; await sleep(LOOK_EVERY_MS)) {
    const now = clock.now();
    isMine = await store.entries.claim({ ...KEY, value: 'true', expiresAt: now + LIMIT_MS, now });
    if (isMine) break;
  }
  try {
    return await work();
  } finally {
    if (isMine) await store.entries.delete(KEY);
  }
}
