import { pbkdf2Sync } from 'node:crypto';
import { hashRawSync } from '@node-rs/argon2';
import type { HashJob } from './hash-threads.js';

const DIGESTS = { pbkdf2: 'sha1', 'pbkdf2-sha256': 'sha256', 'pbkdf2-sha512': 'sha512' } as const;
// The binding's enums are `const enum`, which cannot be imported in isolated modules.
const ARGON2_TYPES = { d: 0, i: 1, id: 2 } as const;
const ARGON2_VERSIONS = { '1.0': 0, '1.3': 1 } as const;

/**
 * Derives a hash and blocks this thread until it is done.
 * @throws Error for invalid parameters
 */
export function deriveOnThisThread({ password, format, salt }: HashJob): Uint8Array {
  if (format.algorithm !== 'argon2') {
    return pbkdf2Sync(password, salt, format.hashIterations, format.hashLength, DIGESTS[format.algorithm]);
  }
  return hashRawSync(Buffer.from(password), {
    algorithm: ARGON2_TYPES[format.type],
    version: ARGON2_VERSIONS[format.version],
    memoryCost: format.memory,
    timeCost: format.hashIterations,
    parallelism: format.parallelism,
    outputLen: format.hashLength,
    salt,
  });
}
