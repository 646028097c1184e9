import { hash, timingSafeEqual } from 'node:crypto';

/** Compares in constant time, without revealing the secret's length. False if `candidate` is undefined. */
export function isSameSecret(candidate: string | undefined, secret: string): boolean {
  return timingSafeEqual(secretDigest(candidate ?? ''), secretDigest(secret)) && candidate !== undefined;
}

/**
 * The digest of a secret, for a comparison in constant time.
 * @returns 64 bytes: the SHA-256 in hexadecimal digits. Node 20 returns a string in 0.9 µs, but a Buffer in 2.2 µs
 */
export function secretDigest(text: string): Buffer {
  return Buffer.from(hash('sha256', text, 'hex'), 'latin1');
}
