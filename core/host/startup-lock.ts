import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../model/clock.js';
import { MASTER_REALM } from '../model/realm.js';
import type { Store } from '../store/store.js';

const LOCK_KEY = { realm: MASTER_REALM, namespace: '/starts', key: 'master' };
/**
 * The lifetime of the lock, in milliseconds; longer than the work takes. If the holder dies, others wait until the lock
 * expires.
 */
const LOCK_LIFETIME_MS = 20_000;
const POLL_INTERVAL_MS = 50;

/**
 * Runs work that only one node should do at a time while it starts, such as creating the realm `master` and its admin.
 * A host that does not share its store needs no lock.
 */
export async function withStartupLock<T>(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  work: () => Promise<T>,
): Promise<T> {
  if (!store.isShared) return work();
  const value = JSON.stringify(randomUUID());
  const isObtained = (now: number) =>
    store.entries.claim({ ...LOCK_KEY, value, expiresAt: now + LOCK_LIFETIME_MS, now });
  while (!(await isObtained(clock.now()))) await sleep(POLL_INTERVAL_MS);
  try {
    return await work();
  } finally {
    const now = clock.now();
    // If this lock has expired meanwhile, another node may hold its own, which must stay.
    await store.entries.replace({ ...LOCK_KEY, expected: value, value, expiresAt: now, now });
  }
}
