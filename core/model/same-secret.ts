import { hash, timingSafeEqual } from 'node:crypto';

/** Compares in constant time and does not reveal the secret's length. False if `given` is undefined. */
export function isSameSecret(candidate: string | undefined, secret: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(candidate ?? ''), digest(secret)) && candidate !== undefined;
}
