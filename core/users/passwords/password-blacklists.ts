import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../model/clock.js';
import { messageOf } from '../../model/thrown.js';
import { BloomFilter } from './bloom-filter.js';

const THREAD_FILE = new URL('./blacklist-thread.js', import.meta.url);
/** A file name without path and without leading dot. */
const FILE_NAME = /^\w[\w.-]{0,254}$/;

/**
 * Time after which an unreadable file is read again although it has not changed, in milliseconds. Each attempt may read
 * all of it.
 */
const RETRY_MS = 10_000;

interface Blacklist {
  /** Changes with the file's content or permissions. */
  readonly version: string;
  readonly filter: Promise<BloomFilter>;
  /** When reading failed, in milliseconds since the epoch. */
  failedAt?: number;
}

/** Files of forbidden passwords, one per line, in one folder (Keycloak's `data/password-blacklists`). */
export class PasswordBlacklists {
  readonly #dir: string;
  readonly #clock: Clock;
  readonly #lists = new Map<string, Blacklist>();

  constructor(dir: string, clock: Clock) {
    this.#dir = dir;
    this.#clock = clock;
  }

  /** Describes why a realm's policy cannot use this file; undefined if it can. */
  findProblem(name: string): string | undefined {
    if (!FILE_NAME.test(name)) {
      return `passwordBlacklist requires the name of a file, such as passwords.txt, not ${JSON.stringify(name)}`;
    }
    try {
      if (statSync(join(this.#dir, name)).isFile()) return undefined;
    } catch {
      // Reported below.
    }
    return `passwordBlacklist: the folder of --password-blacklists-dir has no file ${JSON.stringify(name)}`;
  }

  /**
   * True if the file contains the password, ignoring case. By mistake it is also true for one in a million other
   * passwords. The file is read at first use, and again when it has changed. An unreadable file is read again after ten
   * seconds, or when it has changed.
   * @throws Error if the file cannot be read
   */
  async has(name: string, password: string): Promise<boolean> {
    if (!FILE_NAME.test(name)) throw new Error(`${JSON.stringify(name)} is no name of a password blacklist`);
    try {
      return (await this.#filter(name)).has(password.toLowerCase());
    } catch (cause) {
      throw new Error(`the password blacklist ${name} cannot be read: ${messageOf(cause)}`, { cause });
    }
  }

  async #filter(name: string): Promise<BloomFilter> {
    const file = join(this.#dir, name);
    const stats = await stat(file).catch((cause: unknown) => {
      this.#lists.delete(name);
      throw cause;
    });
    if (!stats.isFile()) throw new Error('it is no file');
    const version = `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
    const cached = this.#lists.get(name);
    if (cached?.version === version && !this.#shouldRetry(cached)) return cached.filter;
    const loaded: Blacklist = { version, filter: loadInThread(file) };
    this.#lists.set(name, loaded);
    return loaded.filter.catch((cause: unknown) => {
      loaded.failedAt = this.#clock.now();
      throw cause;
    });
  }

  #shouldRetry({ failedAt }: Blacklist): boolean {
    return failedAt !== undefined && this.#clock.now() - failedAt >= RETRY_MS;
  }
}

/** Reads the file in a thread, because ten million lines take seconds. */
function loadInThread(file: string): Promise<BloomFilter> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(THREAD_FILE, { name: 'keyhost-blacklist', execArgv: [], workerData: { file } });
    worker.unref();
    worker.once('message', (bits: Uint8Array) => resolve(new BloomFilter(bits)));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the thread that reads it ended with code ${code}`)));
  });
}
