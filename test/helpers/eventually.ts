// biome-ignore lint/plugin: between two questions, within a guard of a minute
import { setTimeout as wait } from 'node:timers/promises';

/** The timeout in milliseconds: longer than anything takes, even on a busy machine. */
const LIMIT = 60_000;
const BETWEEN = 10;

/** The condition did not hold within a minute. */
export class NotInTime extends Error {}

/** Calls the function until its result is truthy, and returns that. @throws NotInTime with the function's source */
export async function eventually<T>(ask: () => T | Promise<T>): Promise<Exclude<T, undefined | null | false>> {
  const end = Date.now() + LIMIT;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false)
      return answer as Exclude<T, undefined | null | false>;
    if (Date.now() > end) throw new NotInTime(`It has not come about within ${LIMIT / 1000} s: ${ask}`);
    await wait(BETWEEN);
  }
}
