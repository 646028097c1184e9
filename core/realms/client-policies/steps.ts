/** Work that may wait for promises, and runs synchronously if it does not have to. */
export type Steps<T> = Generator<Promise<unknown>, T, unknown>;

/** Waits for a promise within steps, and returns its value. */
export function* waitFor<T>(promise: Promise<T>): Steps<T> {
  return (yield promise) as T;
}

/**
 * Runs the steps, synchronously until one waits for a promise.
 * @returns undefined if all of them are done
 */
export function runSteps(steps: Steps<void>): Promise<void> | undefined {
  const { done, value } = steps.next();
  return done === true ? undefined : finish(steps, value as Promise<unknown>);
}

async function finish(steps: Steps<void>, first: Promise<unknown>): Promise<void> {
  let waitingStep = first;
  for (;;) {
    const { done, value } = steps.next(await waitingStep);
    if (done === true) return;
    waitingStep = value as Promise<unknown>;
  }
}
