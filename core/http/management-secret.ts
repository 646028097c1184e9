import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** True for a request that shows the host's secret as a bearer token: only the owner of the data directory can read that. */
export function showsSecret({ headers }: Pick<IncomingMessage, 'headers'>, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${secret}`));
}
