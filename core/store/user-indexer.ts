import type { Logger } from '@keyhost/spi';
import type { Clock } from '../model/clock.js';
import type { Store } from './store.js';
import { startUpkeep } from './upkeep.js';

/** The pause before checking again whether another node has finished, and after a failure, in milliseconds. */
const RETRY_MS = 60_000;
/** Maximum duration of one node's work, in milliseconds. After that, another node may continue it. */
const LEASE_MS = 300_000;
const LEASE = { realm: '', kind: 'lease', keyHash: 'user-index' };

/**
 * Builds the index for user searches if it is missing, as after an upgrade, while the host serves requests. Until it is
 * complete, searches are slow.
 * @returns a function that stops it
 */
export function startUserIndexer(store: Store, clock: Clock, logger: Logger): () => Promise<void> {
  return startUpkeep(async (wait, signal) => {
    let pause = 0;
    do {
      const now = clock.now();
      try {
        if (!store.isShared || (await store.marks.claim({ ...LEASE, expiresAt: now + LEASE_MS, now }))) {
          const start = performance.now();
          if (await store.indexUsers(signal)) return;
          pause = store.isShared ? RETRY_MS : performance.now() - start;
        } else pause = RETRY_MS;
      } catch (error) {
        if (signal.aborted) return;
        logger.error('the index for user searches failed', { reason: String(error) });
        pause = RETRY_MS;
      }
    } while (await wait(pause));
  });
}
