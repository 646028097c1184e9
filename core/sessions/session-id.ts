import { randomFillSync } from 'node:crypto';

const RANDOM_BYTES = 12;
/** Random bytes are taken from the system for many ids at once: one by one they cost as much as an HMAC. */
const randomness = Buffer.alloc(RANDOM_BYTES * 128);
let used = randomness.length;
const sessionId = Buffer.alloc(6 + RANDOM_BYTES);

/**
 * The id of a user session in Keycloak's form, 24 URL-safe characters: 48 bits of time (milliseconds), then 96 random
 * ones. Sessions that begin together so lie together in the store, whose writes would else touch a page for each.
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
