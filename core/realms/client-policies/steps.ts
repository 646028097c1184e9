/** Work that may have to wait for others, and does not where it need not. */
export type Steps<T> = Generator<Promise<unknown>, T, unknown>;

/** What a promise comes to, within steps. */
export function* awaited<T>(promise: Promise<T>): Steps<T> {
  return (yield promise) as T;
}

/**
 * Does the steps: at once as long as none waits.
 * @returns undefined: all of them are done
 */
export function begin(steps: Steps<void>): Promise<void> | undefined {
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
