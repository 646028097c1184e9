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
  type PasswordFormat,
  readCredential,
  type StoredPassword,
  sameFormat,
  writeCredential,
} from './password-format.js';

/** How many passwords may wait to be hashed, of all realms. */
export const PASSWORD_QUEUE_LIMIT = 256;

/** Longest password, in UTF-16 code units. */
export const MAX_PASSWORD_LENGTH = 4096;

const SALT_BYTES = 16;

/** Milliseconds of a hash of an algorithm that has made none yet. */
const UNKNOWN_MS = 250;
/** Cost of a millisecond, in the unit of `costOf`. */
const COST_OF_MS = 6000;

/** A stored credential that cannot be verified. */
export interface PasswordWarning {
  readonly code: 'credential_unreadable';
  readonly realm: string;
  readonly credentialId: string | undefined;
  /** Holds nothing secret. */
  readonly message: string;
}

export interface PasswordHasherOptions {
  /** Hashes derived at once; without it one less than there are cores. */
  readonly concurrency?: number;
  /** How many more may wait; 256 without it. */
  readonly queueLimit?: number;
  /** `deriveInThread` without it. */
  readonly derive?: (job: HashJob) => Promise<Buffer>;
  readonly onWarning?: (warning: PasswordWarning) => void;
  /** Where the formats of hashes are stored; nowhere without it. */
  readonly formats?: HashFormats;
}

/** @param maxBytes of UTF-8 @throws HostError `password_too_long` (400) */
export function refuseLong(password: string, maxBytes = Number.POSITIVE_INFINITY): void {
  const most = password.length > MAX_PASSWORD_LENGTH ? `${MAX_PASSWORD_LENGTH} characters` : `${maxBytes} bytes`;
  if (password.length <= MAX_PASSWORD_LENGTH && Buffer.byteLength(password) <= maxBytes) return;
  throw new HostError('password_too_long', `a password has at most ${most}`, { status: 400 });
}

/** How many hashes are derived at once. One core stays free: token requests must not wait behind logins. */
export function hashesAtOnce(cores: number): number {
  return Math.max(1, cores - 1);
}

/**
 * Hashes and verifies passwords in Keycloak's stored form, off the main thread, a bounded number at a time. Passwords
 * are taken exactly as received: no normalization, no cut, NUL included. Realms share the threads, each hash by what it
 * costs. Every method rejects with HostError `temporarily_unavailable` (503) when too many of that realm are waiting.
 */
export class PasswordHasher {
  readonly #queue: FairQueue;
  /** Milliseconds that the last hash took, by algorithm of a plugin. */
  readonly #taken = new Map<string, number>();
  readonly #deriveHash: (job: HashJob) => Promise<Buffer>;
  readonly #warn: (warning: PasswordWarning) => void;
  readonly #formats: HashFormats | undefined;

  constructor(options: PasswordHasherOptions = {}) {
    this.#queue = new FairQueue({
      concurrency: options.concurrency ?? hashesAtOnce(availableParallelism()),
      limit: options.queueLimit ?? PASSWORD_QUEUE_LIMIT,
    });
    this.#deriveHash = options.derive ?? deriveInThread;
    this.#warn = options.onWarning ?? (() => {});
    this.#formats = options.formats;
  }

  /**
   * A credential of type `password`, without `id` and `createdDate`: argon2id with Keycloak's parameters, or what the
   * policy says.
   * @throws HostError `password_too_long` (400)
   */
  async hash(realm: string, password: string, policy?: HashPolicy): Promise<CredentialRepresentation> {
    refuseLong(password);
    const format = formatOf(policy);
    const salt = randomBytes(SALT_BYTES);
    const credential = writeCredential({ format, salt, hash: await this.#derive(realm, password, format, salt) });
    await this.note(realm, [credential]);
    return credential;
  }

  /**
   * `ok`: the password is the credential's. `outdated`: it is, and should be hashed anew under the policy.
   * A password that is too long costs what another costs and is wrong. A credential that cannot be read, or is dearer than
   * any may be, is wrong too, is reported to `onWarning`, and costs what an unknown user costs.
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
    const tooLong = password.length > MAX_PASSWORD_LENGTH;
    const derived = await this.#derive(realm, tooLong ? '' : password, stored.format, stored.salt);
    // A mask that was once taken for a password is one that everybody knows.
    const ok = timingSafeEqual(derived, stored.hash) && !tooLong && !isMask(password);
    return { ok, outdated: ok && !sameFormat(stored.format, formatOf(policy)) };
  }

  /** Does the work of verifying a password hashed under this policy, for users that do not exist. */
  dummyVerify(realm: string, password: string, policy?: HashPolicy): Promise<void> {
    return this.work(realm, password, formatOf(policy));
  }

  /** Does the work of verifying a password of that format. */
  async work(realm: string, password: string, format: PasswordFormat): Promise<void> {
    const tooLong = password.length > MAX_PASSWORD_LENGTH;
    await this.#derive(realm, tooLong ? '' : password, format, Buffer.alloc(SALT_BYTES));
  }

  /** Remembers in which formats passwords of the realm are stored. */
  async note(realm: string, credentials: readonly CredentialRepresentation[]): Promise<void> {
    await this.#formats?.note(realm, credentials);
  }

  /** The formats that a failed login does the work of. */
  async formatsInUse(realm: string): Promise<readonly HashFormat[]> {
    return (await this.#formats?.inUse(realm)) ?? [];
  }

  /**
   * Runs the work of another hash in the same turns. It costs what the last one of its algorithm took.
   * @param algorithm its id
   */
  inTurn<T>(realm: string, algorithm: string, work: () => Promise<T>): Promise<T> {
    const task = async () => {
      const started = performance.now();
      try {
        return await work();
      } finally {
        this.#taken.set(algorithm, Math.max(1, performance.now() - started));
      }
    };
    return this.#queue.run(realm, task, (this.#taken.get(algorithm) ?? UNKNOWN_MS) * COST_OF_MS);
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
