import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../model/thrown.js';
import { BloomFilter } from './bloom-filter.js';

const THREAD = new URL('./blacklist-thread.js', import.meta.url);
/** No path, and no hidden file. */
const NAME = /^\w[\w.-]{0,254}$/;

interface Blacklist {
  /** Changes with the file. */
  readonly version: string;
  readonly filter: Promise<BloomFilter>;
}

/** Files of passwords that nobody may have, one a line, in one folder (Keycloak's `data/password-blacklists`). */
export class PasswordBlacklists {
  readonly #dir: string;
  readonly #lists = new Map<string, Blacklist>();

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Why a realm cannot name this file; undefined: it can. */
  mistake(name: string): string | undefined {
    if (!NAME.test(name)) {
      return `passwordBlacklist requires the name of a file, such as passwords.txt, not ${JSON.stringify(name)}`;
    }
    try {
      if (statSync(join(this.#dir, name)).isFile()) return undefined;
    } catch {
      // Said below.
    }
    return `passwordBlacklist: the folder of --password-blacklists-dir has no file ${JSON.stringify(name)}`;
  }

  /**
   * True for a password that the file has, in whatever case, and for one in a million others. The file is read with the first
   * question, and again when it has changed.
   * @throws Error where the file cannot be read
   */
  async has(name: string, password: string): Promise<boolean> {
    if (!NAME.test(name)) throw new Error(`${JSON.stringify(name)} is no name of a password blacklist`);
    try {
      return (await this.#filter(name)).has(password.toLowerCase());
    } catch (cause) {
      this.#lists.delete(name);
      throw new Error(`the password blacklist ${name} cannot be read: ${messageOf(cause)}`, { cause });
    }
  }

  async #filter(name: string): Promise<BloomFilter> {
    const file = join(this.#dir, name);
    const { ino, size, mtimeMs } = await stat(file);
    const version = `${ino} ${size} ${mtimeMs}`;
    const known = this.#lists.get(name);
    if (known?.version === version) return known.filter;
    const filter = readInThread(file);
    this.#lists.set(name, { version, filter });
    return filter;
  }
}

/** Ten million lines take seconds: requests go on meanwhile. */
function readInThread(file: string): Promise<BloomFilter> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(THREAD, { name: 'keyhost-blacklist', execArgv: [], workerData: { file } });
    worker.unref();
    worker.once('message', (bits: Uint8Array) => resolve(new BloomFilter(bits)));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the thread that reads it ended with code ${code}`)));
  });
}
