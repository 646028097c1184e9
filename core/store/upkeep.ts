import { setTimeout as delay } from 'node:timers/promises';

/** Waits so many milliseconds. @returns false when the work is to end */
export type Rest = (ms: number) => Promise<boolean>;

/**
 * Starts work on a store that goes on beside requests, and keeps no process alive.
 * @param run gets a signal that is aborted when the work is to end
 * @returns what ends it, in the middle of it too
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
