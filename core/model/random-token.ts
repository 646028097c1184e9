import { randomFillSync } from 'node:crypto';

/** Each of these calls to the system's generator takes longer than what most requests do with a few bytes of it. */
const POOL_BYTES = 4096;

const pool = Buffer.allocUnsafeSlow(POOL_BYTES);
let used = POOL_BYTES;

/**
 * Random bytes of the system's generator (RFC 4086), never returned twice. They are fetched in batches, as `randomUUID`
 * does.
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

/** An unguessable text, base64url. @param length in bytes: at least 16 for a text that attackers can try */
export function randomToken(length: number): string {
  return randomOctets(length).toString('base64url');
}
