import { readFileSync } from 'node:fs';

/**
 * Loaded before a node by `node --import`. Its clock is ahead by the number of milliseconds in the file
 * KEYHOST_TRIAL_CLOCK, and jumps when that changes. Timers and other monotonic clocks are not affected, as on a machine
 * whose clock is set.
 */
const file = process.env.KEYHOST_TRIAL_CLOCK;
const RealDate = Date;
let ahead = 0;

function look(): void {
  if (file !== undefined) ahead = Number(readFileSync(file, 'utf8'));
}

look();
setInterval(look, 50).unref();
globalThis.Date = new Proxy(RealDate, {
  construct: (date, args, target) =>
    Reflect.construct(date, args.length === 0 ? [date.now() + ahead] : args, target) as object,
  get: (date, name) => (name === 'now' ? () => date.now() + ahead : (Reflect.get(date, name) as unknown)),
});
