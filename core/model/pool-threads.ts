/** libuv's, where nothing else is asked for. */
export const STANDARD_POOL_THREADS = 4;
const MOST = 1024;

/**
 * How many threads libuv's pool has, as libuv reads `UV_THREADPOOL_SIZE`: 4 without it, 1 for what is no number. Node has
 * begun the pool before the host could choose, so that the host can only know.
 */
export function poolThreads(size: string | undefined): number {
  if (size === undefined) return STANDARD_POOL_THREADS;
  const threads = Number.parseInt(size, 10);
  return threads >= 1 ? Math.min(threads, MOST) : 1;
}
