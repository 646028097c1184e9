import { openStore } from '../../core/store/sqlite/open-store.js';

/**
 * Writes without pause to the store in the folder that its argument names, and exits with code 7 in the midst of it.
 */
const store = await openStore({ dataDir: process.argv[2] ?? '' });
const TURNS = 200 + Math.random() * 200;
for (let turn = 0; turn < TURNS; turn++) {
  for (let caller = 0; caller < 8; caller++) {
    const key = { realm: 'demo', subject: `caller-${caller}`, now: turn, windowMs: 1000 };
    store.counters.bump(key).catch(() => {});
  }
  await new Promise(setImmediate);
}
process.exit(7);
