import { setTimeout as delay } from 'node:timers/promises';

/** Waits this many milliseconds. @returns false if the work must end */
export type Rest = (ms: number) => Promise<boolean>;

/**
 * Starts background work on a store that keeps no process alive.
 * @param run gets a signal that is aborted when the work must end
 * @returns a function that stops it, also in the middle
 */
export function startUpkeep(run: (rest: Rest, signal: AbortSignal) => Promise<void>): () => Promise<void> {
  const ending = new AbortController();
  const { signal } = ending;
  const rest: Rest = async (ms) => {
    try {
      await delay(ms, undefined, { signal, ref: false });
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  };
  const running = run(rest, signal);
  return async () => {
    ending.abort();
    await running;
  };
}
