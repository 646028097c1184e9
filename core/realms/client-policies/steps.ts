/** Work that may wait for promises, and runs synchronously if it does not have to. */
export type Steps<T> = Generator<Promise<unknown>, T, unknown>;

/** The value of a promise, within steps. */
export function* awaited<T>(promise: Promise<T>): Steps<T> {
  return (yield promise) as T;
}

/**
 * Does the steps: at once as long as none waits.
 * @returns undefined: all of them are done
 */
export function runSteps(steps: Steps<void>): Promise<void> | undefined {
  const { done, value } = steps.next();
  return done === true ? undefined : finish(steps, value as Promise<unknown>);
}

async function finish(steps: Steps<void>, first: Promise<unknown>): Promise<void> {
  let waiting = first;
  for (;;) {
    const { done, value } = steps.next(await waiting);
    if (done === true) return;
    waiting = value as Promise<unknown>;
  }
}
