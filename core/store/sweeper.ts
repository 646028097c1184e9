import type { Logger } from '@keyhost/spi';
import type { Clock } from '../model/clock.js';
import { DEFAULT_SWEPT_ROWS, MAX_SWEPT_ROWS } from './records/sweep.js';
import type { Store, SweepPosition } from './store.js';
import { type Pause, startUpkeep } from './upkeep.js';

/** How often expired rows are swept, in milliseconds. */
const SWEEP_INTERVAL_MS = 60_000;
/** Maximum random delay in milliseconds, so that nodes that started together do not sweep together. */
const MAX_JITTER_MS = 5_000;
/** The duration of the lease for sweeping, in milliseconds. Other nodes skip a round while one node has the lease. */
const LEASE_MS = 50_000;
/**
 * The target duration of one deletion, in milliseconds. If a deletion takes longer, the next one is smaller; if less,
 * larger.
 */
const TARGET_DELETION_MS = 5;
const MIN_SWEPT_ROWS = 50;
/** How many times as long as a deletion the pause after it is. */
const PAUSE_FACTOR = 4;

/** The lease of the one node that sweeps a shared store. */
const LEASE = { realm: '', kind: 'lease', keyHash: 'sweep' };

export interface SweeperOptions {
  /** The interval between two rounds, in milliseconds. */
  readonly every?: number;
}

/**
 * Removes expired rows, in one round a minute. If nodes share the store, one of them does it; if it dies, another node
 * takes over after its lease.
 * @returns a function that stops it, even within a round
 */
export function startSweeper(
  store: Store,
  clock: Clock,
  logger: Logger,
  { every = SWEEP_INTERVAL_MS }: SweeperOptions = {},
): () => Promise<void> {
  return startUpkeep(async (pause) => {
    while (await pause(every + (store.isShared ? Math.random() * Math.min(MAX_JITTER_MS, every) : 0))) {
      try {
        await sweepRound(pause);
      } catch (error) {
        logger.error('deleting expired rows failed', { reason: String(error) });
      }
    }
  });

  async function sweepRound(pause: Pause): Promise<void> {
    let leasedUntil = 0;
    let limit = DEFAULT_SWEPT_ROWS;
    let position: SweepPosition | undefined;
    do {
      const now = clock.now();
      if (store.isShared && now >= leasedUntil) {
        leasedUntil = now + Math.min(LEASE_MS, every);
        if (!(await store.marks.claim({ ...LEASE, expiresAt: leasedUntil, now }))) return;
      }
      const startedAt = performance.now();
      ({ rest: position } = await store.sweep({ now, limit, ...(position && { from: position }) }));
      const durationMs = performance.now() - startedAt;
      limit = nextLimit(limit, durationMs);
      // Requests need the same cores and the same writer, so the sweep takes at most a fifth of the time.
      if (position !== undefined && !(await pause(PAUSE_FACTOR * durationMs))) return;
    } while (position !== undefined);
  }
}

function nextLimit(limit: number, durationMs: number): number {
  const next = durationMs > 2 * TARGET_DELETION_MS ? limit / 2 : durationMs < TARGET_DELETION_MS ? limit * 2 : limit;
  return Math.round(Math.min(MAX_SWEPT_ROWS, Math.max(MIN_SWEPT_ROWS, next)));
}
