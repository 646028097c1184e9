import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { HostError } from '@keyhost/spi';
import { FairQueue } from '../../model/fair-queue.js';
import { isMask } from '../../model/mask.js';
import type { CredentialRepresentation } from '../../model/representation.js';
import type { HashFormat, HashFormats } from './hash-formats.js';
import { deriveInThread, type HashJob } from './hash-threads.js';
import {
  costOf,
  formatOf,
  type HashPolicy,
  isSameFormat,
  type PasswordFormat,
  readCredential,
  type StoredPassword,
  writeCredential,
} from './password-format.js';

/** Maximum number of passwords of all realms that wait for hashing. */
export const PASSWORD_QUEUE_LIMIT = 256;

/** Maximum length of a password in UTF-16 code units. */
export const MAX_PASSWORD_LENGTH = 4096;

const SALT_BYTES = 16;

/** Duration of a hash of a plugin's algorithm in milliseconds, assumed before the first one was measured. */
const DEFAULT_HASH_MS = 250;
/** The cost, in the unit of `costOf`, that corresponds to a millisecond. */
const COST_PER_MS = 6000;

/** A stored credential that cannot be verified. */
export interface PasswordWarning {
  readonly code: 'credential_unreadable';
  readonly realm: string;
  readonly credentialId: string | undefined;
  /** Contains no secrets. */
  readonly message: string;
}

export interface PasswordHasherOptions {
  /** Maximum number of concurrent hashes; default: one less than the number of cores. */
  readonly concurrency?: number;
  /** Maximum number of waiting hashes; default 256. */
  readonly queueLimit?: number;
  /** Default: `deriveInThread`. */
  readonly derive?: (job: HashJob) => Promise<Buffer>;
  readonly onWarning?: (warning: PasswordWarning) => void;
  /** The store of hash formats; default: none. */
  readonly formats?: HashFormats;
}

/**
 * Checks that a password is not too long.
 * @param maxBytes its maximum length in UTF-8
 * @throws HostError `password_too_long` (400)
 */
export function requireShortPassword(password: string, maxBytes = Number.POSITIVE_INFINITY): void {
  const limit = password.length > MAX_PASSWORD_LENGTH ? `${MAX_PASSWORD_LENGTH} characters` : `${maxBytes} bytes`;
  if (password.length <= MAX_PASSWORD_LENGTH && Buffer.byteLength(password) <= maxBytes) return;
  throw new HostError('password_too_long', `a password has at most ${limit}`, { status: 400 });
}

/** Number of concurrent hashes. One core stays free, because token requests must not wait for logins. */
export function hashConcurrency(cores: number): number {
  return Math.max(1, cores - 1);
}

/**
 * Hashes and verifies passwords in Keycloak's stored form, off the main thread, with bounded concurrency. Passwords are
 * used exactly as received: no normalisation, no truncation, NUL included. Realms share the threads fairly by the cost
 * of their hashes. Every method rejects with HostError `temporarily_unavailable` (503) if too many hashes of that realm
 * are waiting.
 */
export class PasswordHasher {
  readonly #queue: FairQueue;
  /** Duration of the last hash in milliseconds, by algorithm of a plugin. */
  readonly #durations = new Map<string, number>();
  readonly #deriveHash: (job: HashJob) => Promise<Buffer>;
  readonly #warn: (warning: PasswordWarning) => void;
  readonly #formats: HashFormats | undefined;

  constructor(options: PasswordHasherOptions = {}) {
    this.#queue = new FairQueue({
      concurrency: options.concurrency ?? hashConcurrency(availableParallelism()),
      limit: options.queueLimit ?? PASSWORD_QUEUE_LIMIT,
    });
    this.#deriveHash = options.derive ?? deriveInThread;
    this.#warn = options.onWarning ?? (() => {});
    this.#formats = options.formats;
  }

  /**
   * Returns a credential of type `password`, without `id` and `createdDate`: argon2id with Keycloak's parameters, or as
   * the policy demands.
   * @throws HostError `password_too_long` (400)
   */
  async hash(realm: string, password: string, policy?: HashPolicy): Promise<CredentialRepresentation> {
    requireShortPassword(password);
    const format = formatOf(policy);
    const salt = randomBytes(SALT_BYTES);
    const credential = writeCredential({ format, salt, hash: await this.#derive(realm, password, format, salt) });
    await this.recordFormats(realm, [credential]);
    return credential;
  }

  /**
   * Verifies a password. `ok`: it is correct. `outdated`: it is correct, and should be rehashed under the policy. A
   * password that is too long takes the usual time and is wrong. A credential that is unreadable or too expensive
   * counts as wrong, is reported to `onWarning`, and takes the time of an unknown user.
   */
  async verify(
    realm: string,
    password: string,
    credential: CredentialRepresentation,
    policy?: HashPolicy,
  ): Promise<{ ok: boolean; outdated: boolean }> {
    const stored = this.#read(realm, credential);
    if (stored === undefined) {
      await this.dummyVerify(realm, password, policy);
      return { ok: false, outdated: false };
    }
    const isTooLong = password.length > MAX_PASSWORD_LENGTH;
    const derived = await this.#derive(realm, isTooLong ? '' : password, stored.format, stored.salt);
    // A mask that was once stored as a password by mistake is publicly known, so never accept one.
    const ok = timingSafeEqual(derived, stored.hash) && !isTooLong && !isMask(password);
    return { ok, outdated: ok && !isSameFormat(stored.format, formatOf(policy)) };
  }

  /** Takes as long as verifying a password hashed under this policy, for users that do not exist. */
  dummyVerify(realm: string, password: string, policy?: HashPolicy): Promise<void> {
    return this.simulateVerify(realm, password, formatOf(policy));
  }

  /** Takes as long as verifying a password of this format. */
  async simulateVerify(realm: string, password: string, format: PasswordFormat): Promise<void> {
    const isTooLong = password.length > MAX_PASSWORD_LENGTH;
    await this.#derive(realm, isTooLong ? '' : password, format, Buffer.alloc(SALT_BYTES));
  }

  /** Stores the formats of these passwords for the realm. */
  async recordFormats(realm: string, credentials: readonly CredentialRepresentation[]): Promise<void> {
    await this.#formats?.recordFormats(realm, credentials);
  }

  /** The formats for which a failed login does the work. */
  async formatsInUse(realm: string): Promise<readonly HashFormat[]> {
    return (await this.#formats?.formatsInUse(realm)) ?? [];
  }

  /**
   * Runs a plugin's hash in the same queue. Its cost is estimated by the last hash of the same algorithm.
   * @param algorithm its ID
   */
  runQueued<T>(realm: string, algorithm: string, work: () => Promise<T>): Promise<T> {
    const task = async () => {
      const started = performance.now();
      try {
        return await work();
      } finally {
        this.#durations.set(algorithm, Math.max(1, performance.now() - started));
      }
    };
    return this.#queue.run(realm, task, (this.#durations.get(algorithm) ?? DEFAULT_HASH_MS) * COST_PER_MS);
  }

  #read(realm: string, credential: CredentialRepresentation): StoredPassword | undefined {
    try {
      return readCredential(credential);
    } catch (error) {
      this.#warn({
        code: 'credential_unreadable',
        realm,
        credentialId: credential.id,
        message: `a password credential cannot be used: ${error instanceof Error ? error.message : 'unknown reason'}`,
      });
      return undefined;
    }
  }

  #derive(realm: string, password: string, format: PasswordFormat, salt: Buffer): Promise<Buffer> {
    return this.#queue.run(realm, () => this.#deriveHash({ password, format, salt }), costOf(format));
  }
}
