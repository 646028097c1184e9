import { replacing } from '../../core/di/module.js';
import { DeriveHash } from '../../core/users/module.js';
import { deriveOnThisThread } from '../../core/users/passwords/derive-hash.js';
import { deriveInThread, type HashJob } from '../../core/users/passwords/hash-threads.js';

/** KiB: the least that argon2 takes (RFC 9106 §3.1). */
const LEAST_MEMORY = 8;

/**
 * Derives hashes as a host does, at once and with the least work, whatever their parameters say: a fifth of the processor time
 * of all tests was argon2. Where they come from elsewhere, or must cost what they cost, use `realHashes`.
 */
export async function deriveCheaply({ password, format, salt }: HashJob): Promise<Buffer> {
  const cheap = format.algorithm === 'argon2' ? { memory: LEAST_MEMORY * format.parallelism } : {};
  return Buffer.from(deriveOnThisThread({ password, salt, format: { ...format, ...cheap, hashIterations: 1 } }));
}

/** For `startHost`: hashes as they are outside of tests. */
export const realHashes = replacing(DeriveHash, deriveInThread);
