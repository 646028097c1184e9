import { HostError } from '@keyhost/spi';

/**
 * Returns the result of `work`. The work itself is not aborted at the limit.
 * @throws HostError `time_limit` if it takes longer than `ms` milliseconds
 */
export async function within<T>(ms: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HostError('time_limit', `not done within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
