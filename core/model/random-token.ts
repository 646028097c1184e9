import { randomFillSync } from 'node:crypto';

/** Each of these calls to the system's generator takes longer than what most requests do with a few bytes of it. */
const POOL_BYTES = 4096;

const pool = Buffer.allocUnsafeSlow(POOL_BYTES);
let used = POOL_BYTES;

/**
 * Bytes of the system's generator that nobody else gets (RFC 4086): fetched many at a time, as `randomUUID` does.
 * @param length in bytes
 */
export function randomOctets(length: number): Buffer {
  if (length > POOL_BYTES) return randomFillSync(Buffer.allocUnsafeSlow(length));
  if (used + length > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const octets = Buffer.from(pool.subarray(used, used + length));
  pool.fill(0, used, used + length);
  used += length;
  return octets;
}

/** A text that cannot be guessed, base64url. @param length in bytes: 16 and more for what somebody may be asked to guess */
export function randomToken(length: number): string {
  return randomOctets(length).toString('base64url');
}
