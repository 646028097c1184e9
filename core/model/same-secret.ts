import { hash, timingSafeEqual } from 'node:crypto';

/** Compares in a time that tells nothing of the secret, not even its length. False for what was not given. */
export function isSameSecret(given: string | undefined, secret: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(given ?? ''), digest(secret)) && given !== undefined;
}
