import type { Logger } from '@keyhost/spi';
import type { Clock } from '../model/clock.js';
import type { Store } from './store.js';

/** How often expired rows are swept, in milliseconds. */
const SWEEP_MS = 60_000;

/** Removes expired rows from now on. @returns what ends it */
export function startSweeper(store: Store, clock: Clock, logger: Logger): () => Promise<void> {
  const timer = setInterval(() => void sweep(store, clock, logger), SWEEP_MS);
  return async () => clearInterval(timer);
}

async function sweep(store: Store, clock: Clock, logger: Logger): Promise<void> {
  try {
    while ((await store.sweep({ now: clock.now() })).more);
  } catch (error) {
    logger.error('sweeping expired rows failed', { reason: String(error) });
  }
}
