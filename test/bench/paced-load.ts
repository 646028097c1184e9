import { setTimeout as wait } from 'node:timers/promises';

/**
 * Does work at a fixed rate until the end, independently of earlier work; resolves when all of it is done.
 * @param rate per second
 * @param end on the scale of `Date.now()`, or a function that returns true at the end
 * @param work gets the time at which it was due, on the scale of `performance.now()`: a late sender must not improve
 * the result
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
