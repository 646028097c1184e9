import { pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { HostError } from '@keyhost/spi';
import { BoundedQueue } from '../../model/bounded-queue.js';
import { STANDARD_POOL_THREADS } from '../../model/pool-threads.js';
import type { CredentialRepresentation } from '../../model/representation.js';
import {
  formatOf,
  type HashPolicy,
  type PasswordFormat,
  readCredential,
  type StoredPassword,
  sameFormat,
  writeCredential,
} from './password-format.js';

/** How many passwords may wait to be hashed. */
export const PASSWORD_QUEUE_LIMIT = 256;

/** Longest password, in UTF-16 code units. */
export const MAX_PASSWORD_LENGTH = 4096;

const SALT_BYTES = 16;
const DIGESTS = { pbkdf2: 'sha1', 'pbkdf2-sha256': 'sha256', 'pbkdf2-sha512': 'sha512' } as const;
// The binding's own enums are `const enum`, which a module compiled by itself cannot read.
const ARGON2_TYPES = { d: 0, i: 1, id: 2 } as const;
const ARGON2_VERSIONS = { '1.0': 0, '1.3': 1 } as const;

const derivePbkdf2 = promisify(pbkdf2);

/** A stored credential that cannot be verified. */
export interface PasswordWarning {
  readonly code: 'credential_unreadable';
  readonly credentialId: string | undefined;
  /** Holds nothing secret. */
  readonly message: string;
}

export interface PasswordHasherOptions {
  /** Hashes derived at once; without it one less than there are cores, and than threads. */
  readonly concurrency?: number;
  /** Threads of libuv's pool; 4 without it. */
  readonly poolThreads?: number;
  /** How many more may wait; 256 without it. */
  readonly queueLimit?: number;
  readonly onWarning?: (warning: PasswordWarning) => void;
}

/**
 * How many hashes are derived at once. One core stays free, and one thread of the pool, which signs tokens by RSA too: token
 * requests must not wait behind logins.
 */
export function hashesAtOnce(cores: number, poolThreads: number): number {
  return Math.max(1, Math.min(cores, poolThreads) - 1);
}

/**
 * Hashes and verifies passwords in Keycloak's stored form, off the main thread, a bounded number at a time. Passwords
 * are taken exactly as received: no normalization, no cut, NUL included. Every method rejects with HostError
 * `temporarily_unavailable` (503) when too many are waiting.
 */
export class PasswordHasher {
  readonly #queue: BoundedQueue;
  readonly #warn: (warning: PasswordWarning) => void;

  constructor(options: PasswordHasherOptions = {}) {
    this.#queue = new BoundedQueue({
      concurrency:
        options.concurrency ?? hashesAtOnce(availableParallelism(), options.poolThreads ?? STANDARD_POOL_THREADS),
      limit: options.queueLimit ?? PASSWORD_QUEUE_LIMIT,
    });
    this.#warn = options.onWarning ?? (() => {});
  }

  /**
   * A credential of type `password`, without `id` and `createdDate`: argon2id with Keycloak's parameters, or what the
   * policy says.
   * @throws HostError `password_too_long` (400)
   */
  async hash(password: string, policy?: HashPolicy): Promise<CredentialRepresentation> {
    if (password.length > MAX_PASSWORD_LENGTH) {
      throw new HostError('password_too_long', `a password has at most ${MAX_PASSWORD_LENGTH} characters`, {
        status: 400,
      });
    }
    const format = formatOf(policy);
    const salt = randomBytes(SALT_BYTES);
    return writeCredential({ format, salt, hash: await this.#derive(password, format, salt) });
  }

  /**
   * `ok`: the password is the credential's. `outdated`: it is, and should be hashed anew under the policy.
   * A password that is too long costs what another costs and is wrong. A credential that cannot be read is wrong too,
   * is reported to `onWarning`, and costs what an unknown user costs.
   */
  async verify(
    password: string,
    credential: CredentialRepresentation,
    policy?: HashPolicy,
  ): Promise<{ ok: boolean; outdated: boolean }> {
    const stored = this.#read(credential);
    if (stored === undefined) {
      await this.dummyVerify(password, policy);
      return { ok: false, outdated: false };
    }
    const tooLong = password.length > MAX_PASSWORD_LENGTH;
    const derived = await this.#derive(tooLong ? '' : password, stored.format, stored.salt);
    const ok = timingSafeEqual(derived, stored.hash) && !tooLong;
    return { ok, outdated: ok && !sameFormat(stored.format, formatOf(policy)) };
  }

  /** Does the work of verifying a password hashed under this policy, for users that do not exist. */
  async dummyVerify(password: string, policy?: HashPolicy): Promise<void> {
    const tooLong = password.length > MAX_PASSWORD_LENGTH;
    await this.#derive(tooLong ? '' : password, formatOf(policy), Buffer.alloc(SALT_BYTES));
  }

  #read(credential: CredentialRepresentation): StoredPassword | undefined {
    try {
      return readCredential(credential);
    } catch (error) {
      this.#warn({
        code: 'credential_unreadable',
        credentialId: credential.id,
        message: `a password credential cannot be read: ${error instanceof Error ? error.message : 'unknown reason'}`,
      });
      return undefined;
    }
  }

  #derive(password: string, format: PasswordFormat, salt: Buffer): Promise<Buffer> {
    return this.#queue.run(async () => {
      if (format.algorithm !== 'argon2') {
        return derivePbkdf2(password, salt, format.hashIterations, format.hashLength, DIGESTS[format.algorithm]);
      }
      const { hashRaw } = await import('@node-rs/argon2');
      return hashRaw(Buffer.from(password), {
        algorithm: ARGON2_TYPES[format.type],
        version: ARGON2_VERSIONS[format.version],
        memoryCost: format.memory,
        timeCost: format.hashIterations,
        parallelism: format.parallelism,
        outputLen: format.hashLength,
        salt,
      });
    });
  }
}
