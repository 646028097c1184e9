// biome-ignore lint/plugin: between two questions, within a guard of a minute
import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds: long enough for a machine that does much else; whoever waits longer waits in vain. */
const LIMIT = 60_000;
const BETWEEN = 10;

/** A minute has gone by without an answer. */
export class NotInTime extends Error {}

/** Asks until the answer is something, and gives it. @throws NotInTime that shows the question */
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
