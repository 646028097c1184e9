import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits for this number of milliseconds.
 * @returns false if the work must end
 */
export type Pause = (ms: number) => Promise<boolean>;

/**
 * Starts background work on a store. It does not keep the process alive.
 * @param run gets a signal that is aborted when the work must end
 * @returns a function that stops the work, even while it waits
 */
export function startUpkeep(run: (rest: Pause, signal: AbortSignal) => Promise<void>): () => Promise<void> {
  const abortController = new AbortController();
  const { signal } = abortController;
  const pause: Pause = async (ms) => {
    try {
      await delay(ms, undefined, { signal, ref: false });
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  };
  const finished = run(pause, signal);
  return async () => {
    abortController.abort();
    await finished;
  };
}
