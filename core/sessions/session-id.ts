import { randomFillSync } from 'node:crypto';

const RANDOM_BYTES = 12;
/** Read random bytes for many IDs at once: single reads cost as much as an HMAC. */
const randomness = Buffer.alloc(RANDOM_BYTES * 128);
let used = randomness.length;
const sessionId = Buffer.alloc(6 + RANDOM_BYTES);

/**
 * Returns the ID of a user session in Keycloak's format, 24 URL-safe characters: 48 bits of time (milliseconds), then
 * 96 random bits. Sessions that start together are adjacent in the store, which would otherwise write a page for each.
 */
export function newSessionId(now: number): string {
  if (used === randomness.length) {
    randomFillSync(randomness);
    used = 0;
  }
  sessionId.writeUIntBE(now, 0, 6);
  randomness.copy(sessionId, 6, used, used + RANDOM_BYTES);
  randomness.fill(0, used, used + RANDOM_BYTES);
  used += RANDOM_BYTES;
  return sessionId.toString('base64url');
}
