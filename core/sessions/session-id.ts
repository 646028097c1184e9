import { randomFillSync } from 'node:crypto';

const RANDOM_BYTES = 12;
/** Random bytes for many IDs, read at once: a read for each ID would cost as much as an HMAC. */
const randomPool = Buffer.alloc(RANDOM_BYTES * 128);
let usedBytes = randomPool.length;
const sessionId = Buffer.alloc(6 + RANDOM_BYTES);

/**
 * Returns the ID of a user session in Keycloak's format, 24 URL-safe characters: 48 bits of time (milliseconds), then
 * 96 random bits. IDs that are created together are adjacent in the store's index, which would otherwise write one page
 * for each.
 */
export function newSessionId(now: number): string {
  if (usedBytes === randomPool.length) {
    randomFillSync(randomPool);
    usedBytes = 0;
  }
  sessionId.writeUIntBE(now, 0, 6);
  randomPool.copy(sessionId, 6, usedBytes, usedBytes + RANDOM_BYTES);
  randomPool.fill(0, usedBytes, usedBytes + RANDOM_BYTES);
  usedBytes += RANDOM_BYTES;
  return sessionId.toString('base64url');
}
