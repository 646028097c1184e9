import type { Logger } from '@keyhost/spi';
import type { Clock } from '../model/clock.js';
import { MOST_SWEPT, SWEPT_AT_ONCE } from './records/sweep.js';
import type { Store, SweepPlace } from './store.js';
import { type Rest, startUpkeep } from './upkeep.js';

/** How often expired rows are swept, in milliseconds. */
const SWEEP_MS = 60_000;
/** Maximum random delay in milliseconds, so that nodes that were started together do not sweep together. */
const JITTER_MS = 5_000;
/** How long one of several nodes has the lease of sweeping, in milliseconds. The others skip this round. */
const LEASE_MS = 50_000;
/**
 * Target duration of one deletion, in milliseconds. The next one is smaller if it took longer, or larger if it took
 * less.
 */
const AT_ONCE_MS = 10;
const LEAST_SWEPT = 50;

/** The lease of the one process that sweeps a store. */
const LEASE = { realm: '', kind: 'lease', keyHash: 'sweep' };

export interface SweeperOptions {
  /** Between two rounds, in milliseconds. */
  readonly every?: number;
}

/**
 * Removes expired rows, one round a minute. If a store has several nodes, the first one does it. If it ends,
 * another node takes over after its lease.
 * @returns a function that stops it, also within a round
 */
export function startSweeper(
  store: Store,
  clock: Clock,
  logger: Logger,
  { every = SWEEP_MS }: SweeperOptions = {},
): () => Promise<void> {
  return startUpkeep(async (rest) => {
    while (await rest(every + (store.isShared ? Math.random() * Math.min(JITTER_MS, every) : 0))) {
      try {
        await sweepRound(rest);
      } catch (error) {
        logger.error('deleting expired rows failed', { reason: String(error) });
      }
    }
  });

  async function sweepRound(rest: Rest): Promise<void> {
    let leasedUntil = 0;
    let limit = SWEPT_AT_ONCE;
    let from: SweepPlace | undefined;
    do {
      const now = clock.now();
      if (store.isShared && now >= leasedUntil) {
        leasedUntil = now + Math.min(LEASE_MS, every);
        if (!(await store.marks.claim({ ...LEASE, expiresAt: leasedUntil, now }))) return;
      }
      const began = performance.now();
      ({ rest: from } = await store.sweep({ now, limit, ...(from && { from }) }));
      const took = performance.now() - began;
      limit = nextLimit(limit, took);
      // As long as it took: requests have at least half of what the store can do.
      if (from !== undefined && !(await rest(took))) return;
    } while (from !== undefined);
  }
}

function nextLimit(limit: number, took: number): number {
  const next = took > 2 * AT_ONCE_MS ? limit / 2 : took < AT_ONCE_MS ? limit * 2 : limit;
  return Math.round(Math.min(MOST_SWEPT, Math.max(LEAST_SWEPT, next)));
}
