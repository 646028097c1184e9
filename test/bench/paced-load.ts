import { setTimeout as wait } from 'node:timers/promises';

/**
 * Does work at a fixed rate until the end, whether or not what was begun before is done; resolves when all of it is.
 * @param rate in a second
 * @param end as `Date.now()` tells it, or what says that it is there
 * @param work is told when it was due, as `performance.now()` tells it: a sender that is late is no excuse for the server
 */
export async function atRate(
  rate: number,
  end: number | (() => boolean),
  work: (index: number, due: number) => Promise<void>,
): Promise<void> {
  const began = performance.now();
  const isOver = typeof end === 'number' ? () => Date.now() >= end : end;
  const all: Promise<void>[] = [];
  let failure: unknown;
  for (let index = 0; !isOver() && failure === undefined; ) {
    const due = began + (index * 1000) / rate;
    if (due > performance.now()) {
      await wait(1);
      continue;
    }
    all.push(
      work(index, due).catch((error: unknown) => {
        failure ??= error;
      }),
    );
    index += 1;
  }
  await Promise.all(all);
  if (failure !== undefined) throw failure;
}
