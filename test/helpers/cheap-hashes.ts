import { replacing } from '../../core/di/module.js';
import { DeriveHash } from '../../core/users/module.js';
import { deriveOnThisThread } from '../../core/users/passwords/derive-hash.js';
import { deriveInThread, type HashJob } from '../../core/users/passwords/hash-threads.js';

/** In KiB: the minimum of argon2 (RFC 9106 §3.1). */
const LEAST_MEMORY = 8;

/**
 * Derives hashes as a host does, but synchronously and with the least work, ignoring their parameters. Otherwise a
 * fifth of the processor time of all tests would be argon2. Tests with imported hashes, or of their cost, use
 * `realHashes`.
 */
export async function deriveCheaply({ password, format, salt }: HashJob): Promise<Buffer> {
  const cheap = format.algorithm === 'argon2' ? { memory: LEAST_MEMORY * format.parallelism } : {};
  return Buffer.from(deriveOnThisThread({ password, salt, format: { ...format, ...cheap, hashIterations: 1 } }));
}

/** For `startHost`: real hashes. */
export const realHashes = replacing(DeriveHash, deriveInThread);
