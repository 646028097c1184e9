import { randomFillSync } from 'node:crypto';

/** Size of a batch of random bytes. Requests need few bytes, and each call of the system's generator is expensive. */
const POOL_BYTES = 4096;

const pool = Buffer.allocUnsafeSlow(POOL_BYTES);
let usedBytes = POOL_BYTES;

/**
 * Returns random bytes of the system's generator (RFC 4086). They are fetched in batches, as `randomUUID` does, and no
 * byte of a batch is returned twice.
 * @param length in bytes
 */
export function randomOctets(length: number): Buffer {
  if (length > POOL_BYTES) return randomFillSync(Buffer.allocUnsafeSlow(length));
  if (usedBytes + length > POOL_BYTES) {
    randomFillSync(pool);
    usedBytes = 0;
  }
  const octets = Buffer.from(pool.subarray(usedBytes, usedBytes + length));
  pool.fill(0, usedBytes, usedBytes + length);
  usedBytes += length;
  return octets;
}

/**
 * Returns an unguessable base64url string.
 * @param length in bytes: at least 16 if attackers can try values
 */
export function randomToken(length: number): string {
  return randomOctets(length).toString('base64url');
}
