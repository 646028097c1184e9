import { HostError } from '@keyhost/spi';

/** Returns the result of `work`. @throws HostError `time_limit` if it takes longer than `ms` milliseconds */
export async function within<T>(ms: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HostError('time_limit', `not done within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work(), limit]);
  } finally {
    clearTimeout(timer);
  }
}
