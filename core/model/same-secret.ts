import { hash, timingSafeEqual } from 'node:crypto';

/** Compares in constant time, without revealing the secret's length. False if `candidate` is undefined. */
export function isSameSecret(candidate: string | undefined, secret: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(candidate ?? ''), digest(secret)) && candidate !== undefined;
}
